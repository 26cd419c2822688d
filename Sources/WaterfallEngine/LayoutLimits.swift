/// The bounds that keep every sum of lengths far from overflow.
public enum LayoutLimits {
  /// The longest width, height, spacing or inset, in units.
  public static let length = 1_000_000
  /// The most columns of a section.
  public static let columnCount = 1024
  /// The most items of a section: as many of the longest ones, with gaps, end at less than two to the power of 50.
  public static let itemCount = 1 << 28
  /// Positions and distances from outside are taken into `-position...position` before they are added up:
  /// more than any content is high, and three of them still fit.
  static let position = 1 << 60
}

extension Int {
  /// The number as a length that may be nothing.
  var asLength: Int { Swift.min(Swift.max(self, 0), LayoutLimits.length) }

  /// The number as a position or a distance that can be added without overflow.
  var asPosition: Int { Swift.min(Swift.max(self, -LayoutLimits.position), LayoutLimits.position) }
}

extension Rect {
  /// The rectangle with edges that can be moved and compared without overflow.
  var bounded: Rect {
    let left = origin.x.asPosition
    let top = origin.y.asPosition
    let right = Rect.end(of: origin.x, size.width)
    let bottom = Rect.end(of: origin.y, size.height)
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func end(of start: Int, _ length: Int) -> Int {
    let (sum, overflow) = start.addingReportingOverflow(length)
    guard overflow else { return sum.asPosition }
    return length > 0 ? LayoutLimits.position : -LayoutLimits.position
  }
}
