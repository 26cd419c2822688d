/// Writes video frames without waiting, and assigns the terminal's answers to frames and status queries.
///
/// Each frame ends with a query if the terminal answers these. A query counts from the frame's start until its answer,
/// unless the frame is cut. At most one frame is not yet written completely.
struct FrameSender {
  private(set) var pace = VideoPace()
  private let device: TerminalDevice
  /// Whether the terminal answers status queries.
  private let hasAnswers: Bool
  private var statusCheck = StatusCheck()
  private var frame: VideoFrame?

  init(_ device: TerminalDevice, hasAnswers: Bool) {
    self.device = device
    self.hasAnswers = hasAnswers
  }

  /// Whether all earlier bytes are written.
  var isReady: Bool { !device.isGone && !device.isHoldingBytes }
  /// The number of frames so far, except those that were cut.
  var frameCount: Int { statusCheck.videoQueryCount }
  var processedFrameCount: Int { statusCheck.answeredVideoQueryCount }

  /// Writes a frame, as many bytes as there is room for. Call it only if `isReady`.
  ///
  /// - Parameter before: bytes that are written even if the frame is cut.
  mutating func send(_ parts: OutputParts, before: [UInt8], isSynchronized: Bool) {
    let head = (isSynchronized ? TerminalProfile.beginSynchronized : []) + TerminalProfile.saveCursor
    let tail = Self.end(isSynchronized) + (hasAnswers ? TerminalProfile.statusQuery : [])
    pace.beginFrame(at: device.clock.now)
    frame = VideoFrame(parts, head: head.count, tail: tail.count)
    if hasAnswers { statusCheck.countVideoQuery() }
    device.hold(before)
    device.offer(head + parts.bytes + tail)
    endFrame()
  }

  private static func end(_ isSynchronized: Bool) -> [UInt8] {
    TerminalProfile.restoreCursor + (isSynchronized ? TerminalProfile.endSynchronized : [])
  }

  /// Continues an interrupted frame with its rest, and ends the frame if its last byte is written.
  mutating func endFrame(afterRest rest: [UInt8] = []) {
    if frame != nil, !rest.isEmpty { device.offer(rest) }
    guard frame != nil, !device.isHoldingBytes else { return }
    frame = nil
    pace.endFrame(at: device.clock.now, expectsAnswer: hasAnswers)
  }

  /// Drops the unwritten rest of a frame, so that the response to a key comes first. Returns nil if nothing is dropped.
  mutating func cut(isSynchronized: Bool) -> VideoFrame.Cut? {
    guard let cut = frame?.cut(heldByteCount: device.heldByteCount) else { return nil }
    frame = nil
    if hasAnswers { statusCheck.uncountVideoQuery() }
    _ = device.removeHeldBytes(last: cut.droppedByteCount)
    if cut.hasBegun { device.hold(cut.ending + Self.end(isSynchronized)) }
    pace.endFrame(at: device.clock.now, expectsAnswer: false)
    return cut
  }

  /// Removes the unwritten parts of an image from the output and returns them for `endFrame`, so that the response to a key
  /// comes first and the image is still completed: a terminal that reads slowly would never show one. Empty if the frame has
  /// to be cut, or if there is none.
  mutating func interrupt() -> [UInt8] {
    // The other bytes move the cursor.
    let head = TerminalProfile.saveCursor
    guard let rest = frame?.interrupt(heldByteCount: device.heldByteCount, newHead: head.count) else { return [] }
    return (rest.needsHead ? head : []) + device.removeHeldBytes(last: rest.byteCount)
  }

  /// Forgets the frame that is not yet written completely, because the screen was cleared.
  mutating func forgetFrame() { frame = nil }

  // MARK: - Pace

  mutating func setBest(_ quality: VideoQuality) { pace.setBest(quality) }

  mutating func recordRoundTrip(_ milliseconds: Int) { pace.recordRoundTrip(milliseconds) }

  mutating func dropUnansweredFrames() { pace.dropUnansweredFrames() }

  mutating func ignoreUnansweredFrames() { pace.ignoreUnansweredFrames() }

  // MARK: - Answers

  /// Returns false if that is not possible now.
  mutating func requestStatus() -> Bool {
    guard !device.isGone else { return false }
    device.send(TerminalProfile.statusQuery)
    statusCheck.begin(at: device.clock.now)
    return true
  }

  /// How long the answer to `requestStatus()` may still take, in milliseconds: 0 if it has not arrived in time, nil if it
  /// has or if there was no request.
  var statusTimeout: Int? { statusCheck.timeout(at: device.clock.now) }

  /// How long answers may still arrive, in milliseconds.
  var remainingAnswerTime: Int { max(remainingFrameTime, statusTimeout ?? 0) }

  /// How long the answer to the last frame may still arrive, in milliseconds; 0 if none is expected.
  var remainingFrameTime: Int { pace.remainingAnswerTime(at: device.clock.now) }

  /// Returns whether it belongs to a frame.
  mutating func handleAnswer() -> Bool {
    guard !statusCheck.handleAnswer() else { return false }
    pace.recordAnswer(at: device.clock.now)
    return true
  }

  /// Forgets all queries, because the terminal is handed back.
  mutating func reset() {
    dropUnansweredFrames()
    forgetFrame()
    statusCheck = StatusCheck()
  }
}
