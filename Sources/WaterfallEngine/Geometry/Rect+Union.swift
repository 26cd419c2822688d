extension Rect {
  /// The smallest rectangle that covers both; an empty one counts for nothing.
  public func union(_ other: Rect) -> Rect {
    guard !isEmpty else { return other }
    guard !other.isEmpty else { return self }
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }
}
