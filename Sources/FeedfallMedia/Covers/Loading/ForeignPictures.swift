import CFeedfall
import FeedfallSystem
import FeedfallText
import FeedfallWeb

package struct ForeignPicture: Equatable, Sendable {
  let format: Format
  fileprivate let bytes: [UInt8]

  var byteCount: Int { bytes.count }

  init?(_ bytes: [UInt8]) {
    guard let format = Format(firstBytes: bytes) else { return nil }
    (self.format, self.bytes) = (format, bytes)
  }

  /// A format that only ffmpeg decodes.
  package enum Format: CaseIterable, Sendable {
    case avif, heic, svg, bmp, ico, tiff, jpegXL

    package init?(firstBytes bytes: [UInt8]) {
      if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
        guard let format = Self.withBrand(in: bytes) else { return nil }
        self = format
      } else if bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: [0, 0, 0, 12] + "JXL \r\n".utf8) {
        self = .jpegXL
      } else if bytes.starts(with: [0x49, 0x49, 42, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
        self = .tiff
      } else if bytes.count > 17, bytes.starts(with: "BM".utf8), bytes[15...17].allSatisfy({ $0 == 0 }) {
        // The length of the second header.
        guard [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes[14]) else { return nil }
        self = .bmp
      } else if bytes.count > 5, bytes.starts(with: [0, 0, 1, 0]), bytes[4] > 0, bytes[5] == 0 {
        self = .ico
      } else if DocumentText.firstMark(bytes) == UInt8(ascii: "<"),
        XMLReader.rootName(of: Array(bytes.prefix(16 << 10))) == "svg"
      {
        self = .svg
      } else {
        return nil
      }
    }

    /// The brands of the first box (ISO/IEC 14496-12, 4.3).
    private static func withBrand(in bytes: [UInt8]) -> Format? {
      let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let brands = stride(from: 8, to: min(length, bytes.count, 128) - 3, by: 4).filter { $0 != 12 }.map {
        String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
      }
      if brands.contains(where: { ["avif", "avis"].contains($0) }) { return .avif }
      return brands.contains { ["heic", "heix", "heim", "heis", "hevc", "mif1"].contains($0) } ? .heic : nil
    }

    /// With its article.
    var name: String {
      switch self {
      case .avif: "an AVIF"
      case .heic: "an HEIC"
      case .svg: "an SVG"
      case .bmp: "a BMP"
      case .ico: "an ICO"
      case .tiff: "a TIFF"
      case .jpegXL: "a JPEG XL"
      }
    }

    /// The options of ffmpeg that force this format: with any other, ffmpeg could be led to open other files.
    fileprivate var words: [String] {
      switch self {
      case .avif: ["-codec_whitelist", "libdav1d,libaom-av1,av1", "-f", "mov"]
      case .heic: ["-codec_whitelist", "hevc", "-f", "mov"]
      // A drawing has no size of its own that matters. One of 100,000 pixels is drawn as small as others.
      case .svg:
        ["-codec_whitelist", "librsvg", "-f", "svg_pipe", "-width", "1280", "-height", "1280", "-keep_ar", "1"]
      case .bmp: ["-codec_whitelist", "bmp", "-f", "bmp_pipe"]
      case .ico: ["-codec_whitelist", "bmp,png", "-f", "ico"]
      case .tiff: ["-codec_whitelist", "tiff", "-f", "tiff_pipe"]
      case .jpegXL: ["-codec_whitelist", "libjxl,jpegxl", "-f", "jpegxl_pipe"]
      }
    }
  }
}

/// Converts pictures in foreign formats to PNG by ffmpeg, one at a time, in at most 2 s of processor time and 256 MB.
/// ffmpeg opens its standard input as a file, because most formats are not read in order; so it learns of no folder.
package final class ForeignPictures: Sendable {
  private let path: @Sendable () -> String?
  private let timeLimitSeconds: Int
  private let limit = RequestLimit(count: 1)

  private static let maximumByteCount = 8 << 20
  /// Of a program that was ended by SIGKILL.
  private static let killedStatus = 128 + 9

  package init(
    timeLimitSeconds: Int = 20, path: @escaping @Sendable () -> String? = { InstalledPrograms.path(of: "ffmpeg") }
  ) {
    (self.timeLimitSeconds, self.path) = (timeLimitSeconds, path)
  }

  func png(of picture: ForeignPicture) async throws(CoverFailure) -> [UInt8] {
    guard let path = path() else { throw .needsProgram(picture.format) }
    let program = HelperProgram(
      .decoder, path: path, timeLimitSeconds: timeLimitSeconds, maximumByteCount: Self.maximumByteCount)
    let words = Self.words(picture.format).map { Array($0.utf8) }
    switch await limit.run(for: "", { await program.run(words, input: picture.bytes) }) {
    case .ended(let answer)? where answer.status == 0 && ImageFormat(firstBytes: answer.output) != nil:
      return answer.output
    case .ended(let answer)? where answer.status == Self.killedStatus:
      throw .notConverted(picture.format, .tooMuchWork(seconds: HelperProgram.decoderSeconds))
    case .timedOut?: throw .notConverted(picture.format, .timedOut(seconds: timeLimitSeconds))
    case .notStarted?: throw .notConverted(picture.format, .notStarted)
    case .cancelled?, nil: throw .cancelled
    case .ended?, .printedTooMuch?: throw .notConverted(picture.format, .undecodable)
    }
  }

  private static func words(_ format: ForeignPicture.Format) -> [String] {
    ["-nostdin", "-v", "error", "-max_alloc", "268435456", "-threads", "1", "-filter_threads", "1"]
      + ["-protocol_whitelist", "file"] + format.words + ["-i", "file:/dev/stdin", "-frames:v", "1"]
      + ["-vf", "scale=w='min(1280,iw)':h='min(1280,ih)':force_original_aspect_ratio=decrease"]
      + ["-threads", "1", "-c:v", "png", "-pix_fmt", "rgba", "-f", "image2pipe", "pipe:1"]
  }
}
