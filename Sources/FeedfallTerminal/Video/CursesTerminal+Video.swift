import FeedfallScreen
import WaterfallEngine

extension CursesTerminal {
  /// Shows a frame of a video, two rows of pixels for each row of cells, in the region that the canvas leaves to it: now,
  /// and whenever that is to be seen again. Its middle is the region's; what is left around it is black.
  ///
  /// Never waits: see `videoOutput` and `videoDelay`. Where there are too few colours nothing is shown.
  public func paintVideo(_ frame: PixelBuffer) {
    video.take(frame)
    sendVideo()
  }

  /// What is shown of a video is not to come back: another one begins.
  public func forgetVideo() { video.take(nil) }

  /// What is to be polled for room while part of a frame waits for it; then `continueVideo()` is to be called.
  public var videoOutput: Int32? { device.isHoldingBytes ? device.output : nil }

  /// In how many milliseconds it is worth while to hand over the next frame of a video, or sooner if the terminal says
  /// something; nil for at once.
  public var videoDelay: Int? { videoPace.delay(at: now) }

  /// Writes what waits, as far as there is room.
  public func continueVideo() {
    device.writeHeldBytes()
    endVideoFrame()
    if video.isSpoiled { sendVideo() }
  }

  // MARK: - Frames

  /// Writes what the terminal lacks of the newest picture, if all that was written before is on its way.
  func sendVideo() {
    guard phase == .active, !device.isGone, !device.isHoldingBytes, let best = VideoQuality.best(for: painter.depth)
    else { return }
    videoPace.allow(best)
    let strokes = video.paint(videoPace.quality, screenWidth: size.width)
    guard !strokes.rows.isEmpty else { return }
    let head = startOfFrame + Self.saveCursor
    let tail = Self.restoreCursor + endOfFrame + (profile.isModern ? Self.statusQuery : [])
    videoPace.begin(at: now)
    videoFrame = VideoFrame(strokes, head: head.count, tail: tail.count)
    device.offer(head + strokes.bytes + tail)
    endVideoFrame()
  }

  /// Notes when the last byte of a frame is written.
  func endVideoFrame() {
    guard videoFrame != nil, !device.isHoldingBytes else { return }
    videoFrame = nil
    if profile.isModern { statusCheck.countVideoQuestion() }
    videoPace.end(at: now, isAsking: profile.isModern)
  }

  /// Keeps what curses believes of cursor and attributes; these are off then.
  private static let saveCursor = Array("\u{1B}7\u{1B}[m".utf8)
  private static let restoreCursor = Array("\u{1B}8".utf8)
  /// Every terminal answers that it is well, when it has come so far.
  static let statusQuery = Array("\u{1B}[5n".utf8)

  /// Leaves the rest of a frame out that the terminal is slow to take, so that what a person waits for comes first.
  func cutVideoFrame() {
    guard let frame = videoFrame, let cut = frame.cut(heldByteCount: device.heldByteCount) else { return }
    videoFrame = nil
    device.dropHeldBytes(last: cut.droppedByteCount)
    if cut.hasBegun { device.hold(Self.restoreCursor + endOfFrame) }
    for row in cut.lostRows { video.forget(row.columns, row: row.y) }
    videoPace.end(at: now, isAsking: false)
  }

  /// Nothing of what is on the screen counts any more; the next canvas tells where the video is.
  func loseVideo() {
    videoFrame = nil
    videoPace.forgetFrames()
    _ = video.take(nil, screen: size)
  }

  /// The bytes that turn what is shown into the canvas, with its pictures, but without its video.
  func frameBesideVideo(_ canvas: Canvas) -> [UInt8] {
    let region = canvas.size == size ? canvas.video : nil
    guard region != nil || video.region != nil else { return frame(canvas) }
    painter.rewrite(rows: video.take(region, screen: size))
    let frame = frame(canvas)
    for (row, columns) in painter.takeDamage().caused(by: frame, size: size).rows where !frame.isEmpty {
      video.forget(columns, row: row)
    }
    return frame
  }
}
