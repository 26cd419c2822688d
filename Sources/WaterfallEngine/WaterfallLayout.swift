/// A waterfall: each item lies under the column that the section's order says, by default the shortest, or over several.
public struct WaterfallLayout: StackedLayout {
  var stack: SectionStack<WaterfallBody>
}
