/// The rule that gives items the heights of pictures.
struct PictureRule {
  let captionHeight: Int
  /// The least and the greatest height of a picture without its caption.
  let range: ClosedRange<Int>
  /// The proportions of a picture without a usable size; with nil, such a picture is an error.
  let placeholder: Size?

  /// Returns the heights of pictures that are `width` units wide, rounded to the nearest unit. O(pictures).
  func heights(of pictures: [Size], width: Int) throws(LayoutError) -> [Int] {
    try LayoutError.check(measure: "captionHeight", captionHeight)
    // A picture with its caption is never too high for an item, unless the caption alone is.
    let most = max(1, LayoutLimits.length - captionHeight)
    let least = min(max(range.lowerBound, 1), most)
    let limits = least...max(least, min(range.upperBound, most))
    var heights: [Int] = []
    heights.reserveCapacity(pictures.count)
    for (position, picture) in pictures.enumerated() {
      guard let usable = picture.isUsable ? picture : placeholder, usable.isUsable else {
        throw .pictureSize(picture, position: position)
      }
      let height = min(max(usable.height(atWidth: width), limits.lowerBound), limits.upperBound)
      heights.append(min(height + captionHeight, LayoutLimits.length))
    }
    return heights
  }
}

extension Size {
  fileprivate var isUsable: Bool { width > 0 && height > 0 }

  /// The height that keeps the proportions, rounded to the nearest unit, or more than `LayoutLimits.length`. In whole
  /// numbers: rounding a `Double` would need the mathematical library of the system.
  fileprivate func height(atWidth newWidth: Int) -> Int {
    let product = UInt(height).multipliedFullWidth(by: UInt(newWidth))
    guard product.high < UInt(width) else { return .max }
    let (quotient, remainder) = UInt(width).dividingFullWidth(product)
    guard quotient <= LayoutLimits.length else { return .max }
    return Int(quotient) + (remainder >= UInt(width) - remainder ? 1 : 0)
  }
}
