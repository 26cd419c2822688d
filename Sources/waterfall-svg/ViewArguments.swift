import ArgumentParser
import WaterfallEngine

/// The options that select the part of the layout to draw.
struct ViewArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Draw only the part that a viewport of this length shows.", valueName: "n"))
  var viewport: Int?

  @Option(help: ArgumentHelp("The viewport's content offset.", valueName: "n"))
  var offset = 0

  @Option(
    help: ArgumentHelp(
      "Scroll so that a card lies on a row of the viewport, and mark it.", valueName: "card:row"))
  var anchor: AnchorChoice?

  func validate() throws {
    try check("--viewport", viewport ?? 1, 1...LayoutLimits.length)
    if viewport == nil, offset != 0 || anchor != nil {
      throw ValidationError("--offset and --anchor need a viewport. Set its length with --viewport.")
    }
  }

  func picture(of layout: any CollectionLayout) -> Picture {
    guard let rect = visibleRect(of: layout) else {
      let content = Rect(origin: .zero, size: layout.contentSize)
      return Picture(layout: layout, elements: layout.layoutAttributes(in: content), part: content)
    }
    return Picture(
      layout: layout, elements: layout.layoutAttributes(inViewport: rect), part: rect, marked: anchor?.anchor.path)
  }

  /// The viewport; nil to draw the whole content.
  private func visibleRect(of layout: any CollectionLayout) -> Rect? {
    let carousel = layout as? CarouselLayout
    guard let length = viewport ?? carousel?.viewportLength else { return nil }
    let scrolled = anchor.map { layout.contentOffset(keeping: $0.anchor, viewportLength: length) } ?? offset
    let target = layout.targetContentOffset(forProposed: scrolled, velocity: 0, viewportLength: length)
    return layout.viewport(at: target, length: length)
  }
}
