/// Rows that fill the width: the items of a row are equally high, and their widths have the proportions that the host
/// gave. The last row is as high as the items want.
///
/// An item's width and height are those in a row of the wanted height: a photograph of 3 : 2 in rows of 200 units is
/// 300 wide. The lowest `captionHeight` units of each item do not grow with the row. Items of a row want the same
/// height. A row's pictures are at least one unit high, and `leastPercent` to `mostPercent` of the wanted height,
/// whatever their proportions: a panorama alone in its row is cropped at its sides, not invisible.
public enum JustifiedRows<let captionHeight: Int, let leastPercent: Int, let mostPercent: Int>: ItemArrangement {
  /// Places the items row by row, in each as many as bring its height nearest to the wanted one. O(items placed).
  public static func place(_ items: [ItemSize], in space: ArrangementSpace, frames: inout [Rect]) {
    func width(_ item: Int) -> Int { max(1, items[item].width ?? space.columns[0].count) }
    var top = frames.last.map { $0.maxY + space.lineSpacing } ?? 0
    while frames.count < items.count {
      let first = frames.count
      var next = first + 1
      var widths = width(first)
      var room = space.extent.count
      while widths < room, next < items.count {
        let (wider, less) = (widths + width(next), room - space.columnSpacing)
        // One more item shrinks the row more than it would have to grow without it.
        guard room * less > widths * wider else { break }
        (widths, room, next) = (wider, less, next + 1)
      }
      if next == items.count { room = min(room, widths) }
      let wanted = max(1, items[first].height - captionHeight)
      let limits = (least: max(1, wanted * leastPercent / 100), most: max(1, wanted * mostPercent / 100))
      let picture = min(max((wanted * room + widths / 2) / widths, limits.least), limits.most)
      let height = min(picture + captionHeight, LayoutLimits.length)
      var x = space.extent.lowerBound
      var end = 0
      for item in first..<next {
        // The share of the items up to this one, so that rounding leaves no unit at the row's end.
        let start = end * room / widths
        end += width(item)
        frames.append(Rect(x: x, y: top, width: end * room / widths - start, height: height))
        x = frames[item].maxX + space.columnSpacing
      }
      top += height + space.lineSpacing
    }
  }

  /// Returns the first item of the last row, which more items may fill. O(items of the row).
  public static func firstOpenItem(of frames: [Rect]) -> Int {
    (frames.lastIndex { $0.minY != frames[frames.count - 1].minY } ?? -1) + 1
  }
}
