import Geometry
import Screen
import VideoFeed
import WaterfallEngine

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

  /// What is left of a line beside the mark of the selected card.
  static func textWidth(in width: Int) -> Int { max(1, width - 1) }

  func height(aspect: Double, titleWidth: Int) -> Int {
    switch kind {
    case .list: return Self.listHeight
    case .grid: return coverHeight(aspect: aspect) + Self.titleLines + 1
    case .waterfall:
      let lines = titleWidth <= Self.textWidth(in: columnWidth) ? 1 : Self.titleLines
      return coverHeight(aspect: aspect) + lines + 1
    }
  }

  func coverHeight(aspect: Double) -> Int {
    switch kind {
    case .list: Self.listHeight
    case .grid: pictureHeight(forWidth: columnWidth, aspect: Self.gridAspect, cellSize: cellSize)
    case .waterfall: pictureHeight(forWidth: columnWidth, aspect: aspect, cellSize: cellSize)
    }
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
