import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// Scrolls with the cards above the first row.
struct CollectionHeader: Equatable, Sendable {
  var title: String
  var summary: String
  @Boxed var picture: Card?
  var widths: TextWidths

  private static let maximumLines = 3
  /// A line of the description needs a window of this many rows.
  private static let rowsPerLine = 8
  /// In cells; about square.
  private static let pictureSize = Size(width: 6, height: 3)
  private static let leastWidthForPicture = 60

  func picture(width: Int) -> (card: Card, key: CoverKey)? {
    guard width >= Self.leastWidthForPicture, let picture else { return nil }
    return (picture, CoverKey(card: picture.id, size: Self.pictureSize))
  }

  /// With an empty row below the text; 0 in a low window.
  func height(in window: Size) -> Int {
    let count = lines(in: window).count
    guard count > 0 else { return 0 }
    return max(count + 1, picture(width: window.width) == nil ? 0 : Self.pictureSize.height) + 1
  }

  private func lines(in window: Size) -> [String] {
    let count = min(Self.maximumLines, window.height / Self.rowsPerLine)
    let width = textWidth(in: window.width)
    return count > 0 && width > 0 ? widths.wrapped(summary, width: width, maximumLines: count) : []
  }

  private func indent(in width: Int) -> Int { picture(width: width) == nil ? 1 : Self.pictureSize.width + 2 }

  private func textWidth(in width: Int) -> Int { width - indent(in: width) - 1 }

  func draw(in frame: Rect, picture: (CoverKey) -> CoverView?, on canvas: inout Canvas) {
    if let key = self.picture(width: frame.width)?.key {
      let place = Rect(x: frame.minX + 1, y: frame.minY, width: key.size.width, height: key.size.height)
      picture(key)?.draw(in: place, on: &canvas)
    }
    let text = frame.inset(by: Insets(left: indent(in: frame.width), right: 1))
    canvas.write(widths.truncated(title, width: text.width), at: text.origin, style: Style(.heading))
    let lines = widths.wrapped(summary, width: max(1, text.width), maximumLines: max(1, frame.height - 2))
    for (row, line) in lines.prefix(max(0, frame.height - 2)).enumerated() {
      canvas.write(line, at: Point(x: text.minX, y: text.minY + 1 + row), style: Style(.dim))
    }
  }
}

extension Card {
  /// A feed's picture as the cover of a video that is in no list: cleaned identifiers have no control characters.
  init(picture: WebAddress, of source: SourceID) {
    var video = Video(id: "\u{0}picture", title: "", playback: .unknown)
    video.covers = [Cover(url: picture)]
    self.init(video: video, source: source)
  }
}
