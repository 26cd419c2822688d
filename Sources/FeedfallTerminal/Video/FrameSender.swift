/// Each frame ends with a query if the terminal answers these. A query counts from the frame's start until its answer,
/// unless the frame is cut. At most one frame is not yet written completely.
struct FrameSender {
  var pace = VideoPace()
  private let device: TerminalDevice
  private let hasAnswers: Bool
  private var statusCheck = StatusCheck()
  private var frame: Frame?
  /// The device's number of bytes up to the frame's end.
  private var end = 0

  init(_ device: TerminalDevice, hasAnswers: Bool) { (self.device, self.hasAnswers) = (device, hasAnswers) }

  var isReady: Bool { !device.isGone && !device.isHoldingBytes }
  /// The number of frames so far, except those that were cut.
  var frameCount: Int { statusCheck.videoQueryCount }
  var processedFrameCount: Int { statusCheck.answeredVideoQueryCount }

  /// Call it only if `isReady`.
  mutating func send(_ parts: OutputParts, isSynchronized: Bool) {
    let head = (isSynchronized ? TerminalProfile.beginSynchronized : []) + TerminalProfile.saveCursor
    let tail = Self.end(isSynchronized) + (hasAnswers ? TerminalProfile.statusQuery : [])
    pace.beginFrame(at: device.clock.now)
    frame = Frame(parts, head: head.count, tail: tail.count)
    if hasAnswers { statusCheck.countVideoQuery() }
    device.hold(parts.before)
    device.offer(head + parts.bytes + tail)
    end = device.byteCount
    endFrame()
  }

  private static func end(_ isSynchronized: Bool) -> [UInt8] {
    TerminalProfile.restoreCursor + (isSynchronized ? TerminalProfile.endSynchronized : [])
  }

  mutating func endFrame(afterRest rest: [UInt8] = []) {
    if frame != nil, !rest.isEmpty {
      device.offer(rest)
      end = device.byteCount
    }
    guard frame != nil, !device.isHoldingBytes else { return }
    frame = nil
    pace.endFrame(at: device.clock.now, expectsAnswer: hasAnswers)
  }

  /// Whether no other bytes follow the frame.
  private var isLast: Bool { device.byteCount == end }

  /// Drops the unwritten rest of a frame, so that the response to a key comes first. Returns nil if nothing is dropped.
  mutating func cut(isSynchronized: Bool) -> Frame.Cut? {
    guard isLast, let cut = frame?.cut(heldByteCount: device.heldByteCount) else { return nil }
    frame = nil
    if hasAnswers { statusCheck.uncountVideoQuery() }
    _ = device.removeHeldBytes(last: cut.droppedByteCount)
    if cut.hasBegun { device.hold(cut.ending + Self.end(isSynchronized)) }
    pace.endFrame(at: device.clock.now, expectsAnswer: false)
    return cut
  }

  /// Removes the unwritten parts of an image from the output and returns them for `endFrame`, so that the response to a
  /// key comes first and the image is still completed: a terminal that reads slowly would never show one. Empty if the
  /// frame has to be cut, or if there is none.
  mutating func interrupt() -> [UInt8] {
    // The other bytes move the cursor.
    let head = TerminalProfile.saveCursor
    guard isLast, let rest = frame?.interrupt(heldByteCount: device.heldByteCount, newHead: head.count) else {
      return []
    }
    return (rest.needsHead ? head : []) + device.removeHeldBytes(last: rest.byteCount)
  }

  mutating func forgetFrame() { frame = nil }

  mutating func requestStatus() -> Bool {
    guard !device.isGone else { return false }
    device.send(TerminalProfile.statusQuery)
    statusCheck.begin(at: device.clock.now)
    return true
  }

  var statusTimeout: Int? { statusCheck.timeout(at: device.clock.now) }

  var remainingAnswerTime: Int { max(remainingFrameTime, statusTimeout ?? 0) }

  /// In milliseconds; 0 if none is expected.
  var remainingFrameTime: Int { pace.remainingAnswerTime(at: device.clock.now) }

  mutating func handleAnswer() -> Bool {
    guard !statusCheck.handleAnswer() else { return false }
    pace.recordAnswer(at: device.clock.now)
    return true
  }

  mutating func reset() {
    pace.dropUnansweredFrames()
    forgetFrame()
    statusCheck = StatusCheck()
  }

  struct Frame {
    private var ends: [Int]
    private var rows: [OutputParts.Row]
    private let ending: [UInt8]
    private let isInterruptible: Bool
    private var head: Int
    private var byteCount: Int
    /// Whether its first parts were written before other bytes, so that it needs its ending even if the rest is
    /// dropped.
    private var isContinued = false

