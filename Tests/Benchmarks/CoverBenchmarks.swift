import FeedfallMedia
import FeedfallScreen
import Glibc
import WaterfallEngine

/// The cost of converting a cover's bytes to cells, compared with programs that show pictures in terminals.
///
/// `.ci/cover-photos` creates the photographs. If they or a program are missing, a message on standard error says so.
enum CoverBenchmarks {
  typealias Report = (_ name: String, _ value: Double, _ unit: String) -> Void

  static let folder = ".build/covers"
  static let cells = Size(width: 40, height: 12)
  /// A cell of 8 by 16 pixels.
  static let shape = Size(width: 320, height: 192)

  static func run(_ report: Report) {
    let photos = files(in: "\(folder)/720p")
    guard !photos.isEmpty else { return warn("the photographs are missing; run .ci/cover-photos") }
    _ = measureCovers("720p", .halves, report)
    for format in ["360p", "180p", "progressive", "png", "webp", "gif"] { _ = measureCovers(format, .halves, report) }
    for glyphs in [BlockGlyphs.sextants, .octants] { _ = measureCovers("720p", glyphs, report) }
    measurePeers(photos, own: measureCovers("720p", .eighths, report), report)
    CoverScrolling.run(report)
    CoverSessions.run(report)
    CoverQuality.run(report)
  }

  static func target(_ glyphs: BlockGlyphs) -> PictureTarget {
    let tile = glyphs.pixelsPerCell
    return .filling(Size(width: cells.width * tile.width, height: cells.height * tile.height), shape: shape)
  }

  static func decoded(_ bytes: [UInt8], _ glyphs: BlockGlyphs) -> PixelBuffer? {
    try? PictureDecoder.decode(bytes, to: target(glyphs), detail: glyphs >= .eighths ? .coarse : .full)
  }

  private static func warn(_ message: String) {
    let line = Array("feedfall-bench covers: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// Returns the processor time for one cover of a format, in milliseconds.
  private static func measureCovers(_ format: String, _ glyphs: BlockGlyphs, _ report: Report) -> Double {
    let pictures = files(in: "\(folder)/\(format)").compactMap(contents)
    let time = milliseconds(rounds: 9) {
      for bytes in pictures { _ = cover(bytes, glyphs) }
    }
    let each = time / Double(max(1, pictures.count))
    report("covers.\(format) to 40x12 \(glyphs)", each, "ms")
    return each
  }

  private static func cover(_ bytes: [UInt8], _ glyphs: BlockGlyphs) -> CellPicture? {
    decoded(bytes, glyphs).map { CellPicture($0, glyphs: glyphs) }
  }

  // MARK: Peers

  private static func measurePeers(_ photos: [String], own: Double, _ report: Report) {
    let batches = [
      ("chafa", 0.4, ["chafa", "-f", "symbols", "-c", "full", "-s", "40x12"]),
      ("timg", 0.4, ["timg", "-ph", "-g40x12"]),
    ]
    for (name, goal, command) in batches {
      guard let time = processorTime(of: command + photos) else {
        warn("\(name) is not installed")
        continue
      }
      report("covers.\(name), 720p to 40x12", time / Double(photos.count), "ms")
      report("covers.own ÷ \(name) (goal \(goal))", own * Double(photos.count) / time, "times")
    }
  }

  /// The median processor time of `rounds` runs.
  private static func milliseconds(rounds: Int, _ work: () -> Void) -> Double {
    (0..<rounds).map { _ in ProcessorTime.milliseconds(work) }.sorted()[rounds / 2]
  }

  /// The median of five runs of another program, in milliseconds; nil if it is missing or fails.
  private static func processorTime(of command: [String]) -> Double? {
    let times = (0..<5).compactMap { _ in Subprocess(command)?.processorMilliseconds }
    return times.count == 5 ? times.sorted()[2] : nil
  }
}
