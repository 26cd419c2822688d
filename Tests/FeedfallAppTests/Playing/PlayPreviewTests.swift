import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct PlayPreviewTests {
  private static let size = Size(width: 200, height: 100)
  private static let presentation = Presentation.pixels(size, .filling)
  private static let muted = PlayerConfiguration(isMuted: true, presentation: presentation)
  private let item = PlayItem(video([("high.mp4", 1080), ("low.mp4", 360), ("middle.mp4", 720)]))

  private func request(_ number: Int, _ name: String = "low.mp4", height: Int = 360, at seconds: Double = 0)
    -> PlayRequest
  {
    var request = PlayRequest(id: PlayID(number), address: address(name), title: "A video")
    (request.maximumHeight, request.byteLimit, request.startSeconds) = (height, 1_000, seconds)
    return request
  }

  /// A preview of a session, and its first orders.
  private func start(_ item: PlayItem? = nil, of session: PlaySession = PlaySession()) -> (PlayPreview, [PlayerOrder]) {
    var preview = PlayPreview(of: session)
    let orders = preview.start(item ?? self.item, frameSize: Self.size, fit: .filling, byteLimit: 1_000)
    return (preview, orders)
  }

  /// A preview that shows a picture.
  private func playing(_ item: PlayItem? = nil, of session: PlaySession = PlaySession(), at seconds: Double = 0)
    -> PlayPreview
  {
    var (preview, _) = start(item, of: session)
    for event in [
      PlayEvent.duration(seconds: 100), .pictureSize(Size(width: 640, height: 360)), .ready, .time(seconds: seconds),
    ] { _ = report(event, to: &preview) }
    return preview
  }

  private func report(_ event: PlayEvent, to preview: inout PlayPreview) -> [PlayerOrder] {
    preview.handle(.event(preview.session.currentID ?? PlayID(0), event))
  }

  @Test func `a preview is muted, limited, and has the lowest resolution`() {
    let (preview, orders) = start()
    #expect(orders == [.configure(Self.muted), .load(request(1))])
    #expect(preview.session.isUnderWay && !preview.hasPicture)
    let (_, unknown) = start(playItem("a.mp4"))
    #expect(unknown.last == .load(request(1, "a.mp4", height: 240)))
  }

  @Test func `a preview starts where the user stopped`() {
    let (_, orders) = start(PlayItem(video([("low.mp4", 360)]), startSeconds: 30))
    #expect(orders.last == .load(request(1, at: 30)))
  }

  @Test func `a preview ends after 20 s of the video and stores nothing`() {
    var preview = playing()
    #expect(preview.hasPicture)
    #expect(report(.time(seconds: 19.9), to: &preview) == [])
    #expect(report(.time(seconds: 20), to: &preview) == [.stop])
    #expect(!preview.session.isUnderWay && !preview.hasPicture)
    #expect(report(.time(seconds: 21), to: &preview) == [])
  }

  @Test func `a server that does not support seeking ends the preview after 20 s too`() {
    var preview = playing(PlayItem(video([("low.mp4", 360)]), startSeconds: 30), at: 0.1)
    #expect(report(.time(seconds: 20), to: &preview) == [])
    #expect(report(.time(seconds: 20.1), to: &preview) == [.stop])
    var seeking = playing(PlayItem(video([("low.mp4", 360)]), startSeconds: 30), at: 30)
    #expect(report(.time(seconds: 49.9), to: &seeking) == [])
    #expect(report(.time(seconds: 50), to: &seeking) == [.stop])
  }

  @Test(arguments: [
    PlayEvent.ended(.failed(.timedOut)), .ended(.reachedEnd), .ended(.stopped), .ended(.reachedLimit),
  ])
  func `a preview that fails or ends orders nothing`(event: PlayEvent) {
    var (preview, _) = start()
    #expect(report(event, to: &preview) == [])
    #expect(!preview.session.isUnderWay)
  }

  @Test func `a preview tries the next address`() {
    var (preview, _) = start()
    let orders = report(.ended(.failed(.http(status: 404))), to: &preview)
    #expect(orders == [.load(request(2, "middle.mp4"))])
  }

  @Test func `a preview without libmpv or without a picture stops`() {
    var (coarse, _) = start()
    #expect(coarse.handle(.libraryUnusable(.missing)).last == .stop)
    var sound = playing()
    #expect(
      report(.tracks([MediaTrack(kind: .sound, number: 1), MediaTrack(kind: .picture, number: 1)]), to: &sound) == [])
    #expect(report(.tracks([MediaTrack(kind: .sound, number: 1)]), to: &sound) == [.stop])
  }

  @Test func `a preview plays on as a video with the user's settings`() {
    var settings = PlaySettings()
    settings.maximumHeight = 360
    var session = PlaySession(settings: settings)
    let preview = playing(of: session, at: 12)
    #expect(
      session.adopt(preview, as: item) == [.order(.configure(PlayerConfiguration())), .order(.liftLimit)])
    #expect(session.isUnderWay && session.shownTime == 12 && session.settings == settings)
    #expect(session.handle(.event(PlayID(1), .time(seconds: 45))) == [.savePosition])
    #expect(session.perform(.stop) == [.leaveFullWindow, .order(.stop)])
  }

  @Test func `a preview of another file than the user's settings select is loaded again at its position`() {
    var session = PlaySession()
    let preview = playing(of: session, at: 12.5)
    #expect(
      session.adopt(preview, as: item) == [.order(.configure(PlayerConfiguration())), load(2, "high.mp4", at: 12.5)])
    #expect(session.isUnderWay && session.shownTime == 12.5)
    #expect(session.handle(.event(PlayID(1), .time(seconds: 13))) == [])
    _ = session.receive(.duration(seconds: 100), .ready, .time(seconds: 12.6))
    #expect(session.perform(.stop).contains(.savePosition) && session.savedPosition?.seconds == 12)
  }

  @Test(arguments: ["list.m3u8", "list.mpd?key=1"])
  func `a preview of several streams is loaded again`(name: String) {
    var session = PlaySession()
    let item = playItem(name)
    let preview = playing(item, of: session, at: 3)
    #expect(session.adopt(preview, as: item).last == load(2, name, at: 3))
  }

  @Test func `a preview that reaches its limit while the user continues it plays on`() {
    var session = PlaySession()
    let item = playItem("a.mp4")
    let preview = playing(item, of: session, at: 12)
    #expect(session.adopt(preview, as: item).last == .order(.liftLimit))
    #expect(session.receive(.ended(.reachedLimit)) == [load(2, "a.mp4", at: 12)])
    #expect(session.isUnderWay)
  }

  @Test func `a preview that has fallen back to another address plays on from that`() {
    var session = PlaySession()
    let item = playItem("a.mp4", "b.mp4")
    var (preview, _) = start(item, of: session)
    #expect(report(.ended(.failed(.http(status: 404))), to: &preview).count == 1)
    for event in [
      PlayEvent.duration(seconds: 100), .pictureSize(Size(width: 640, height: 360)), .ready, .time(seconds: 7),
    ] { _ = report(event, to: &preview) }
    #expect(session.adopt(preview, as: item).last == .order(.liftLimit))
    #expect(session.receive(.ended(.reachedLimit)) == [load(3, "b.mp4", at: 7)])
  }

  @Test func `a preview is continued as the video with its newest facts`() {
    var session = PlaySession()
    var video = video([("a.mp4", nil)])
    let preview = playing(PlayItem(video), of: session, at: 12)
    video.title = "A better title"
    video.chapters = Chapter.list([0.0, 50].map { (start: $0, title: "Part") })
    let item = PlayItem(video, isContinued: true)
    #expect(preview.session.item?.isSamePlayback(as: item) == true)
    #expect(session.adopt(preview, as: item).last == .order(.liftLimit))
    #expect(session.item == item && session.chapters.all.count == 2)
    _ = session.receive(.time(seconds: 99.5))
    #expect(session.receive(.ended(.reachedEnd)).contains(.playNext))
  }

  @Test func `details that name the height and the language of a file do not restart a preview`() {
    let item = playItem("a.mp4")
    var details = video([("a.mp4", 720)])
    details.language = "de"
    #expect(item.isSamePlayback(as: PlayItem(details)))
  }

  @Test func `a video at another position or with other addresses is another playback`() {
    let item = playItem("a.mp4")
    #expect(!item.isSamePlayback(as: playItem("b.mp4")) && !item.isSamePlayback(as: playItem("a.mp4", id: "other")))
    #expect(!item.isSamePlayback(as: PlayItem(video([("a.mp4", nil)]), startSeconds: 30)))
  }

  @Test func `the session continues the numbers and the configuration of a preview`() {
    var session = PlaySession()
    var (preview, _) = start(of: session)
    #expect(preview.stop() == [.stop])
    session.follow(preview)
    #expect(session.perform(.play(playItem("b.mp4"))) == defaultConfiguration + [load(2, "b.mp4")])
  }

  @Test func `a preview of a film that leaves https ends without a question`() throws {
    let addresses = try [
      #require(WebAddress("https://films.example/a.mp4")), #require(WebAddress("http://cdn.example/a.mp4")),
    ]
    var (preview, _) = start()
    let failure = PlayFailure.leavesHTTPS(UnencryptedRedirect(from: addresses[0], to: addresses[1]))
    #expect(report(.ended(.failed(failure)), to: &preview) == [])
    #expect(!preview.session.isUnderWay)
  }
}
