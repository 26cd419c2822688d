import WaterfallEngine

extension Canvas {
  /// Lays a picture over cells that are drawn already, for terminals that can show pixels; the others show the cells.
  ///
  /// What is drawn there later is seen, and the picture around it. `id` says which picture it is: with the same size
  /// in cells it must always have the same pixels. These should have the proportions of the cells that they cover.
  /// Complexity: O(number of cells).
  public mutating func place(_ pixels: PixelBuffer, id: Int, over frame: Rect) {
    let area = visible(frame)
    guard !area.isEmpty else { return }
    pictures.append(PlacedPicture(id: id, pixels: pixels, frame: frame, area: area))
    for y in area.minY..<area.maxY {
      for x in area.minX..<area.maxX { cells[y * size.width + x].style.isUnderPicture = true }
    }
  }

  /// The pictures of which something can be seen. Complexity: O(number of cells that pictures take).
  public var visiblePictures: [VisiblePicture] {
    guard !pictures.isEmpty else { return [] }
    let owners = pictureOwners
    return pictures.indices.compactMap { index in
      let parts = parts(of: index, among: owners)
      return parts.isEmpty ? nil : VisiblePicture(picture: pictures[index], parts: parts)
    }
  }

  func onCanvas(_ frame: Rect) -> Rect {
    var whole = self
    whole.clip = bounds
    return whole.visible(frame)
  }

  /// For each cell one more than the number of the picture that is seen there; 0 for none.
  private var pictureOwners: [Int32] {
    var owners = [Int32](repeating: 0, count: cells.count)
    for (index, picture) in pictures.enumerated() {
      let area = picture.area
      for y in area.minY..<area.maxY {
        for cell in y * size.width + area.minX..<y * size.width + area.maxX where cells[cell].style.isUnderPicture {
          owners[cell] = Int32(index + 1)
        }
      }
    }
    return owners
  }

  private func parts(of index: Int, among owners: [Int32]) -> [Rect] {
    parts(in: pictures[index].area) { owners[$0] == Int32(index + 1) }
  }

  /// The cells of an area for whose number something holds, as rectangles that do not overlap, from top to bottom.
  func parts(in area: Rect, where isPart: (Int) -> Bool) -> [Rect] {
    var parts: [Rect] = []
    for y in area.minY..<area.maxY {
      var x = area.minX
      while x < area.maxX {
        let start = x
        while x < area.maxX, isPart(y * size.width + x) { x += 1 }
        if start < x { parts.add(Rect(x: start, y: y, width: x - start, height: 1)) }
        x += 1
      }
    }
    return parts
  }
}

extension [Rect] {
  /// Adds a piece of a row to the rectangle that it continues downwards, or as one of its own.
  fileprivate mutating func add(_ row: Rect) {
    let above = firstIndex { $0.maxY == row.minY && $0.minX == row.minX && $0.width == row.width }
    guard let above else { return append(row) }
    let old = self[above]
    self[above] = Rect(x: old.minX, y: old.minY, width: old.width, height: old.height + 1)
  }
}
