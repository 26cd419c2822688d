import WaterfallEngine

/// The size that a picture is scaled to.
public enum PictureTarget: Hashable, Sendable {
  /// Exactly this number of pixels, cropped equally at both sides to the proportions of `shape`, because pixels for
  /// cells are not square.
  case filling(Size, shape: Size)
  /// The whole picture, scaled down to fit within this size; never enlarged.
  case within(Size)
  /// The whole picture, scaled down as far as it still covers this size; never enlarged.
  case covering(Size)

  /// The target for a picture whose axes are exchanged.
  var transposed: PictureTarget {
    switch self {
    case .filling(let size, let shape): .filling(size.transposed, shape: shape.transposed)
    case .within(let size): .within(size.transposed)
    case .covering(let size): .covering(size.transposed)
    }
  }

  /// The part of a picture that is shown, and its size in pixels.
  func part(of picture: Size) -> PicturePart {
    let (width, height) = (Double(picture.width), Double(picture.height))
    switch self {
    case .filling(let size, let shape):
      let ratio = Double(max(1, shape.width)) / Double(max(1, shape.height))
      let (shownWidth, shownHeight) = (min(width, height * ratio), min(height, width / ratio))
      return PicturePart(
        columns: (width - shownWidth) / 2...(width + shownWidth) / 2,
        rows: (height - shownHeight) / 2...(height + shownHeight) / 2,
        size: Size(width: clamped(size.width), height: clamped(size.height)))
    case .within(let size):
      return .whole(picture, scale: min(Double(size.width) / width, Double(size.height) / height))
    case .covering(let size):
      return .whole(picture, scale: max(Double(size.width) / width, Double(size.height) / height))
    }
  }
}

/// How closely a decoded picture shows the details of the original.
public enum PictureDetail: Sendable {
  /// Every pixel is shown.
  case full
  /// Cells show several pixels in two colors. Decoding takes up to 40 % less time, and the cells are as close to the
  /// original.
  case coarse

  /// The minimum size for decoding, in relation to the part's own.
  ///
  /// The decoders' own scaling is exact only at a few sizes. With more than 1, our scaling determines the result.
  fileprivate var sharpness: Double {
    switch self {
    case .full: 1.5
    case .coarse: 0.9
    }
  }
}

/// A part of a picture, in fractions of its pixels, and the size in pixels that it is scaled to.
struct PicturePart {
  var columns: ClosedRange<Double>
  var rows: ClosedRange<Double>
  var size: Size

  /// A whole picture, scaled but never enlarged.
  static func whole(_ picture: Size, scale: Double) -> PicturePart {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let scale = min(1, scale)
    return PicturePart(
      columns: 0...width, rows: 0...height,
      size: Size(width: clamped(Int(width * scale + 0.5)), height: clamped(Int(height * scale + 0.5))))
  }

  /// The size at which to decode the whole picture.
  func sizeToDecode(_ picture: Size, _ detail: PictureDetail) -> Size {
    func length(_ whole: Int, _ shown: ClosedRange<Double>, _ result: Int) -> Int {
      let scale = Double(result) / (shown.upperBound - shown.lowerBound)
      return Int(min(Double(whole), (Double(whole) * scale * detail.sharpness).rounded(.up)))
    }
    return Size(
      width: length(picture.width, columns, size.width), height: length(picture.height, rows, size.height))
  }

  /// The same part of a scaled picture.
  func scaled(from old: Size, to new: Size) -> PicturePart {
    func scaled(_ range: ClosedRange<Double>, _ old: Int, _ new: Int) -> ClosedRange<Double> {
      let factor = Double(new) / Double(old)
      return range.lowerBound * factor...range.upperBound * factor
    }
    return PicturePart(
      columns: scaled(columns, old.width, new.width), rows: scaled(rows, old.height, new.height), size: size)
  }
}

extension Size {
  var transposed: Size { Size(width: height, height: width) }
}

/// Clamps a length to far more than any terminal shows.
private func clamped(_ length: Int) -> Int { max(1, min(length, 16_384)) }
