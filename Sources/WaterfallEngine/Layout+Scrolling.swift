import Geometry

extension Layout {
  /// The offset taken into the content: from 0 to where the content's end meets the viewport's. O(1).
  public func clampedContentOffset(_ offset: Int, viewportHeight: Int) -> Int {
    min(max(offset, 0), max(0, contentSize.height - viewportHeight.asPosition))
  }

  /// The content offset that shows `frame`, within the content. O(1).
  public func contentOffset(
    toShow frame: Rect, currentOffset: Int, viewportHeight: Int, aligned alignment: ScrollAlignment
  ) -> Int {
    let frame = frame.bounded
    let viewportHeight = max(0, viewportHeight.asPosition)
    let top = frame.minY
    let bottom = frame.maxY - viewportHeight
    let offset =
      switch alignment {
      case .top: top
      case .center: top - (viewportHeight - frame.height) / 2
      case .bottom: bottom
      case .nearest: nearestOffset(currentOffset.asPosition, top: top, bottom: bottom)
      }
    return clampedContentOffset(offset, viewportHeight: viewportHeight)
  }

  /// `top` and `bottom` are the offsets at which the frame's edges meet those of the viewport.
  private func nearestOffset(_ offset: Int, top: Int, bottom: Int) -> Int {
    guard top >= bottom else { return (top...bottom).contains(offset) ? offset : top }
    return min(max(offset, bottom), top)
  }
}
