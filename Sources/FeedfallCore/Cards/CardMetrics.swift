import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// The largest size in cells of a cover that lies in so many, keeping its proportion.
func coverSize(aspect: Double, within room: Size, cellSize: Size) -> Size {
  let height = pictureHeight(forWidth: room.width, aspect: aspect, cellSize: cellSize)
  let width = height <= room.height ? room.width : max(1, room.width * room.height / height)
  return Size(width: width, height: min(height, room.height))
}

/// How high cards are and what goes where on them, in cells.
struct CardMetrics: Equatable, Sendable {
  var kind: LayoutKind
  /// The narrowest column's width.
  var columnWidth: Int
  /// A cell's size in pixels.
  var cellSize: Size

  static let columnSpacing = 2
  static let lineSpacing = 1
  static let titleLines = 2
  /// The list's cards: their height, and their cover's width where there is room for one.
  static let listHeight = 3
  static let listCoverWidth = 11
  /// The articles' uniform template is 0.8 times as high as wide.
  static let gridAspect = 1 / 0.8
  static let usualAspect = 16.0 / 9.0
  /// Wider than any film is.
  static let panoramaAspect = 2.8

  /// How far the text of the list's cards is moved in beside their cover.
  static func listIndent(in width: Int) -> Int { width >= 3 * listCoverWidth ? listCoverWidth + 1 : 0 }

  /// What is left of a line beside the mark of the selected card.
  static func textWidth(in width: Int) -> Int { max(1, width - 1) }

  /// The width that a card's words and picture are made for. Columns may differ by a cell: the narrowest one's width,
  /// so that what lies side by side is alike.
  func contentWidth(ofFrame width: Int) -> Int {
    guard kind == .waterfall || kind == .grid else { return width }
    let columns = max(1, (width + Self.columnSpacing) / (columnWidth + Self.columnSpacing))
    return columns * columnWidth + (columns - 1) * Self.columnSpacing
  }

  /// How long a card of a width is along the scrolling: its height, in the carousel its width.
  func length(aspect: Double, titleWidth: Int, width: Int) -> Int {
    switch kind {
    case .carousel: return columnWidth
    case .list: return Self.listHeight
    case .grid: return coverHeight(aspect: aspect, width: width) + Self.titleLines + 1
    case .waterfall:
      let lines = titleWidth <= Self.textWidth(in: width) ? 1 : Self.titleLines
      return coverHeight(aspect: aspect, width: width) + lines + 1
    }
  }

  private func coverHeight(aspect: Double, width: Int) -> Int {
    switch kind {
    case .list: Self.listHeight
    case .grid: pictureHeight(forWidth: width, aspect: Self.gridAspect, cellSize: cellSize)
    case .carousel: pictureHeight(forWidth: width, aspect: Self.usualAspect, cellSize: cellSize)
    case .waterfall: pictureHeight(forWidth: width, aspect: aspect, cellSize: cellSize)
    }
  }

  /// Where the cover lies on a card; nil where there is no room for one.
  func coverFrame(in frame: Rect, aspect: Double) -> Rect? {
    let height: Int
    switch kind {
    case .list:
      guard Self.listIndent(in: frame.width) > 0 else { return nil }
      return Rect(x: frame.minX, y: frame.minY, width: Self.listCoverWidth, height: Self.listHeight)
    case .waterfall, .grid: height = coverHeight(aspect: aspect, width: contentWidth(ofFrame: frame.width))
    case .carousel: height = frame.height - Self.titleLines - 1
    }
    return Rect(x: frame.minX, y: frame.minY, width: frame.width, height: min(max(1, height), frame.height))
  }

  /// The size of the carousel's middle card: 16 to 9 with its text, as large as leaves its neighbours in sight.
  static func carouselCard(in viewport: Size, cellSize: Size) -> Size {
    var width = max(min(viewport.width, 16), viewport.width / 2)
    var cover = pictureHeight(forWidth: width, aspect: usualAspect, cellSize: cellSize)
    let room = max(1, viewport.height - titleLines - 1 - 2)
    if cover > room {
      width = max(1, width * room / cover)
      cover = room
    }
    return Size(width: width, height: cover + titleLines + 1)
  }

  /// How many columns a card takes where there are so many: what the feed says, and two for a panorama.
  static func span(of video: Video) -> Int {
    video.span ?? (aspect(of: video) >= panoramaAspect ? 2 : 1)
  }

  /// Width divided by height of the video's picture, kept to what makes a card that can be looked at.
  static func aspect(of video: Video) -> Double {
    let cover = video.covers.first
    var aspect = usualAspect
    if let size = video.pictureSize {
      aspect = Double(size.width) / Double(size.height)
    } else if let ratio = video.aspectRatio {
      aspect = ratio
    } else if let width = cover?.width, let height = cover?.height, width > 0, height > 0 {
      aspect = Double(width) / Double(height)
    }
    return aspect.isFinite ? min(max(aspect, 0.4), 4) : usualAspect
  }
}
