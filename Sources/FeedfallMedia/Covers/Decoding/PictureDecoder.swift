import CFeedfall
import FeedfallScreen
import Glibc
import WaterfallEngine

/// Decodes JPEG, PNG, WebP and GIF files. Several threads can decode at the same time.
public enum PictureDecoder {
  /// The color in place of missing rows of an opaque picture.
  public static let defaultBackground = RGB(red: 48, green: 48, blue: 48)

  /// How closely a decoded picture shows the details of the original.
  public enum Detail: Sendable {
    /// Every pixel is shown.
    case full
    /// For cells of several pixels in two colors: as close to the original, in up to 40 % less time.
    case coarse

    /// The minimum size for decoding, relative to the part's own. Above 1, our scaling determines the result: the
    /// decoders' own is exact only at a few sizes.
    var sharpness: Double {
      switch self {
      case .full: 1.5
      case .coarse: 0.9
      }
    }
  }

  /// Decodes a picture, upright and scaled to the target: of an animation the first frame, of a damaged picture as much
  /// as possible. The format is detected from the bytes.
  /// - Parameter background: behind transparent pixels and in place of missing rows; nil for the suitable backdrop.
  public static func decode(
    _ bytes: [UInt8], to target: PictureTarget, detail: Detail = .full, over background: RGB? = nil,
    limits: PictureLimits = PictureLimits()
  ) throws(PictureError) -> PixelBuffer {
    try picture(bytes, to: target, detail, over: background, limits).pixels
  }

  /// The backdrop is nil unless the picture is a logo.
  static func picture(
    _ bytes: [UInt8], to target: PictureTarget, _ detail: Detail, over background: RGB? = nil,
    _ limits: PictureLimits = PictureLimits()
  ) throws(PictureError) -> (pixels: PixelBuffer, backdrop: Backdrop?) {
    guard bytes.count <= limits.bytes else { throw .tooLarge }
    guard let format = ImageFormat(firstBytes: bytes) else { throw .unknownFormat }
    let orientation = ExifSearch(bytes, format).orientation
    let target = orientation.isTransposed ? target.transposed : target
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in
        let picture = try OpenPicture(format, bytes, limits)
        return try scaled(picture, to: target.part(of: picture.size), detail, over: background)
      }
    }
    let (pixels, backdrop) = try result.get()
    return (orientation.turned(pixels), backdrop)
  }

  /// The upright size in pixels, from the header: fails as `damaged` if that is incomplete, or, unless `isWhole`, if
  /// further bytes can show that the picture must be turned.
  static func size(
    of bytes: [UInt8], isWhole: Bool = false, limits: PictureLimits = PictureLimits()
  ) throws(PictureError) -> Size {
    guard let format = ImageFormat(firstBytes: bytes) else { throw .unknownFormat }
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in try OpenPicture(format, bytes, limits).size }
    }
    let size = try result.get()
    let exif = ExifSearch(bytes, format)
    guard isWhole || exif != .incomplete else { throw .damaged }
    return exif.orientation.isTransposed ? size.transposed : size
  }

  private static func scaled(
    _ picture: borrowing OpenPicture, to part: PictureTarget.Part, _ detail: Detail, over background: RGB?
  ) throws(PictureError) -> (PixelBuffer, Backdrop?) {
    let rows = try picture.begin(wanted: part.sizeToDecode(picture.size, detail))
    var scaling = AreaScaling(
      part.scaled(from: picture.size, to: rows), of: rows, keepsOpacity: !picture.isOpaque)
    var reader = RowReader(width: rows.width, missing: background ?? defaultBackground)
    var rowCount = 0
    while let row = scaling.wantedRow {
      try reader.read(upTo: row, of: picture)
      if !reader.isAtEnd { rowCount = scaling.rowCount + 1 }
      scaling.add(reader.row)
    }
    guard reader.hasAny else { throw .damaged }
    if picture.isOpaque {
      guard let result = PixelBuffer(size: part.size, bytes: scaling.result) else { throw .damaged }
      return (result, nil)
    }
    let scaled = ScaledPixels(size: part.size, bytes: scaling.result)
    let backdrop = scaled.isOpaque || background != nil ? nil : Backdrop(for: scaled)
    guard let result = scaled.laid(on: background ?? backdrop?.color ?? defaultBackground) else { throw .damaged }
    return (result, scaled.isLogo(inRows: rowCount) ? backdrop : nil)
  }

  private struct RowReader {
    private(set) var row: [UInt8]
    private(set) var hasAny = false
    private let missing: RGB
    private var next = 0
    private(set) var isAtEnd = false
    private var isOpaque = true

    init(width: Int, missing: RGB) {
      row = Array(repeating: 0, count: width * 4)
      self.missing = missing
    }

    mutating func read(upTo number: Int, of picture: borrowing OpenPicture) throws(PictureError) {
      while next <= number {
        next += 1
        if isAtEnd { continue }
        isAtEnd = try !picture.readRow(into: &row)
        if isAtEnd {
          fill()
        } else {
          hasAny = true
          if !picture.isOpaque { weightLight() }
        }
      }
    }

    /// Missing rows are transparent if pixels of the others are.
    private mutating func fill() {
      let pixel = isOpaque ? [missing.red, missing.green, missing.blue, 255] : [0, 0, 0, 0]
      for place in row.indices { row[place] = pixel[place % 4] }
    }

    private static let roots = (0..<256).map { (Float($0) / 255).squareRoot() }

    /// Turns each pixel into the light of its opaque part and the square root of its opacity (see `ScaledPixels`).
    private mutating func weightLight() {
      let count = row.count
      let roots = Self.roots
      var isOpaque = isOpaque
      var bytes = row.mutableSpan
      for pixel in stride(from: 0, to: count, by: 4) where bytes[pixel + 3] != 255 {
        isOpaque = false
        // Most pixels that are not opaque are invisible.
        guard bytes[pixel + 3] > 0 else {
          (bytes[pixel], bytes[pixel + 1], bytes[pixel + 2]) = (0, 0, 0)
          continue
        }
        let root = roots[Int(bytes[pixel + 3])]
        for channel in 0..<3 { bytes[pixel + channel] = UInt8(Float(bytes[pixel + channel]) * root + 0.5) }
        bytes[pixel + 3] = UInt8(255 * root + 0.5)
      }
      self.isOpaque = isOpaque
    }
  }

  struct OpenPicture: ~Copyable {
    private let image: OpaquePointer
    let size: Size
    let isOpaque: Bool

    /// The bytes must stay valid as long as the picture is open.
    init(_ format: ImageFormat, _ bytes: UnsafeBufferPointer<UInt8>, _ limits: PictureLimits) throws(PictureError) {
      guard let start = bytes.baseAddress else { throw .damaged }
      var fault = ImageFault.none
      let allowed = ImageLimits(max_pixels: Int64(limits.pixels), max_work: Int64(limits.work))
      guard let image = image_open(format, start, bytes.count, allowed, &fault) else {
        throw PictureError(fault) ?? .damaged
      }
      self.image = image
      isOpaque = format == .JPEG
      size = Size(image_size(image))
    }

    deinit { image_close(image) }

    /// Starts decoding, scaled down if that is less work but not below `wanted`. Returns the size of the rows.
    func begin(wanted: Size) throws(PictureError) -> Size {
      var fault = ImageFault.none
      let rows = Size(image_begin(image, ImageSize(wanted), &fault))
      if let error = PictureError(fault) { throw error }
      return rows
    }

    /// Four bytes a pixel. Returns false at the end of the picture.
    func readRow(into row: inout [UInt8]) throws(PictureError) -> Bool {
      var fault = ImageFault.none
      let isRead = image_read_row(image, &row, &fault)
      if let error = PictureError(fault) { throw error }
      return isRead
    }
  }
}

