import WaterfallEngine

/// The size that a picture is scaled to.
public enum PictureTarget: Hashable, Sendable {
  /// Exactly this number of pixels, cropped equally at both sides to the proportions of `shape`, because pixels for
  /// cells are not square.
  case filling(Size, shape: Size)
  /// Cropped equally at both sides to the proportions of this size, and scaled down to it; never enlarged.
  case cropped(Size)
  /// The whole picture, scaled down to fit within this size; never enlarged.
  case within(Size)
  /// The whole picture, scaled down as far as it still covers this size; never enlarged.
  case covering(Size)

  var transposed: PictureTarget {
    switch self {
    case .filling(let size, let shape): .filling(size.transposed, shape: shape.transposed)
    case .cropped(let size): .cropped(size.transposed)
    case .within(let size): .within(size.transposed)
    case .covering(let size): .covering(size.transposed)
    }
  }

  func part(of picture: Size) -> Part {
    let (width, height) = (Double(picture.width), Double(picture.height))
    switch self {
    case .filling(let size, let shape): return .cropped(picture, to: shape) { _, _ in size }
    case .cropped(let shape):
      return .cropped(picture, to: shape) { width, _ in
        shape.reduced(toWidth: Int(min(width, Double(shape.width))))
      }
    case .within(let size):
      return .whole(picture, scale: min(Double(size.width) / width, Double(size.height) / height))
    case .covering(let size):
      return .whole(picture, scale: max(Double(size.width) / width, Double(size.height) / height))
    }
  }

  /// A part of a picture, in fractions of its pixels, and the size in pixels that it is scaled to.
  struct Part {
    var columns: ClosedRange<Double>
    var rows: ClosedRange<Double>
    var size: Size

    static func cropped(_ picture: Size, to shape: Size, size: (_ width: Double, _ height: Double) -> Size) -> Part {
      let (width, height) = (Double(picture.width), Double(picture.height))
      let ratio = Double(max(1, shape.width)) / Double(max(1, shape.height))
      let (shownWidth, shownHeight) = (min(width, height * ratio), min(height, width / ratio))
      let size = size(shownWidth, shownHeight)
      return Part(
        columns: (width - shownWidth) / 2...(width + shownWidth) / 2,
        rows: (height - shownHeight) / 2...(height + shownHeight) / 2,
        size: Size(width: clamped(size.width), height: clamped(size.height)))
    }

    static func whole(_ picture: Size, scale: Double) -> Part {
      let (width, height) = (Double(picture.width), Double(picture.height))
      let scale = min(1, scale)
      return Part(
        columns: 0...width, rows: 0...height,
        size: Size(width: clamped(Int(width * scale + 0.5)), height: clamped(Int(height * scale + 0.5))))
    }

    func sizeToDecode(_ picture: Size, _ detail: PictureDecoder.Detail) -> Size {
      func length(_ whole: Int, _ shown: ClosedRange<Double>, _ result: Int) -> Int {
        let scale = Double(result) / (shown.upperBound - shown.lowerBound)
        return Int(min(Double(whole), (Double(whole) * scale * detail.sharpness).rounded(.up)))
      }
      return Size(
        width: length(picture.width, columns, size.width), height: length(picture.height, rows, size.height))
    }

    func scaled(from old: Size, to new: Size) -> Part {
      func scaled(_ range: ClosedRange<Double>, _ old: Int, _ new: Int) -> ClosedRange<Double> {
        let factor = Double(new) / Double(old)
        return range.lowerBound * factor...range.upperBound * factor
      }
      return Part(
        columns: scaled(columns, old.width, new.width), rows: scaled(rows, old.height, new.height), size: size)
    }
  }
}

extension Size {
  /// Returns a size of nearly these proportions, at most so wide, and at least three quarters of it if these are not
  /// exact: kitty leaves cells beside a picture of other proportions empty.
  func reduced(toWidth most: Int) -> Size {
    var best = (size: Size(width: 1, height: 1), error: Double.infinity)
    for width in stride(from: max(1, most), through: max(1, most - most / 4), by: -1) {
      let exact = Double(width * height) / Double(max(1, self.width))
      let error = abs(exact.rounded() - exact) / max(exact, 0.5)
      if error < best.error { best = (Size(width: width, height: Int(exact.rounded())), error) }
      // Less than a pixel on the screen.
      if error * Double(height) < 1 { break }
    }
    return best.size
  }

  var transposed: Size { Size(width: height, height: width) }
}

/// Clamps a length to far more than any terminal shows.
private func clamped(_ length: Int) -> Int { max(1, min(length, 16_384)) }
