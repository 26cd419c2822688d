/// A grid: rows of equal columns; a row is as high as its highest item, and items lie at its top. Items with widths of
/// their own follow each other as long as they fit.
public struct GridLayout: StackedLayout {
  var stack: SectionStack<GridBody>
}