extension Size {
  fileprivate init(_ size: ImageSize) { self.init(width: Int(size.width), height: Int(size.height)) }
}

extension ImageSize {
  init(_ size: Size) { self.init(width: Int32(clamping: size.width), height: Int32(clamping: size.height)) }
}

extension ImageFormat {
  init?(firstBytes bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .JPEG
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .PNG
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webP
    } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
      self = .GIF
    } else {
      return nil
    }
  }
}

extension PixelBuffer {
  /// Encodes the picture as a JPEG; nil if libjpeg is missing or memory runs out.
  /// - Parameter quality: libjpeg's, 1 to 100. At 80, 320 by 180 pixels take about 10 KB and a third of a millisecond.
  public func jpeg(quality: Int) -> [UInt8]? {
    var count = 0
    guard let start = image_encode_jpeg(bytes, ImageSize(size), Int32(clamping: quality), &count) else { return nil }
    defer { free(start) }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}

/// Limits on the work and memory for decoding a picture: counts, so that slow and fast machines accept the same ones.
public struct PictureLimits: Hashable, Sendable {
  /// The number of bytes in the file.
  public var bytes = 24 << 20
  /// The number of pixels in the file. GIF and WebP have lower limits of their own, and so has a JPEG of several scans.
  public var pixels = 100 << 20
  /// In bytes of samples: 3 or 4 for each pixel of an ordinary PNG; slower coding counts as more, see `ImageLimits`.
  /// The default takes a third of a second on a processor of 2020.
  public var work = 80 << 20

  static let webByteCount = 12 << 20
  /// The minimum width and height of a cover, in pixels; smaller pictures are tracking pixels or spacers.
  package static let minimumSide = 8

  public init() {}
}

/// The reason why a picture was not decoded.
public enum PictureError: Error, Hashable, Sendable {
  /// The format is not JPEG, PNG, WebP or GIF.
  case unknownFormat
  /// The library for the format is not installed.
  case noLibrary
  /// No row could be decoded.
  case damaged
  /// The file has too many bytes or pixels.
  case tooLarge
  /// A side is shorter than that of any cover.
  case tooSmall
  /// Decoding would take too much work.
  case tooMuchWork
  case noMemory

  init?(_ fault: ImageFault) {
    switch fault {
    case .none: return nil
    case .noLibrary: self = .noLibrary
    case .damaged: self = .damaged
    case .tooManyPixels: self = .tooLarge
    case .tooMuchWork: self = .tooMuchWork
    case .noMemory: self = .noMemory
    }
  }
}
