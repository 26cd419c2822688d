import FeedfallMedia
import FeedfallScreen
import Glibc
import WaterfallEngine

/// The cost of converting a cover's bytes to cells.
///
/// `.ci/cover-photos` creates the photographs. If they are missing, a message on standard error says so.
enum CoverBenchmarks {
  typealias Report = (_ name: String, _ value: Double, _ unit: String) -> Void

  static let folder = ".build/covers"
  private static let cells = Size(width: 40, height: 12)
  /// A cell of 8 by 16 pixels.
  private static let shape = Size(width: 320, height: 192)

  static func run(_ report: Report) {
    guard !files(in: "\(folder)/720p").isEmpty else { return warn("the photographs are missing; run .ci/cover-photos") }
    for format in ["720p", "360p", "180p", "progressive", "png", "webp", "gif"] {
      measureCovers(format, .halves, report)
    }
    for glyphs in [BlockGlyphs.eighths, .sextants, .octants] { measureCovers("720p", glyphs, report) }
    CoverSessions.run(report)
  }

  static func target(_ glyphs: BlockGlyphs) -> PictureTarget {
    let tile = glyphs.pixelsPerCell
    return .filling(Size(width: cells.width * tile.width, height: cells.height * tile.height), shape: shape)
  }

  private static func decoded(_ bytes: [UInt8], _ glyphs: BlockGlyphs) -> PixelBuffer? {
    try? PictureDecoder.decode(bytes, to: target(glyphs), detail: glyphs >= .eighths ? .coarse : .full)
  }

  private static func warn(_ message: String) {
    let line = Array("feedfall-bench covers: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// Reports the processor time for one cover of a format: the median of nine rounds.
  private static func measureCovers(_ format: String, _ glyphs: BlockGlyphs, _ report: Report) {
    let pictures = files(in: "\(folder)/\(format)").compactMap(contents)
    let times = (0..<9).map { _ in
      ProcessorTime.milliseconds {
        for bytes in pictures { _ = cover(bytes, glyphs) }
      }
    }
    report("covers.\(format) to 40x12 \(glyphs)", times.sorted()[4] / Double(max(1, pictures.count)), "ms")
  }

  private static func cover(_ bytes: [UInt8], _ glyphs: BlockGlyphs) -> CellPicture? {
    decoded(bytes, glyphs).map { CellPicture($0, glyphs: glyphs) }
  }
}
