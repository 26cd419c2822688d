import CFeedfall
import FeedfallApp
import FeedfallFeeds
import FeedfallText
import Glibc
import WaterfallEngine

// Compiled into the module FeedfallPlayer, for access to its client.

/// The dialogue with mpv, whose lines can be of any kind: a file determines many of their values.
enum FuzzTarget: String, CaseIterable {
  case dialogue
  case frames

  var run: ([UInt8]) -> Void {
    switch self {
    case .dialogue: Self.dialogue
    case .frames: Self.frames
    }
  }

  /// Headers of frames from the process that runs mpv, which may be any bytes. A frame is read only within its slot,
  /// and has a place in its letterbox whatever the proportions of its picture are.
  private static func frames(_ bytes: [UInt8]) {
    let ring = [UInt8](repeating: 1, count: Int(MPV_RING_SLOTS) * 4_096)
    let length = MemoryLayout<mpv_frame>.size
    for start in stride(from: 0, to: bytes.count - length + 1, by: length) {
      let header = bytes[start..<start + length].withUnsafeBytes { $0.loadUnaligned(as: mpv_frame.self) }
      let frame = Size(width: max(1, Int(header.width)), height: max(1, Int(header.height)))
      let picture = Size(width: Int(header.entry), height: Int(header.stride))
      let content = Rect(letterboxing: picture, in: frame)
      expect(content.intersection(Rect(origin: .zero, size: frame)) == content, "a picture outside of its frame")
      guard let slot = RingSlot(header, ringByteCount: ring.count) else { continue }
      expect(header.slot < MPV_RING_SLOTS, "a slot outside of the ring")
      expect(ring.withUnsafeBytes { slot.frame(in: $0) }?.size == slot.size, "a frame of another size")
    }
  }

  /// Lines of mpv, and a command of the user after each. The state is plausible at any time, and every command for mpv
  /// is one line of JSON.
  private static func dialogue(_ bytes: [UInt8]) {
    var dialogue = Dialogue()
    var splitter = LineSplitter(maximumLength: 1 << 20)
    for line in splitter.lines(in: bytes + [UInt8(ascii: "\n")]) { dialogue.handle(line) }
  }

  /// libFuzzer stores the input that aborts here. A precondition has no message in optimized code.
  static func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    print("Fatal: \(message())")
    fflush(nil)
    abort()
  }
}

/// A session and the client for mpv, as `MPVThread` connects them.
private struct Dialogue {
  private var session: PlaySession
  private var client = MPVClient(hasDisplay: true, networkTimeout: .seconds(10))
  private var now = SuspendingClock.now

  /// The commands of the user that depend on numbers of the file.
  private static let commands: [PlayCommand] = [
    .seek(.share(0.9)), .seek(.by(10)), .seek(.by(-10)), .seek(.at(5)), .cycleSubtitles, .takeScreenshot, .togglePause,
    .changeRate(faster: true), .togglePresentation(.window), .cycleSoundTracks, .replay,
  ]

  init() {
    session = PlaySession()
    client.processStarted()
    let address = WebAddress(unchecked: "https://films.example/a.mp4")
    let video = Video(id: "1", title: "One", playback: .direct([MediaFile(url: address)]))
    perform(session.resizeVideo(to: Size(width: 40, height: 12)))
    perform(session.perform(.play(PlayItem(video))))
    // The reply to the first load, its start and its first picture.
    for line in [
      #"{"request_id":1,"error":"success","data":{"playlist_entry_id":1}}"#,
      #"{"event":"start-file","playlist_entry_id":1}"#, #"{"event":"playback-restart"}"#,
    ] { receive(Array(line.utf8)) }
  }

  mutating func handle(_ line: [UInt8]) {
    receive(line)
    perform(session.perform(Self.commands[line.count % Self.commands.count]))
    check()
  }

  private mutating func receive(_ line: [UInt8]) {
    now += .milliseconds(120)
    if let message = MPVMessage(line: line) { client.handle(message, at: now) }
    client.tick(at: now)
    for report in client.drainReports() { perform(session.handle(report)) }
  }

  private mutating func perform(_ effects: [PlaySession.Effect]) {
    for case .order(let order) in effects {
      if order == .takeScreenshot {
        client.takeScreenshot(to: "/shot.png", at: now)
      } else {
        client.handle(order, at: now)
      }
    }
    for command in client.drainCommands() {
      let line = command.line
      FuzzTarget.expect(line.last == UInt8(ascii: "\n"), "a command without an end")
      FuzzTarget.expect(line.dropLast().allSatisfy { $0 >= 0x20 }, "a command of several lines")
    }
  }

  private func check() {
    let seconds = [session.shownTime, session.shownDuration ?? 0, session.file.bufferedUntil]
    let isPlausible = seconds.allSatisfy { (0...MPVMessage.Property.maximumSeconds).contains($0) }
    FuzzTarget.expect(isPlausible, "implausible times: \(seconds)")
    for time in seconds { _ = playTime(time) }
    if let position = session.savedPosition {
      FuzzTarget.expect(position.seconds.map { (1...31_622_400).contains($0) } ?? true, "an invalid position")
    }
    if let size = session.file.pictureSize { _ = size.width * size.height }
    let isClean = session.file.subtitle.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }
    FuzzTarget.expect(isClean, "an unclean subtitle")
  }
}
