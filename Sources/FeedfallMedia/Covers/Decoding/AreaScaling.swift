import FeedfallScreen
import WaterfallEngine

/// Scales a part of a picture row by row: each new pixel has the mean light of the old ones under it, as seen from a
/// distance. The square of a value approximates light within 3 % of sRGB.
struct AreaScaling {
  /// Three bytes a pixel, or four with `keepsOpacity`; complete once `wantedRow` is nil.
  private(set) var result: [UInt8]

  private let keepsOpacity: Bool
  private let columns: Weights
  private let rows: Weights
  /// Under the new row, in the shown columns; four numbers a pixel.
  private var light: [UInt32]
  private let firstColumn: Int
  private(set) var rowCount = 0
  private var addedRowCount = 0

  init(_ part: PictureTarget.Part, of size: Size, keepsOpacity: Bool = false) {
    self.keepsOpacity = keepsOpacity
    columns = Weights(part.columns, of: size.width, to: part.size.width)
    rows = Weights(part.rows, of: size.height, to: part.size.height)
    let last = columns.spans.last.map { $0.first + $0.count } ?? 0
    firstColumn = columns.spans.first?.first ?? 0
    light = Array(repeating: 0, count: (last - firstColumn) * 4)
    result = Array(repeating: 0, count: part.size.width * part.size.height * (keepsOpacity ? 4 : 3))
  }

  /// The number of the old row to add next, which may be the same as before; nil at the end.
  var wantedRow: Int? { rowCount < rows.spans.count ? rows.spans[rowCount].first + addedRowCount : nil }

  /// Adds the row `wantedRow`, four bytes a pixel.
  mutating func add(_ pixels: [UInt8]) {
    let span = rows.spans[rowCount]
    addLight(of: pixels.dropFirst(firstColumn * 4), rows.weights[span.start + addedRowCount])
    addedRowCount += 1
    if addedRowCount == span.count { finishRow() }
  }

  private mutating func addLight(of pixels: ArraySlice<UInt8>, _ weight: UInt32) {
    let isFirst = addedRowCount == 0
    precondition(pixels.count >= light.count, "a row of \(pixels.count) bytes, not \(light.count)")
    // Without bounds checks the loops are vectorized.
    light.withUnsafeMutableBufferPointer { light in
      pixels.withUnsafeBufferPointer { pixels in
        if isFirst {
          for place in light.indices { light[place] = squared(pixels[place]) &* weight }
        } else {
          for place in light.indices { light[place] &+= squared(pixels[place]) &* weight }
        }
      }
    }
  }

  private mutating func finishRow() {
    let (columns, light, keepsOpacity) = (columns, light, keepsOpacity)
    let byteCount = keepsOpacity ? 4 : 3
    var place = rowCount * columns.spans.count * byteCount
    result.withUnsafeMutableBufferPointer { result in
      for span in columns.spans {
        // Not as vectors, which are slow without optimization: the optimizer makes one of the four.
        var (red, green, blue, opacity) = (Float(0), Float(0), Float(0), Float(0))
        for number in 0..<span.count {
          let (pixel, weight) = ((span.first - firstColumn + number) * 4, Float(columns.weights[span.start + number]))
          red += Self.half(light[pixel]) * weight
          green += Self.half(light[pixel + 1]) * weight
          blue += Self.half(light[pixel + 2]) * weight
          opacity += Self.half(light[pixel + 3]) * weight
        }
        result[place] = Self.mean(red)
        result[place + 1] = Self.mean(green)
        result[place + 2] = Self.mean(blue)
        if keepsOpacity { result[place + 3] = Self.mean(opacity) }
        place += byteCount
      }
    }
    rowCount += 1
    addedRowCount = 0
  }

  /// Halved, because only signed numbers are converted quickly.
  @inline(__always)
  private static func half(_ light: UInt32) -> Float { Float(Int32(truncatingIfNeeded: light &>> 1)) }

  @inline(__always)
  private static func mean(_ sum: Float) -> UInt8 { UInt8((sum * perUnit).squareRoot().rounded(.toNearestOrEven)) }

  private static let perUnit = 2 / (Float(Weights.unit) * Float(Weights.unit))

  /// The share of each old pixel in each new one along one side, exact to a 65,536th, so that brightness is kept.
  struct Weights {
    struct Span {
      var first: Int
      /// The index of its first weight.
      var start: Int
      var count: Int
    }

    /// The sum of the weights of each new pixel.
    static let unit: UInt32 = 65_536

    private(set) var spans: [Span] = []
    private(set) var weights: [UInt32] = []

    init(_ range: ClosedRange<Double>, of length: Int, to count: Int) {
      let step = (range.upperBound - range.lowerBound) / Double(count)
      spans.reserveCapacity(count)
      for number in 0..<count {
        let start = range.lowerBound + Double(number) * step
        append(from: start, to: min(start + step, Double(length)), length)
      }
    }

    private mutating func append(from start: Double, to end: Double, _ length: Int) {
      let first = max(0, min(Int(start), length - 1))
      let last = max(first, min(Int(end.rounded(.up)), length) - 1)
      spans.append(Span(first: first, start: weights.count, count: last - first + 1))
      // Rounding the ends of the parts instead of their lengths makes them add up.
      var before: UInt32 = 0
      for pixel in first...last {
        let share = max(0, min(1, (Double(pixel + 1) - start) / (end - start)))
        let covered = pixel == last ? Self.unit : UInt32(share * Double(Self.unit))
        weights.append(covered - before)
        before = covered
      }
    }
  }
}

private func squared(_ value: UInt8) -> UInt32 { UInt32(value) &* UInt32(value) }

extension PixelBuffer {
  func scaled(to target: PictureTarget) -> PixelBuffer {
    var scaling = AreaScaling(target.part(of: size), of: size)
    var row = [UInt8](repeating: 255, count: size.width * 4)
    while let number = scaling.wantedRow {
      copyRow(number, into: &row)
      scaling.add(row)
    }
    return PixelBuffer(size: target.part(of: size).size, bytes: scaling.result) ?? self
  }

  private func copyRow(_ number: Int, into row: inout [UInt8]) {
    let start = number * size.width * 3
    for x in 0..<size.width {
      for channel in 0..<3 { row[x * 4 + channel] = bytes[start + x * 3 + channel] }
    }
  }
}
