import FeedfallPlaying
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct SettingsTests {
  @Test func `each change is told at once, and only what has changed`() {
    var session = PlaySession.playing()
    let rows: [(PlayWish, PlayerOrder)] = [
      (.changeVolume(by: -5), .setVolume(95)), (.toggleMute, .setMuted(true)), (.toggleMute, .setMuted(false)),
      (.changeRate(faster: true), .setRate(1.25)), (.changeRate(faster: false), .setRate(1)),
      (.togglePresentation(.window), .setPresentation(.window)),
      (.togglePresentation(.soundOnly), .setPresentation(.soundOnly)),
    ]
    for (wish, order) in rows { #expect(session.perform(wish) == [.order(order)]) }
  }

  @Test func `what is changed before it plays is told when it does`() {
    var session = PlaySession(after: .changeVolume(by: -30), .changeRate(faster: true))
    #expect(
      session.perform(.play(film("a.mp4"))).prefix(3) == [
        .order(.setVolume(70)), .order(.setMuted(false)), .order(.setRate(1.25)),
      ])
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

  @Test func `the rates have ends`() {
    var session = PlaySession.playing()
    let faster = (0..<6).map { _ in session.perform(.changeRate(faster: true)) }
    #expect(faster.flatMap { $0 } == [1.25, 1.5, 2].map { .order(.setRate($0)) })
    let slower = (0..<9).map { _ in session.perform(.changeRate(faster: false)) }
    #expect(slower.flatMap { $0 } == [1.5, 1.25, 1, 0.75, 0.5].map { .order(.setRate($0)) })
  }

  @Test func `the picture is in cells as long as there is room for it`() {
    var session = PlaySession.playing()
    let size = Size(width: 40, height: 11)
    #expect(session.presentation == .soundOnly)
    #expect(session.makeRoom(size) == [.order(.setPresentation(.cells(size, .whole)))])
    #expect(session.makeRoom(size) == [])
    #expect(session.perform(.toggleFit) == [.order(.setPresentation(.cells(size, .filling)))])
    #expect(session.makeRoom(nil) == [.order(.setPresentation(.soundOnly))])
    #expect(session.perform(.togglePresentation(.soundOnly)) == [])
    #expect(session.makeRoom(size) == [])
    #expect(session.perform(.togglePresentation(.soundOnly)) == [.order(.setPresentation(.cells(size, .filling)))])
  }

  @Test func `a picture is kept of what is seen, and the person is told`() {
    var session = PlaySession.playing()
    #expect(session.perform(.takePicture) == [.order(.takePicture)])
    #expect(session.handle(.pictureTaken(path: "/a.png")) == [.tell(.pictureTaken(path: "/a.png"))])
    #expect(session.handle(.pictureNotTaken(reason: "full")) == [.tell(.pictureNotTaken(reason: "full"))])
  }

  @Test func `tracks are cycled where there are any, and the person is told which one it is`() {
    var session = PlaySession.playing()
    #expect(session.perform(.cycleSubtitles) == [.tell(.nothingToCycle(.subtitles))])
    var tracks = [MediaTrack(kind: .sound, number: 1, isSelected: true), MediaTrack(kind: .subtitles, number: 1)]
    #expect(session.hear(.tracks(tracks)) == [])
    #expect(session.perform(.cycleSubtitles) == [.order(.cycleSubtitles)])
    #expect(session.perform(.cycleSoundTracks) == [.tell(.nothingToCycle(.sound))])
    tracks[1].isSelected = true
    #expect(session.hear(.tracks(tracks)) == [.tell(.chose(.subtitles, tracks[1]))])
    tracks[1].isSelected = false
    #expect(session.hear(.tracks(tracks)) == [], "the person asked for nothing")
    tracks[1].isSelected = true
    _ = session.hear(.tracks(tracks))
    #expect(session.perform(.cycleSubtitles) == [.order(.cycleSubtitles)])
    tracks[1].isSelected = false
    #expect(session.hear(.tracks(tracks)) == [.tell(.chose(.subtitles, nil))])
  }

  @Test func `the heights are cycled from where it is`() {
    let film = PlayItem(video([("720.mp4", 720), ("1080.mp4", 1_080), ("360.mp4", 360)]))
    var session = PlaySession.playing(film, at: 20)
    func loading(_ number: Int, _ height: Int) -> [PlayEffect] {
      guard case .order(.load(var request)) = load(number, "\(height).mp4", at: 20) else { return [] }
      request.maximumHeight = height
      return [.tell(.choseHeight(height)), .order(.load(request))]
    }
    #expect(session.perform(.cycleHeight) == loading(2, 360))
    #expect(session.perform(.cycleHeight) == loading(3, 1_080))
    #expect(session.perform(.cycleHeight) == loading(4, 720))
    var single = PlaySession.playing()
    #expect(single.perform(.cycleHeight) == [.tell(.noOtherHeight)])
  }

  @Test func `what is known of sound and picture`() {
    var session = PlaySession.playing().hearing(.sound(hasDevice: false), .loaded(until: 33), .subtitle("Hello"))
    #expect(session.subtitle == "Hello")
    #expect(session.hearing(.subtitle(nil)).subtitle == "")
    #expect(!session.hasSoundDevice)
    #expect(session.loadedUntil == 33)
    _ = session.perform(.play(film("b.mp4")))
    #expect(session.subtitle == "")
    #expect(session.hasSoundDevice)
    #expect(session.loadedUntil == 0)
  }
}
