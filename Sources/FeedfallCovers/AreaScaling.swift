import WaterfallEngine

/// Makes a part of a picture smaller (or larger), as the picture's rows come: each new pixel is the mean of the old ones
/// under it.
///
/// The mean is one of light: a grid of black and white looks grey from afar, and not the dark grey that the mean of the
/// two numbers is. The light of a number is taken to be its square, which is within 3 % of what sRGB says and needs no
/// table.
struct AreaScaling {
  /// The new picture, three bytes a pixel; whole when no more row is wanted.
  private(set) var result: [UInt8] = []

  private let columns: AreaWeights
  private let rows: AreaWeights
  /// The sum of the light of the rows under the new row, of the old columns that are shown: four numbers a pixel.
  private var light: [UInt32]
  private let firstColumn: Int
  private var row = 0
  private var rowsTaken = 0

  init(_ part: PicturePart, of size: Size) {
    columns = AreaWeights(part.columns, of: size.width, to: part.size.width)
    rows = AreaWeights(part.rows, of: size.height, to: part.size.height)
    let last = columns.spans.last.map { $0.first + $0.count } ?? 0
    firstColumn = columns.spans.first?.first ?? 0
    light = Array(repeating: 0, count: (last - firstColumn) * 4)
    result.reserveCapacity(part.size.width * part.size.height * 3)
  }

  /// The number of the old row to add next, which may be the same as before; nil when all is done.
  var wantedRow: Int? {
    row < rows.spans.count ? rows.spans[row].first + rowsTaken : nil
  }

  /// Takes the wanted row, four bytes a pixel.
  mutating func add(_ pixels: [UInt8]) {
    let span = rows.spans[row]
    addLight(of: pixels.dropFirst(firstColumn * 4), rows.weights[span.start + rowsTaken])
    rowsTaken += 1
    if rowsTaken == span.count { finishRow() }
  }

  private mutating func addLight(of pixels: ArraySlice<UInt8>, _ weight: UInt32) {
    let isFirst = rowsTaken == 0
    precondition(pixels.count >= light.count, "a row of \(pixels.count) bytes, not \(light.count)")
    // Without a check for each place, many are done at a time.
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
    let (columns, light) = (columns, light)
    for span in columns.spans {
      var sum = SIMD4<Float>()
      for number in 0..<span.count {
        let place = (span.first - firstColumn + number) * 4
        // Half, since only numbers with a sign are turned into fractions quickly.
        let pixel = SIMD4<UInt32>(light[place], light[place + 1], light[place + 2], 0) &>> 1
        sum += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixel)) * Float(columns.weights[span.start + number])
      }
      let mean = (sum * Self.perUnit).squareRoot().rounded(.toNearestOrEven)
      result.append(UInt8(mean.x))
      result.append(UInt8(mean.y))
      result.append(UInt8(mean.z))
    }
    row += 1
    rowsTaken = 0
  }

  private static let perUnit = 2 / (Float(AreaWeights.unit) * Float(AreaWeights.unit))
}

private func squared(_ value: UInt8) -> UInt32 { UInt32(value) &* UInt32(value) }
