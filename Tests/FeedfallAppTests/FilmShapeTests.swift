import FeedfallFeeds
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

private let cellSize = Size(width: 8, height: 16)

/// The width of a size in cells divided by its height, in pixels.
private func aspect(_ size: Size) -> Double {
  Double(size.width * cellSize.width) / Double(max(1, size.height * cellSize.height))
}

@Suite(.hangLimit) struct FilmShapeTests {
  @Test func `reports in any order change the proportions once for each pause, and the last one counts`() {
    var chances = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      var (shape, tickets) = (FilmShape(), TicketOffice(number: 9))
      var (waits, old): ([Ticket], [Ticket]) = ([], [])
      var last: Size?
      for _ in 0..<60 {
        let before = shape.aspect
        switch Int.random(in: 0..<5, using: &chances) {
        case 0:
          guard let wait = waits.popLast() else { break }
          shape.pauseElapsed(wait)
          old.append(wait)
        case 1:
          if let wait = old.randomElement(using: &chances) { shape.pauseElapsed(wait) }
        case 2 where Int.random(in: 0..<4, using: &chances) == 0:
          #expect(shape.reset() == waits.map(AppEffect.cancel))
          old += waits
          (waits, last) = ([], nil)
          #expect(shape.aspect == nil)
          continue
        default:
          last = Size(
            width: Int.random(in: 0...4_000, using: &chances), height: Int.random(in: 0...4_000, using: &chances))
        }
        let hadWait = !waits.isEmpty
        for effect in shape.update(last, &tickets) {
          guard case .wait(let time, .filmShape(let ticket)) = effect else { continue }
          #expect(time == .seconds(1))
          waits.append(ticket)
        }
        #expect(waits.count <= 1 && (!hadWait || shape.aspect == before))
        if let aspect = shape.aspect { #expect((0.4...4).contains(aspect)) }
      }
      while let wait = waits.popLast() {
        shape.pauseElapsed(wait)
        for case .wait(_, .filmShape(let ticket)) in shape.update(last, &tickets) { waits.append(ticket) }
      }
      if let last { #expect(abs((shape.aspect ?? 0) / FilmShape.aspect(of: last) - 1) < 0.02) }
    }
  }
}

@Suite(.hangLimit) struct CornerTests {
  /// A program whose first video, in a picture of this size, plays in the corner.
  private func inCorner(_ picture: Size, width: Int = 120, height: Int = 40) -> Scenario {
    var scenario = Scenario.playing(width: width, height: height)
    scenario.report(.pictureSize(picture))
    return scenario.typing("P")
  }

  @Test func `a portrait film in the corner is as narrow as its picture, and at the same corner`() throws {
    let usual = try #require(inCorner(Size(width: 640, height: 360)).state.draw().video?.frame)
    let portrait = try #require(inCorner(Size(width: 360, height: 640)).state.draw().video?.frame)
    #expect(portrait.width < usual.width / 2 && portrait.height == usual.height)
    #expect(portrait.maxX == usual.maxX && portrait.maxY == usual.maxY)
    #expect(abs(aspect(portrait.size) - 9.0 / 16) < 0.06)
    let wide = try #require(inCorner(Size(width: 1_280, height: 534)).state.draw().video?.frame)
    #expect(wide.width == usual.width && wide.height < usual.height && wide.maxY == usual.maxY)
  }

  @Test func `a film of any size stays within the usual corner, and the player has the same room`() throws {
    var chances = SeededGenerator(seed: 6)
    for _ in 0..<40 {
      let window = (Int.random(in: 60...240, using: &chances), Int.random(in: 16...70, using: &chances))
      let usual = inCorner(Size(width: 640, height: 360), width: window.0, height: window.1).state.corner
      for _ in 0..<4 {
        let size = Size(
          width: Int.random(in: 1...5_000, using: &chances), height: Int.random(in: 1...5_000, using: &chances))
        let scenario = inCorner(size, width: window.0, height: window.1)
        #expect((scenario.state.corner == nil) == (usual == nil))
        guard let usual, let corner = scenario.state.corner else { continue }
        #expect(usual.intersection(corner) == corner && corner.width >= 4 && corner.height >= 2)
        #expect(scenario.state.draw().video?.frame == corner)
        guard case .cells(let cells, _, _) = scenario.configurations.last?.presentation else {
          Issue.record("no picture")
          continue
        }
        #expect(cells == corner.size)
      }
    }
  }

  @Test func `a stream that changes its size is laid out at most once a second`() throws {
    var scenario = inCorner(Size(width: 360, height: 640))
    let first = try #require(scenario.state.corner)
    let count = scenario.configurations.count
    for number in 0..<50 {
      scenario.report(.pictureSize(Size(width: number.isMultiple(of: 2) ? 640 : 360, height: 480)))
      scenario.report(.pictureSize(nil))
    }
    scenario.report(.pictureSize(Size(width: 1_920, height: 1_080)))
    #expect(scenario.state.corner == first && scenario.configurations.count == count)
    scenario.endFilmPause()
    #expect(scenario.configurations.count == count + 1)
    #expect(abs(aspect(try #require(scenario.state.corner).size) - 16.0 / 9) < 0.1)
    // A sharper picture of the same film changes nothing.
    scenario.endFilmPause()
    scenario.report(.pictureSize(Size(width: 854, height: 480)))
    #expect(scenario.configurations.count == count + 1 && scenario.filmPause == nil)
  }