    /// The numbers of bytes before and after the parts.
    init(_ parts: OutputParts, head: Int, tail: Int) {
      (ends, rows, ending) = (parts.ends, parts.rows, parts.ending)
      isInterruptible = parts.isInterruptible
      self.head = head
      byteCount = head + parts.bytes.count + tail
    }

    struct Cut: Equatable {
      var droppedByteCount: Int
      /// Whether the head is or will be written, so that the frame needs an end.
      var hasBegun: Bool
      /// Completes a sequence after its first parts.
      var ending: [UInt8] = []
      var lostRows: [OutputParts.Row]
    }

    /// Returns where to cut the frame while `heldByteCount` bytes are unwritten: at the end of a part, so that no
    /// sequence is split. Nil if no part can be dropped.
    func cut(heldByteCount: Int) -> Cut? {
      guard !ends.isEmpty else { return nil }
      let written = byteCount - heldByteCount
      if written <= 0, !isContinued { return Cut(droppedByteCount: byteCount, hasBegun: false, lostRows: rows) }
      let kept = keptCount(written)
      guard kept < ends.count else { return nil }
      return Cut(
        droppedByteCount: byteCount - head - start(of: kept), hasBegun: true,
        ending: kept == 0 && !isContinued ? [] : ending, lostRows: Array(rows.dropFirst(kept)))
    }

    private func keptCount(_ written: Int) -> Int {
      written <= head ? 0 : ends.firstIndex { head + $0 >= written }.map { $0 + 1 } ?? ends.count
    }

    private func start(of part: Int) -> Int { part == 0 ? 0 : ends[part - 1] }

    /// Drops the parts that have begun while `heldByteCount` bytes are unwritten; other bytes follow them. The rest
    /// begins with a head of `newHead` bytes, unless nothing is written. Returns the number of bytes that follow that
    /// head, and whether the head is needed; nil if there is no part to write after the other bytes.
    mutating func interrupt(heldByteCount: Int, newHead: Int) -> (byteCount: Int, needsHead: Bool)? {
      guard isInterruptible, !ends.isEmpty else { return nil }
      let written = byteCount - heldByteCount
      guard written > 0 else { return (byteCount, false) }
      let kept = keptCount(written)
      guard kept < ends.count else { return nil }
      let start = start(of: kept)
      let rest = byteCount - head - start
      ends = ends[kept...].map { $0 - start }
      (head, byteCount) = (newHead, newHead + rest)
      isContinued = isContinued || kept > 0
      return (rest, true)
    }
  }

  /// Video frames end with the same query, and a terminal answers in order.
  struct StatusCheck {
    /// In milliseconds, also when the terminal is handed back: a late answer would reach the shell as input.
    static let answerLimit = 10_000

    /// The number of queries at the end of video frames, also of frames that are not yet written completely.
    private(set) var videoQueryCount = 0
    private(set) var answeredVideoQueryCount = 0
    /// The number of answers before that to the query, and the time of the query.
    private var query: (answersBefore: Int, time: Int)?

    mutating func countVideoQuery() { videoQueryCount += 1 }

    mutating func uncountVideoQuery() { videoQueryCount = max(answeredVideoQueryCount, videoQueryCount - 1) }

    mutating func begin(at now: Int) {
      // If the last answer was lost, so were those before it.
      if timeout(at: now) == 0 { answeredVideoQueryCount = videoQueryCount }
      query = (videoQueryCount - answeredVideoQueryCount, now)
    }

    /// Returns true if the answer belongs to this query, false if it belongs to a video frame.
    mutating func handleAnswer() -> Bool {
      if query?.answersBefore == 0 {
        query = nil
        return true
      }
      query?.answersBefore -= 1
      answeredVideoQueryCount = min(videoQueryCount, answeredVideoQueryCount + 1)
      return false
    }

    /// In milliseconds: 0 if the query has lapsed, nil if there is none.
    func timeout(at now: Int) -> Int? { query.map { max(0, $0.time + Self.answerLimit - now) } }
  }
}

/// The bytes of a frame or a picture, in parts between which it may be cut.
struct OutputParts {
  /// Written even if the frame is cut.
  var before: [UInt8] = []
  var bytes: [UInt8] = []
  /// The offset of each part's end in the bytes. Without parts, the frame must not be cut.
  var ends: [Int] = []
  /// Empty for an image.
  var rows: [Row] = []
  /// Completes an image that is cut after its first parts.
  var ending: [UInt8] = []
  /// Whether other bytes may be written between the parts, if they have no graphics.
  var isInterruptible = false

  mutating func prepend(_ more: [UInt8]) {
    bytes = more + bytes
    for index in ends.indices { ends[index] += more.count }
  }

  mutating func extend(by more: [UInt8]) {
    bytes += more
    if !ends.isEmpty { ends[ends.count - 1] = bytes.count }
  }

  struct Row: Equatable {
    var y: Int
    var columns: Range<Int>
  }
}
