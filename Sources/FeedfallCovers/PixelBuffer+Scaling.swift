import FeedfallScreen

extension PixelBuffer {
  /// The picture scaled to a target. Complexity: O(number of pixels).
  func scaled(to target: PictureTarget) -> PixelBuffer {
    var scaling = AreaScaling(target.part(of: size), of: size)
    var row = [UInt8](repeating: 255, count: size.width * 4)
    while let number = scaling.wantedRow {
      copyRow(number, into: &row)
      scaling.add(row)
    }
    return PixelBuffer(size: target.part(of: size).size, bytes: scaling.result) ?? self
  }

  /// Four bytes a pixel, the fourth left as it is.
  private func copyRow(_ number: Int, into row: inout [UInt8]) {
    let start = number * size.width * 3
    for x in 0..<size.width {
      for channel in 0..<3 { row[x * 4 + channel] = bytes[start + x * 3 + channel] }
    }
  }
}
