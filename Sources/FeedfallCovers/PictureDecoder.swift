import CFeedfallImages
import FeedfallScreen
import WaterfallEngine

/// Pictures out of the bytes of JPEG, PNG, WebP and GIF files. Any number of threads may decode at the same time.
public enum PictureDecoder {
  /// What is seen through a picture's transparent places, and where the rest of a picture is missing.
  public static let calmGround = RGB(red: 48, green: 48, blue: 48)

  /// Decodes a picture, upright and scaled to the target; of an animation, its first frame.
  ///
  /// Of a picture that is cut off or damaged it gives what there is, on the ground. It goes by the bytes alone, takes no
  /// more than the limits allow, and makes large JPEG and WebP smaller as it decodes them.
  public static func decode(
    _ bytes: [UInt8], to target: PictureTarget, over ground: RGB = calmGround, limits: PictureLimits = PictureLimits()
  ) throws(PictureError) -> PixelBuffer {
    guard bytes.count <= limits.bytes else { throw .tooLarge }
    guard let format = ImageFormat(firstBytes: bytes) else { throw .unknownFormat }
    let orientation = format == .JPEG ? Orientation(ofJPEG: bytes) : Orientation(exif: 1)
    let target = orientation.isTransposed ? target.transposed : target
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in
        let picture = try OpenPicture(format, bytes, limits)
        return try scaled(picture, to: target.part(of: picture.size), over: ground)
      }
    }
    return orientation.turned(try result.get())
  }

  /// How large a picture is, in pixels, as it lies in the file; reads its head alone.
  static func size(of bytes: [UInt8], limits: PictureLimits = PictureLimits()) throws(PictureError) -> Size {
    guard let format = ImageFormat(firstBytes: bytes) else { throw .unknownFormat }
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in try OpenPicture(format, bytes, limits).size }
    }
    return try result.get()
  }

  private static func scaled(
    _ picture: borrowing OpenPicture, to part: PicturePart, over ground: RGB
  ) throws(PictureError) -> PixelBuffer {
    let rows = try picture.begin(wanted: part.sizeToDecode(picture.size))
    var scaling = AreaScaling(part.scaled(from: picture.size, to: rows), of: rows)
    var reader = RowReader(width: rows.width, ground: ground)
    while let row = scaling.wantedRow {
      try reader.read(upTo: row, of: picture)
      scaling.add(reader.row)
    }
    guard reader.hasAny, let result = PixelBuffer(size: part.size, bytes: scaling.result) else { throw .damaged }
    return result
  }
}

extension PicturePart {
  /// How large the whole picture must be while it is scaled, so that what the part becomes is sharp.
  fileprivate func sizeToDecode(_ picture: Size) -> Size {
    func length(_ whole: Int, _ shown: ClosedRange<Double>, _ result: Int) -> Int {
      let scale = Double(result) / (shown.upperBound - shown.lowerBound)
      return Int(min(Double(whole), (Double(whole) * scale * Self.sharpness).rounded(.up)))
    }
    return Size(
      width: length(picture.width, columns, size.width), height: length(picture.height, rows, size.height))
  }

  /// The decoders' own scaling is exact at few sizes: so many times the pixels leave it to ours what becomes of them. With
  /// more, the cells of photographs come no nearer to them.
  private static let sharpness = 1.5
}

/// The rows of a picture in their order, on the ground.
private struct RowReader {
  private(set) var row: [UInt8]
  private(set) var hasAny = false
  private let ground: RGB
  private var next = 0
  private var isAtEnd = false

  init(width: Int, ground: RGB) {
    row = Array(repeating: 0, count: width * 4)
    self.ground = ground
  }

  /// Reads on until `row` is the one of this number.
  mutating func read(upTo number: Int, of picture: borrowing OpenPicture) throws(PictureError) {
    while next <= number {
      next += 1
      if isAtEnd { continue }
      isAtEnd = try !picture.readRow(into: &row)
      if isAtEnd {
        for place in row.indices { row[place] = 0 }
      } else {
        hasAny = true
      }
      if isAtEnd || !picture.isOpaque { layOverGround() }
    }
  }

  private mutating func layOverGround() {
    let (count, ground) = (row.count, ground)
    var bytes = row.mutableSpan
    for pixel in stride(from: 0, to: count, by: 4) where bytes[pixel + 3] != 255 {
      let opacity = Int(bytes[pixel + 3])
      func mixed(_ channel: UInt8, _ ground: UInt8) -> UInt8 {
        UInt8((Int(channel) * opacity + Int(ground) * (255 - opacity) + 127) / 255)
      }
      bytes[pixel] = mixed(bytes[pixel], ground.red)
      bytes[pixel + 1] = mixed(bytes[pixel + 1], ground.green)
      bytes[pixel + 2] = mixed(bytes[pixel + 2], ground.blue)
    }
  }
}
