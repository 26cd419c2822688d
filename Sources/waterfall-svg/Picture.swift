import WaterfallEngine

/// A part of a layout, drawn as an SVG.
struct Picture {
  var layout: any CollectionLayout
  var elements: [LayoutAttributes]
  var part: Rect
  var marked: ElementPath?

  /// The picture in pixels, without a background of its own.
  var svg: String {
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(part.width)" height="\(part.height)" \
      viewBox="\(part.minX) \(part.minY) \(part.width) \(part.height)">
      <style>\(Self.style)</style>

      """
    for (_, element) in elements.enumerated().sorted(by: { ($0.1.zIndex, $0.0) < ($1.1.zIndex, $1.0) }) {
      add(element, to: &svg)
    }
    return svg + "</svg>\n"
  }

  private func add(_ element: LayoutAttributes, to svg: inout String) {
    let frame = element.frame
    svg += """
      <rect class="\(name(of: element))" x="\(frame.minX)" y="\(frame.minY)" width="\(frame.width)" \
      height="\(frame.height)"/>

      """
    guard let label = label(of: element), frame.width >= 24, frame.height >= 16 else { return }
    svg += "<text x=\"\(frame.midX)\" y=\"\(frame.midY + 5)\">\(label)</text>\n"
  }

  private func name(of element: LayoutAttributes) -> String {
    switch element.kind {
    case .background: "background"
    case .globalHeader, .header: "header"
    case .footer: "footer"
    case .separator: "separator"
    case .supplementary: "supplementary"
    case .decoration: "decoration"
    case .item where element.path == marked: "marked"
    case .item: layout.itemSize(at: element.path).span == .columns(1) ? "item" : "wide"
    }
  }

  private func label(of element: LayoutAttributes) -> String? {
    switch element.kind {
    case .item: "\(element.path.item)"
    case .header: "section \(element.path.section)"
    case .globalHeader, .background, .separator, .footer, .supplementary, .decoration: nil
    }
  }

  private static let style = """
    text{font:14px sans-serif;fill:#fff;text-anchor:middle}.item{fill:#4477aa}.wide{fill:#b5651d}\
    .marked{fill:#c02942}.header{fill:#444}.footer{fill:#777}.separator{fill:#999}.background{fill:#999;opacity:.25}
    """
}
