import FeedfallFeeds
import FeedfallPlaying
import FeedfallScreen
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

@Suite(.hangLimit, .withMPV, .serialized) struct MPVProcessTests {
  private static let cells = Size(width: 40, height: 12)

  private func watched() -> Watched {
    let watched = Watched()
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    return watched
  }

  @Test func `a film plays in cells, and tells of itself, to its end`() async throws {
    let watched = watched()
    try watched.load(1, Clips.wide) {
      $0.startSeconds = 2.5
      $0.isPaused = true
    }
    try await watched.ready(1)
    let picture = try await watched.picture(Self.cells)
    watched.player.perform(.resume)
    #expect(Set(stride(from: 0, to: picture.bytes.count, by: 3).map { picture.bytes[$0] }).count > 10)
    try await watched.expectEnd(1, .reachedEnd)
    let news = watched.news(1)
    #expect(news.contains(.pictureSize(PixelSize(width: 320, height: 180))))
    #expect(news.contains(.duration(seconds: 4)))
    #expect(watched.reports.contains(.presentationChanged(.cells)))
    #expect(!news.contains(.sound(hasDevice: false)))
    let times = news.compactMap { if case .time(let seconds) = $0 { seconds } else { nil } }
    #expect(times.allSatisfy { $0 >= 2.4 })
    #expect(try #require(times.last) > 3.5)
    #expect(news.first == .paused(false) || news.contains(.ready))
  }

  @Test func `it begins paused where that is wanted, pauses and goes on`() async throws {
    let watched = watched()
    try watched.load(1, Clips.long) { $0.isPaused = true }
    try await watched.ready(1)
    _ = try await watched.picture(Self.cells)
    #expect(watched.time(1) ?? 0 < 0.5)
    watched.player.perform(.resume)
    try await watched.until { $0.news(1).contains(.paused(false)) && ($0.time(1) ?? 0) > 0.5 }
    watched.player.perform(.pause)
    try await watched.until { $0.news(1).last { if case .paused = $0 { true } else { false } } == .paused(true) }
  }

  @Test func `what is sought is there exactly`() async throws {
    let watched = watched()
    try watched.load(1, Clips.wide) { $0.isPaused = true }
    try await watched.ready(1)
    watched.player.perform(.seek(to: 3))
    try await watched.until { $0.news(1).contains(.seekCompleted) }
    #expect(abs(try #require(watched.time(1)) - 3) < 0.05)
  }

  @Test func `a seek before it is ready is done when it is`() async throws {
    let watched = watched()
    try watched.load(1, Clips.wide) { $0.isPaused = true }
    watched.player.perform(.seek(to: 2))
    try await watched.until { $0.news(1).contains(.seekCompleted) }
    #expect(abs(try #require(watched.time(1)) - 2) < 0.05)
  }

  @Test func `pictures get the size of the cells while it plays and while it is paused`() async throws {
    let watched = watched()
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    _ = try await watched.picture(Self.cells)
    for (width, height) in [(20, 5), (61, 23)] {
      watched.player.perform(
        .configure(PlayerConfiguration(presentation: .cells(Size(width: width, height: height), .whole))))
      _ = try await watched.picture(Size(width: width, height: height))
      watched.player.perform(.pause)
    }
    #expect(watched.end(1) == nil)
  }

