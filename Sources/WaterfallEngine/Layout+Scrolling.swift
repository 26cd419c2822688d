extension Layout {
  /// The content's extent in the direction of scrolling. O(1).
  public var contentLength: Int { orientation.axis == .vertical ? contentSize.height : contentSize.width }

  /// The part of the content that is seen at a content offset, which counts from the content's start, from the right
  /// in a mirrored layout that scrolls sideways. O(1).
  public func viewport(at contentOffset: Int, length: Int) -> Rect {
    let viewport = Rect(x: 0, y: contentOffset, width: breadth, height: length).bounded
    return orientation.turned(viewport, in: contentSize)
  }

  /// The offset taken into the content: from 0 to where the content's end meets the viewport's. O(1).
  public func clampedContentOffset(_ offset: Int, viewportLength: Int) -> Int {
    min(max(offset, 0), max(0, contentLength - viewportLength.asPosition))
  }

  /// The content offset that shows `frame`, within the content. O(1).
  public func contentOffset(
    toShow frame: Rect, currentOffset: Int, viewportLength: Int, aligned alignment: ScrollAlignment
  ) -> Int {
    let frame = orientation.laidOut(frame.bounded, in: contentSize)
    return contentOffset(toShowRows: frame, currentOffset, viewportLength, alignment)
  }

  /// The content offset that shows an item, within the content and not under the header that is pinned above it, unless
  /// that leaves no room. O(1), with 8 steps a column.
  public func contentOffset(
    toShow path: ElementPath, currentOffset: Int, viewportLength: Int, aligned alignment: ScrollAlignment
  ) -> Int {
    var frame = orientation.laidOut(layoutAttributesForItem(at: path).frame, in: contentSize)
    let header = stickyHeaderLength(ofSection: path.section)
    let covered = header < viewportLength ? header : 0
    frame.origin.y -= covered
    frame.size.height += covered
    return contentOffset(toShowRows: frame, currentOffset, viewportLength, alignment)
  }

  private func contentOffset(
    toShowRows frame: Rect, _ currentOffset: Int, _ viewportLength: Int, _ alignment: ScrollAlignment
  ) -> Int {
    let viewportLength = max(0, viewportLength.asPosition)
    let top = frame.minY
    let bottom = frame.maxY - viewportLength
    let offset =
      switch alignment {
      case .top: top
      case .center: top - (viewportLength - frame.height) / 2
      case .bottom: bottom
      case .nearest: nearestOffset(currentOffset.asPosition, top: top, bottom: bottom)
      }
    return clampedContentOffset(offset, viewportLength: viewportLength)
  }

  /// `top` and `bottom` are the offsets at which the frame's edges meet those of the viewport.
  private func nearestOffset(_ offset: Int, top: Int, bottom: Int) -> Int {
    guard top >= bottom else { return (top...bottom).contains(offset) ? offset : top }
    return min(max(offset, bottom), top)
  }
}
