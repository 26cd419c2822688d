import FeedfallApp
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct PlaySessionSettingsTests {
  @Test func `each change sends the whole configuration at once`() {
    var session = PlaySession.playing()
    var expected = PlayerConfiguration()
    let rows: [(PlayCommand, (inout PlayerConfiguration) -> Void)] = [
      (.changeVolume(by: -5), { $0.volume = 95 }), (.toggleMute, { $0.isMuted = true }),
      (.toggleMute, { $0.isMuted = false }), (.changeRate(faster: true), { $0.rate = 1.25 }),
      (.changeRate(faster: false), { $0.rate = 1 }), (.togglePresentation(.window), { $0.presentation = .window }),
      (.togglePresentation(.soundOnly), { $0.presentation = .soundOnly }),
      (.setPresentation(.window), { $0.presentation = .window }),
      // The second press returns to the presentation of the option.
      (.togglePresentation(.soundOnly), { $0.presentation = .soundOnly }),
      (.togglePresentation(.soundOnly), { $0.presentation = .window }),
    ]
    for (command, change) in rows {
      change(&expected)
      #expect(session.perform(command) == [.order(.configure(expected))])
    }
  }

  @Test func `changes before playback are sent with the first load`() {
    var session = PlaySession()
    #expect(session.perform(.changeVolume(by: -30)) == [])
    #expect(session.perform(.changeRate(faster: true)) == [])
    #expect(
      session.perform(.play(playItem("a.mp4")))
        == [.order(.configure(PlayerConfiguration(volume: 70, rate: 1.25))), load(1, "a.mp4")])
  }

  @Test func `volume and brightness stay between 0 and 100`() {
    var session = PlaySession.playing()
    #expect(session.perform(.changeVolume(by: .max)) == [])
    _ = session.perform(.changeVolume(by: .min))
    #expect(session.settings.volume == 0)
    #expect(session.perform(.changeBrightness(by: 70)) == [])
    #expect(session.settings.brightness == 100)
    _ = session.perform(.changeBrightness(by: -101))
    #expect(session.settings.brightness == 0)
  }

  @Test func `rates stop at 0.5 and 2`() {
    var session = PlaySession.playing()
    let faster = (0..<6).map { _ in session.perform(.changeRate(faster: true)) }
    #expect(faster.flatMap { $0 } == [1.25, 1.5, 2].map { .order(.configure(PlayerConfiguration(rate: $0))) })
    let slower = (0..<9).map { _ in session.perform(.changeRate(faster: false)) }
    #expect(
      slower.flatMap { $0 } == [1.5, 1.25, 1, 0.75, 0.5].map { .order(.configure(PlayerConfiguration(rate: $0))) })
  }

  @Test func `the picture is shown in cells while there are cells for it`() {
    var session = PlaySession.playing()
    let size = Size(width: 40, height: 11)
    #expect(session.presentation == .soundOnly)
    #expect(
      session.resizeVideo(to: size) == [.order(.configure(PlayerConfiguration(presentation: .cells(size, .whole))))])
    #expect(session.resizeVideo(to: size) == [])
    #expect(
      session.perform(.toggleFit) == [.order(.configure(PlayerConfiguration(presentation: .cells(size, .filling))))])
    #expect(session.resizeVideo(to: nil) == [.order(.configure(PlayerConfiguration(presentation: .soundOnly)))])
    #expect(session.perform(.togglePresentation(.soundOnly)) == [])
    #expect(session.resizeVideo(to: size) == [])
    #expect(
      session.perform(.togglePresentation(.soundOnly)) == [
        .order(.configure(PlayerConfiguration(presentation: .cells(size, .filling))))
      ])
  }

  @Test func `a screenshot is ordered, and its result shown`() {
    var session = PlaySession.playing()
    #expect(session.perform(.takeScreenshot) == [.show(.noPicture)])
    _ = session.resizeVideo(to: Size(width: 40, height: 12))
    #expect(session.perform(.takeScreenshot) == [.order(.takeScreenshot)])
    #expect(session.handle(.screenshotSaved(path: "/a.png")) == [.show(.screenshotSaved(path: "/a.png"))])
    #expect(session.handle(.screenshotFailed(reason: "full")) == [.show(.screenshotFailed(reason: "full"))])
  }

  @Test func `cycling shows the new track, and a video without tracks says so`() {
    var session = PlaySession.playing()
    #expect(session.perform(.cycleSubtitles) == [.show(.noOtherTrack(.subtitles))])
    var tracks = [MediaTrack(kind: .sound, number: 1, isSelected: true), MediaTrack(kind: .subtitles, number: 1)]
    #expect(session.receive(.tracks(tracks)) == [])
    #expect(session.perform(.cycleSubtitles) == [.order(.cycleSubtitles)])
    #expect(session.perform(.cycleSoundTracks) == [.show(.noOtherTrack(.sound))])
    tracks[1].isSelected = true
    #expect(session.receive(.tracks(tracks)) == [.show(.trackChanged(.subtitles, tracks[1]))])
    tracks[1].isSelected = false
    #expect(session.receive(.tracks(tracks)) == [], "not cycled by the user")
    tracks[1].isSelected = true
    _ = session.receive(.tracks(tracks))
    #expect(session.perform(.cycleSubtitles) == [.order(.cycleSubtitles)])
    tracks[1].isSelected = false
    #expect(session.receive(.tracks(tracks)) == [.show(.trackChanged(.subtitles, nil))])
  }

  @Test func `cycling the height reloads at the current position`() {
    let sample = PlayItem(video([("720.mp4", 720), ("1080.mp4", 1_080), ("360.mp4", 360)]))
    var session = PlaySession.playing(sample, at: 20)
    func loading(_ number: Int, _ height: Int) -> [PlaySession.Effect] {
      guard case .order(.load(var request)) = load(number, "\(height).mp4", at: 20) else { return [] }
      request.maximumHeight = height
      return [.show(.heightChanged(height)), .order(.load(request))]
    }
    #expect(session.perform(.cycleHeight) == loading(2, 360))
    #expect(session.perform(.cycleHeight) == loading(3, 1_080))
    #expect(session.perform(.cycleHeight) == loading(4, 720))
    var single = PlaySession.playing()
    #expect(single.perform(.cycleHeight) == [.show(.noOtherHeight)])
  }

  @Test func `the next load resets subtitle, sound device and buffer`() {
    var session = PlaySession.playing().receiving(.sound(hasDevice: false), .buffered(until: 33), .subtitle("Hello"))
    #expect(session.file.subtitle == "Hello")
    #expect(session.receiving(.subtitle(nil)).file.subtitle == "")
    #expect(!session.file.hasSoundDevice)
    #expect(session.file.bufferedUntil == 33)
    _ = session.perform(.play(playItem("b.mp4")))
    #expect(session.file.subtitle == "")
    #expect(session.file.hasSoundDevice)
    #expect(session.file.bufferedUntil == 0)
  }
}
