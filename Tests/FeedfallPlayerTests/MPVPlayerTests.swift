import FeedfallApp
import FeedfallScreen
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

@Suite(.hangLimit, .withMPV, .serialized) struct MPVPlayerTests {
  private static let cells = Size(width: 40, height: 12)

  private func makePlayer(_ form: MPVConfiguration.Form = .library) -> TestPlayer {
    let player = TestPlayer(form)
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    return player
  }

  @Test(.withLibrary) func `a video plays in cells to its end and reports its properties`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.wide) {
      $0.startSeconds = 2.5
      $0.isPaused = true
    }
    try await player.waitUntilReady(1)
    let picture = try await player.frame(Self.cells)
    player.perform(.resume)
    #expect(Set(stride(from: 0, to: picture.bytes.count, by: 3).map { picture.bytes[$0] }).count > 10)
    try await player.expectEnd(1, .reachedEnd)
    let events = player.events(1)
    #expect(events.contains(.pictureSize(Size(width: 320, height: 180))))
    #expect(events.contains(.length(.stated(4))))
    #expect(player.reports.contains(.presentationChanged(.cells)))
    #expect(!events.contains(.sound(hasDevice: false)))
    let times = events.compactMap { if case .time(let seconds) = $0 { seconds } else { nil } }
    #expect(times.allSatisfy { $0 >= 2.4 })
    #expect(try #require(times.last) > 3.5)
    #expect(events.first == .paused(false) || events.contains(.ready))
  }

  @Test func `the program plays the sound of a video in the terminal`() async throws {
    let player = makePlayer(.program)
    try player.load(1, Clips.wide)
    try await player.expectEnd(1, .reachedEnd)
    #expect(player.reports.contains(.presentationChanged(.soundOnly)))
    #expect(player.events(1).contains(.length(.stated(4))) && !player.events(1).contains(.sound(hasDevice: false)))
    #expect(player.dequeueFrame() == nil)
  }

  @Test(.withLibrary) func `the last frame is available after the end`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.tall)
    try await player.expectEnd(1, .reachedEnd)
    _ = try await player.frame(Self.cells)
  }

  @Test(arguments: Clips.forms) func `a video starts paused on request, resumes and pauses`(form: MPVConfiguration.Form)
    async throws
  {
    let player = makePlayer(form)
    try player.load(1, Clips.long) { $0.isPaused = true }
    try await player.waitUntilReady(1)
    #expect(player.time(1) ?? 0 < 0.5)
    player.perform(.resume)
    try await player.waitUntil { $0.events(1).contains(.paused(false)) && ($0.time(1) ?? 0) > 0.5 }
    player.perform(.pause)
    try await player.waitUntil { $0.events(1).last { if case .paused = $0 { true } else { false } } == .paused(true) }
  }

  @Test(arguments: Clips.forms) func `seeking is exact`(form: MPVConfiguration.Form) async throws {
    let player = makePlayer(form)
    try player.load(1, Clips.wide) { $0.isPaused = true }
    try await player.waitUntilReady(1)
    player.perform(.seek(to: 3))
    try await player.waitUntil { $0.events(1).contains(.seekCompleted) }
    #expect(abs(try #require(player.time(1)) - 3) < 0.05)
  }

  @Test(.withLibrary) func `a seek before the video is ready is done when it is ready`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.wide) { $0.isPaused = true }
    player.perform(.seek(to: 2))
    try await player.waitUntil { $0.events(1).contains(.seekCompleted) }
    #expect(abs(try #require(player.time(1)) - 2) < 0.05)
  }

  @Test(.withLibrary) func `frames follow the size of the cells, also while paused`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    _ = try await player.frame(Self.cells)
    for (width, height) in [(20, 5), (61, 23)] {
      player.perform(
        .configure(PlayerConfiguration(presentation: .cells(Size(width: width, height: height), .whole))))
      _ = try await player.frame(Size(width: width, height: height))
      player.perform(.pause)
    }
    #expect(player.end(1) == nil)
  }

  @Test(.withLibrary) func `wide pixels make the picture narrower`() async throws {
    let player = makePlayer()
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole, pixelAspect: 2))))
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    let picture = try await player.frame(Self.cells)
    let middle = picture.size.height / 2
    let columns = (0..<picture.size.width).filter { picture[$0, middle] != .black }
    // As high as the cells, with an aspect ratio of 16:9.
    let width = Double(picture.size.height) * 16 / 9
    #expect(abs(Double(columns.count) - width) <= 2)
  }

  @Test(.withLibrary) func `a tall video has black bars, and fills the frame on request`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.tall) { $0.isPaused = true }
    let whole = try await player.frame(Self.cells)
    let last = whole.size.width - 1
    #expect((0..<24).allSatisfy { whole[0, $0] == .black && whole[last, $0] == .black })
    try await player.waitUntilContentIsExact(whole)
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .filling))))
    try await player.waitUntil { player in
      guard let picture = player.dequeueFrame() else { return false }
      return (0..<24).contains { picture[0, $0] != .black } && (0..<24).contains { picture[last, $0] != .black }
    }
  }

  @Test(.withLibrary) func `frames have the requested number of pixels, also while paused`() async throws {
    let player = TestPlayer()
    for (width, height) in [(720, 432), (333, 201), (20, 90), (1920, 1080)] {
      let size = Size(width: width, height: height)
      player.perform(.configure(PlayerConfiguration(presentation: .pixels(size, .whole))))
      if player.events(1).isEmpty {
        try player.load(1, Clips.long)
        try await player.waitUntilReady(1)
      }
      let picture = try await player.frame(pixels: size)
      #expect(picture[width / 2, height / 2] != .black)
      try await player.waitUntilContentIsExact(picture)
      // The video is 16:9.
      let bar = width * 9 < height * 16 ? picture[width / 2, 0] : picture[0, height / 2]
      #expect(abs(width * 9 - height * 16) < 16 || bar == .black)
      player.perform(.pause)
    }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    _ = try await player.frame(Self.cells)
    #expect(player.end(1) == nil)
  }

  @Test(.withLibrary) func `subtitles are drawn into pixels, not into cells`() async throws {
    let player = TestPlayer()
    let pixels = PlayerConfiguration(presentation: .pixels(Size(width: 320, height: 180), .whole))
    let cells = PlayerConfiguration(presentation: .cells(Size(width: 160, height: 90), .whole))
    player.perform(.configure(pixels))
    try player.load(1, Clips.rich)
    try await player.waitUntilReady(1)
    func isSelected(_ kind: MediaTrack.Kind) -> Bool {
      let tracks = player.events(1).compactMap { if case .tracks(let tracks) = $0 { tracks } else { nil } }.last
      return tracks?.contains { $0.kind == kind && $0.isSelected } == true
    }
    try await player.waitUntil { _ in isSelected(.sound) }
    if !isSelected(.subtitles) { player.perform(.cycleSubtitles) }
    // The clip itself has bright colors there, but nothing that is nearly white.
    func hasText(_ picture: PixelBuffer) -> Bool {
      let places = (120..<180).flatMap { y in (0..<320).map { Point(x: $0, y: y) } }
      return places.count { min(picture[$0.x, $0.y].red, picture[$0.x, $0.y].green, picture[$0.x, $0.y].blue) > 200 }
        > 50
    }
    for (configuration, hasWrittenText) in [(pixels, true), (cells, false), (pixels, true)] {
      player.perform(.configure(configuration))
      try await player.waitUntil { $0.dequeueFrame().map(hasText) == hasWrittenText }
    }
    #expect(player.events(1).contains(.subtitle("spoken text")))
  }

  @Test(.withLibrary) func `after a load, the previous video sends no events`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    try player.load(2, Clips.flash)
    try await player.waitUntilReady(2)
    let count = player.events(1).count
    try await player.expectEnd(2, .reachedEnd)
    #expect(player.events(1).count == count)
    #expect(player.end(1) == nil)
  }

  @Test(.withLibrary) func `after a stop, the next video plays`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    player.perform(.stop)
    try await player.expectEnd(1, .stopped)
    try player.load(2, Clips.tall)
    try await player.waitUntilReady(2)
  }

  @Test(.withLibrary) func `a video switches to sound only and back to cells`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    player.perform(.configure(PlayerConfiguration(presentation: .soundOnly)))
    try await player.waitUntil { $0.reports.contains(.presentationChanged(.soundOnly)) }
    player.perform(.pause)
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 30, height: 9), .whole))))
    _ = try await player.frame(Size(width: 30, height: 9))
    try await player.waitUntil {
      $0.reports.last { if case .presentationChanged = $0 { true } else { false } } == .presentationChanged(.cells)
    }
  }

  @Test(.withLibrary) func `a video without picture and sound output plays to its end`() async throws {
    let player = TestPlayer { $0.soundOutput = "oss" }
    player.perform(.configure(PlayerConfiguration(presentation: .soundOnly)))
    try player.load(1, Clips.tall)
    try await player.waitUntilReady(1)
    try await player.expectEnd(1, .reachedEnd)
    let times = player.events(1).compactMap { if case .time(let seconds) = $0 { seconds } else { nil } }
    #expect(times.last ?? 0 > 1)
  }

  @Test(.withLibrary) func `without seeking and sound output, hiding the picture continues playback`() async throws {
    let pipe = "\(Clips.wide).pipe"
    mkfifo(pipe, 0o600)
    _ = system("cat '\(Clips.wide)' >'\(pipe)' &")
    let player = TestPlayer { $0.soundOutput = "oss" }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 30, height: 9), .whole))))
    try player.load(1, pipe)
    try await player.waitUntilReady(1)
    player.perform(.configure(PlayerConfiguration(presentation: .soundOnly)))
    try await player.expectEnd(1, .reachedEnd)
    let times = player.events(1).compactMap { if case .time(let seconds) = $0 { seconds } else { nil } }
    #expect(times.last ?? 0 > 3)
  }

  @Test(.withLibrary) func `sound tracks and subtitles are cycled, and subtitles reported`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.rich)
    try await player.waitUntilReady(1)
    func selected(_ kind: MediaTrack.Kind) -> Int? {
      let tracks = player.events(1).lazy.reversed().compactMap {
        if case .tracks(let tracks) = $0 { tracks } else { nil }
      }.first
      return tracks?.first { $0.kind == kind && $0.isSelected }?.number
    }
    try await player.waitUntil { _ in selected(.sound) == 1 }
    player.perform(.cycleSoundTracks)
    try await player.waitUntil { _ in selected(.sound) == 2 }
    if selected(.subtitles) == nil { player.perform(.cycleSubtitles) }
    try await player.waitUntil { $0.events(1).contains(.subtitle("spoken text")) }
    player.perform(.cycleSubtitles)
    try await player.waitUntil { _ in selected(.subtitles) == nil }
  }

  @Test(.withLibrary) func `screenshots have the size of the file and never overwrite one`() async throws {
    try await withFolder { folder in
      let player = TestPlayer { $0.screenshotFolder = folder }
      player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
      try player.load(1, Clips.wide) { $0.isPaused = true }
      try await player.waitUntilReady(1)
      var paths: [String] = []
      for count in 1...2 {
        player.perform(.takeScreenshot)
        try await player.waitUntil { player in
          paths = player.reports.compactMap { if case .screenshotSaved(let path) = $0 { path } else { nil } }
          return paths.count == count
        }
      }
      #expect(Set(paths).count == 2)
      for path in paths {
        let head = try #require(bytes(ofFile: path)).prefix(24)
        #expect(Array(head.suffix(8)) == [0, 0, 1, 64, 0, 0, 0, 180])
      }
      _ = try await player.frame(Self.cells)
    }
  }

  @Test(.withLibrary) func `a screenshot of pixels has the size of the file`() async throws {
    try await withFolder { folder in
      let player = TestPlayer { $0.screenshotFolder = folder }
      let size = Size(width: 720, height: 432)
      player.perform(.configure(PlayerConfiguration(presentation: .pixels(size, .filling))))
      try player.load(1, Clips.wide) { $0.isPaused = true }
      try await player.waitUntilReady(1)
      player.perform(.takeScreenshot)
      var path: String?
      try await player.waitUntil { player in
        path = player.reports.lazy.compactMap { if case .screenshotSaved(let path) = $0 { path } else { nil } }.first
        return path != nil
      }
      let head = try #require(path.flatMap { bytes(ofFile: $0) }).prefix(24)
      #expect(Array(head.suffix(8)) == [0, 0, 1, 64, 0, 0, 0, 180])
      _ = try await player.frame(pixels: size)
    }
  }

  @Test(.withLibrary) func `pixels switch to sound only and back while paused`() async throws {
    let player = TestPlayer()
    let pixels = Presentation.pixels(Size(width: 320, height: 180), .whole)
    player.perform(.configure(PlayerConfiguration(presentation: pixels)))
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    _ = try await player.frame(pixels: Size(width: 320, height: 180))
    player.perform(.configure(PlayerConfiguration(presentation: .soundOnly)))
    try await player.waitUntil { $0.reports.contains(.presentationChanged(.soundOnly)) }
    player.perform(.pause)
    while player.dequeueFrame() != nil {}
    player.perform(.configure(PlayerConfiguration(presentation: pixels)))
    _ = try await player.frame(pixels: Size(width: 320, height: 180))
    #expect(player.end(1) == nil)
  }

  @Test(.withLibrary) func `a screenshot in a missing folder reports why it failed`() async throws {
    let player = TestPlayer { $0.screenshotFolder = "/no/such/folder" }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    player.perform(.takeScreenshot)
    try await player.waitUntil { $0.reports.contains(.screenshotFailed(reason: "No such file or directory")) }
  }

  @Test(.withLibrary) func `without a sound device the picture plays and the lack is reported`() async throws {
    let player = TestPlayer { $0.soundOutput = "oss" }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    try player.load(1, Clips.wide)
    try await player.waitUntil { $0.events(1).contains(.sound(hasDevice: false)) }
    _ = try await player.frame(Self.cells)
    try await player.expectEnd(1, .reachedEnd)
  }

  @Test(.withLibrary) func `without a display, a window falls back to cells`() async throws {
    let player = makePlayer()
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    player.perform(.configure(PlayerConfiguration(presentation: .window)))
    try await player.waitUntil { $0.reports.filter { $0 == .presentationChanged(.cells) }.count == 2 }
    #expect(player.end(1) == nil)
  }

  @Test(arguments: Clips.forms) func `if the display cannot be opened, a playing video returns to the terminal`(
    form: MPVConfiguration.Form
  ) async throws {
    let kind: Presentation.Kind = form == .library ? .cells : .soundOnly
    let player = TestPlayer(form) { $0.windowSystem = "x11egl" }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    try await player.waitUntil { $0.reports.contains(.presentationChanged(kind)) }
    player.perform(.configure(PlayerConfiguration(presentation: .window)))
    try await player.waitUntil { $0.reports.filter { $0 == .presentationChanged(kind) }.count == 2 }
    if form == .library { _ = try await player.frame(Self.cells) }
    #expect(player.end(1) == nil)
  }

  @Test(arguments: Clips.forms) func `if the display cannot be opened, a load in a window fails`(
    form: MPVConfiguration.Form
  ) async throws {
    let player = TestPlayer(form) { $0.windowSystem = "x11egl" }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    player.perform(.configure(PlayerConfiguration(presentation: .window)))
    try player.load(1, Clips.tall)
    try await player.expectEnd(1, .failed(.displayUnavailable))
    try player.load(2, Clips.tall)
    try await player.waitUntilReady(2)
    if form == .library { _ = try await player.frame(Self.cells) }
  }
}