  @Test func `where pixels are wide, a film takes fewer of them`() async throws {
    let watched = watched()
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole, pixelAspect: 2))))
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    let picture = try await watched.picture(Self.cells)
    let middle = picture.size.height / 2
    let seen = (0..<picture.size.width).filter { picture[$0, middle] != .black }
    // As high as the cells, and 16 to 9.
    let width = Double(picture.size.height) * 16 / 9 / 2
    #expect(abs(Double(seen.count) - width) <= 2)
  }

  @Test func `a tall film has black at its sides, and fills the frame where that is wanted`() async throws {
    let watched = watched()
    try watched.load(1, Clips.tall) { $0.isPaused = true }
    let whole = try await watched.picture(Self.cells)
    #expect((0..<24).allSatisfy { whole[0, $0] == .black && whole[39, $0] == .black })
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .filling))))
    try await watched.until { watched in
      guard let picture = watched.player.takeFrame() else { return false }
      return (0..<24).contains { picture[0, $0] != .black } && (0..<24).contains { picture[39, $0] != .black }
    }
  }

  @Test func `a new film takes the place of the old one, which tells nothing more`() async throws {
    let watched = watched()
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    try watched.load(2, Clips.flash)
    try await watched.ready(2)
    let told = watched.news(1).count
    try await watched.expectEnd(2, .reachedEnd)
    #expect(watched.news(1).count == told)
    #expect(watched.end(1) == nil)
  }

  @Test func `stopping ends it, and the next one plays`() async throws {
    let watched = watched()
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    watched.player.perform(.stop)
    try await watched.expectEnd(1, .stopped)
    try watched.load(2, Clips.tall)
    try await watched.ready(2)
  }

  @Test func `only the sound of it, and the picture again`() async throws {
    let watched = watched()
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    watched.player.perform(.configure(PlayerConfiguration(presentation: .soundOnly)))
    try await watched.until { $0.reports.contains(.presentationChanged(.soundOnly)) }
    watched.player.perform(.pause)
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 30, height: 9), .whole))))
    _ = try await watched.picture(Size(width: 30, height: 9))
    try await watched.until {
      $0.reports.last { if case .presentationChanged = $0 { true } else { false } } == .presentationChanged(.cells)
    }
  }

  @Test func `a film that can be neither seen nor heard goes on`() async throws {
    let watched = Watched { $0.soundOutput = "oss" }
    watched.player.perform(.configure(PlayerConfiguration(presentation: .soundOnly)))
    try watched.load(1, Clips.tall)
    try await watched.ready(1)
    try await watched.expectEnd(1, .reachedEnd)
    let times = watched.news(1).compactMap { if case .time(let seconds) = $0 { seconds } else { nil } }
    #expect(times.last ?? 0 > 1)
  }

  @Test func `sound tracks and subtitles take turns, and what is said is told`() async throws {
    let watched = watched()
    try watched.load(1, Clips.rich)
    try await watched.ready(1)
    func chosen(_ kind: MediaTrack.Kind) -> Int? {
      let tracks = watched.news(1).lazy.reversed().compactMap {
        if case .tracks(let tracks) = $0 { tracks } else { nil }
      }.first
      return tracks?.first { $0.kind == kind && $0.isSelected }?.number
    }
    try await watched.until { _ in chosen(.sound) == 1 }
    watched.player.perform(.cycleSoundTracks)
    try await watched.until { _ in chosen(.sound) == 2 }
    if chosen(.subtitles) == nil { watched.player.perform(.cycleSubtitles) }
    try await watched.until { $0.news(1).contains(.subtitle("said here")) }
    watched.player.perform(.cycleSubtitles)
    try await watched.until { _ in chosen(.subtitles) == nil }
  }

  @Test func `a picture is kept in the film's own size, and nothing is written over`() async throws {
    try await withFolder { folder in
      let watched = Watched { $0.pictureFolder = folder }
      watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
      try watched.load(1, Clips.wide) { $0.isPaused = true }
      try await watched.ready(1)
      var paths: [String] = []
      for count in 1...2 {
        watched.player.perform(.takeScreenshot)
        try await watched.until { watched in
          paths = watched.reports.compactMap { if case .screenshotSaved(let path) = $0 { path } else { nil } }
          return paths.count == count
        }
      }
      #expect(Set(paths).count == 2)
      for path in paths {
        let head = try #require(bytes(ofFile: path)).prefix(24)
        #expect(Array(head.suffix(8)) == [0, 0, 1, 64, 0, 0, 0, 180])
      }
      _ = try await watched.picture(Self.cells)
    }
  }

  @Test func `a picture that cannot be kept leaves nothing behind`() async throws {
    let watched = Watched { $0.pictureFolder = "/no/such/folder" }
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    watched.player.perform(.takeScreenshot)
    try await watched.until { $0.reports.contains(.screenshotFailed(reason: "No such file or directory")) }
  }

  @Test func `without a sound device the picture goes on, and that is told`() async throws {
    let watched = Watched { $0.soundOutput = "oss" }
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    try watched.load(1, Clips.wide)
    try await watched.until { $0.news(1).contains(.sound(hasDevice: false)) }
    _ = try await watched.picture(Self.cells)
    try await watched.expectEnd(1, .reachedEnd)
  }

  @Test func `without a display a window is cells again`() async throws {
    let watched = watched()
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    watched.player.perform(.configure(PlayerConfiguration(presentation: .window)))
    try await watched.until { $0.reports.filter { $0 == .presentationChanged(.cells) }.count == 2 }
    #expect(watched.end(1) == nil)
  }

  @Test func `where the display is dead, a film that plays comes back to the cells`() async throws {
    let watched = Watched { $0.windowSystem = "x11egl" }
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    try await watched.until { $0.reports.contains(.presentationChanged(.cells)) }
    watched.player.perform(.configure(PlayerConfiguration(presentation: .window)))
    try await watched.until { $0.reports.filter { $0 == .presentationChanged(.cells) }.count == 2 }
    _ = try await watched.picture(Self.cells)
    #expect(watched.end(1) == nil)
  }

  @Test func `where the display is dead, a film that was to begin in a window says so`() async throws {
    let watched = Watched { $0.windowSystem = "x11egl" }
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    watched.player.perform(.configure(PlayerConfiguration(presentation: .window)))
    try watched.load(1, Clips.tall)
    try await watched.expectEnd(1, .failed(.displayUnavailable))
    try watched.load(2, Clips.tall)
    try await watched.ready(2)
    _ = try await watched.picture(Self.cells)
  }
}