  @Test func `until the film is loaded, the corner has the proportions of its card`() throws {
    var video = sampleVideo(0)
    video.pictureSize = PixelSize(width: 360, height: 640)
    let scenario = Scenario.showing([video] + sampleVideos(9, from: 1), width: 120, height: 40).typing(" P")
    let corner = try #require(scenario.state.corner)
    #expect(abs(aspect(corner.size) - 9.0 / 16) < 0.06)
  }

  @Test func `picture-in-picture without libmpv reports why there is no picture`() {
    var scenario = inCorner(Size(width: 640, height: 360), width: 200).typing("P")
    scenario.handle(.player(.libraryUnusable(.missing)))
    #expect(!scenario.screen.contains("libmpv is not installed"))
    scenario.type("P")
    #expect(scenario.screen.contains("Could not show the picture: libmpv is not installed."))
  }

  @Test func `a picture that moves to the corner without libmpv reports why there is none`() {
    var scenario = Scenario.playing(width: 200, height: 40)
    scenario.handle(.player(.libraryUnusable(.failing)))
    scenario.type("P")
    #expect(scenario.state.details == nil)
    #expect(scenario.screen.contains("Could not show the picture: libmpv has failed repeatedly."))
  }

  @Test func `a click on the film in the corner shows its video`() throws {
    var scenario = inCorner(Size(width: 640, height: 360))
    let corner = try #require(scenario.state.corner)
    #expect(scenario.state.details == nil)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: corner.midX, y: corner.midY)))))
    #expect(scenario.state.details != nil)
  }

  @Test func `the film leaves the corner without a pending pause`() {
    var scenario = inCorner(Size(width: 360, height: 640))
    #expect(scenario.filmPause != nil)
    scenario.type("P")
    #expect(scenario.filmPause == nil && scenario.state.corner == nil)
  }
}

@Suite(.hangLimit) struct PreviewShapeTests {
  /// A program that previews a video in its cover, with a picture of this size.
  private func previewing(_ picture: Size, cover: PixelSize?) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.previews.policy = .always
    settings.videoOutput = .pixels
    var scenario = Scenario(settings, width: 120, height: 40)
    var video = sampleVideo(0)
    video.pictureSize = cover
    scenario.answer(FeedPage(videos: [video] + sampleVideos(9, from: 1), next: nil))
    if let wait = scenario.openWaits.last(where: { if case .preview = $0 { true } else { false } }) {
      scenario.end(wait)
    }
    scenario.report(.duration(seconds: 100), .pictureSize(picture), .ready, .time(seconds: 7))
    return scenario
  }

  @Test func `a portrait film in a wide cover has its own proportions in the middle`() throws {
    let scenario = previewing(Size(width: 360, height: 640), cover: PixelSize(width: 1_600, height: 900))
    let cover = try #require(scenario.state.preview.place).cover
    let film = try #require(scenario.state.draw().video?.frame)
    #expect(film.height == cover.height && film.width < cover.width / 2)
    #expect(abs(film.midX - cover.midX) <= 1 && cover.intersection(film) == film)
    #expect(
      scenario.configurations.last?.presentation
        == .pixels(Size(width: film.width * 8, height: film.height * 16), .filling))
    let count = scenario.configurations.count
    var changed = scenario
    changed.report(.pictureSize(Size(width: 640, height: 360)), .time(seconds: 8))
    #expect(changed.configurations.count == count && changed.state.draw().video?.frame == film)
  }

  @Test func `a wide film in a portrait cover is not cropped`() throws {
    let scenario = previewing(Size(width: 640, height: 360), cover: PixelSize(width: 600, height: 900))
    let cover = try #require(scenario.state.preview.place).cover
    let film = try #require(scenario.state.draw().video?.frame)
    #expect(film.width == cover.width && film.height < cover.height)
  }

  @Test func `a film nearly of its cover's proportions fills it`() throws {
    let scenario = previewing(Size(width: 1_000, height: 540), cover: PixelSize(width: 1_600, height: 900))
    #expect(scenario.state.draw().video?.frame == (try #require(scenario.state.preview.place)).cover)
  }
}

@Suite(.hangLimit) struct DetailsCoverTests {
  @Test func `details that name another size do not move the text below the cover`() throws {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)], width: 120, height: 40).typing("<Enter>")
    let before = try #require(scenario.state.detailsView?.coverSize)
    var video = sampleVideo(0)
    video.pictureSize = PixelSize(width: 360, height: 640)
    scenario.answerDetails(.success(video))
    #expect(scenario.state.detailsView?.coverSize == before)
  }

  @Test func `the cover in the details has the proportions of the card`() throws {
    var video = sampleVideo(0)
    video.pictureSize = PixelSize(width: 360, height: 640)
    let scenario = Scenario.showing([video], width: 120, height: 40).typing("<Enter>")
    let size = try #require(scenario.state.detailsView?.coverSize)
    #expect(abs(aspect(size) - 9.0 / 16) < 0.06)
  }
}

extension Scenario {
  fileprivate var configurations: [PlayerConfiguration] {
    effects.compactMap { if case .player(.configure(let configuration)) = $0 { configuration } else { nil } }
  }

  fileprivate var filmPause: Wait? {
    openWaits.last { if case .filmShape = $0 { true } else { false } }
  }

  fileprivate mutating func endFilmPause() {
    guard let wait = filmPause else { return }
    end(wait)
  }
}
