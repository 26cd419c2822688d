import WaterfallEngine

/// A part of a canvas in which somebody else paints the frames of a video.
public struct VideoRegion: Equatable, Sendable {
  /// The cells that the whole picture takes, also where it is cut off or covered.
  public let frame: Rect
  /// 0 to 100; with 50 the picture is as it is.
  public let brightness: Int
  /// Rectangles of cells that are to be painted; they do not overlap, from top to bottom.
  public fileprivate(set) var parts: [Rect] = []

  func moved(by offset: Point) -> VideoRegion {
    let origin = Point(x: frame.minX &+ offset.x, y: frame.minY &+ offset.y)
    return VideoRegion(frame: Rect(origin: origin, size: frame.size), brightness: brightness)
  }
}

extension Canvas {
  /// Leaves a frame to a video, in the place of the one that there was; what is drawn there later is seen in front of it.
  /// Complexity: O(number of cells).
  public mutating func reserve(_ frame: Rect, brightness: Int = 50) {
    let area = visible(frame)
    guard !area.isEmpty else { return }
    takeOver(VideoRegion(frame: frame, brightness: brightness))
    var style = Style(.cover, background: .black)
    style.isReserved = true
    fill(frame, style: style)
  }

  /// The cells of an earlier video become those of nobody.
  mutating func takeOver(_ video: VideoRegion) {
    if let old = reserved {
      let area = onCanvas(old.frame)
      for y in area.minY..<area.maxY {
        for x in area.minX..<area.maxX { cells[y * size.width + x].style.isReserved = false }
      }
    }
    reserved = video
  }

  /// The video, where anything of it is to be seen. Complexity: O(number of cells that it takes).
  public var video: VideoRegion? {
    guard var video = reserved else { return nil }
    video.parts = parts(in: onCanvas(video.frame)) { cells[$0].style.isReserved }
    return video.parts.isEmpty ? nil : video
  }
}
