import FeedfallApp
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallProgram

@Suite(.hangLimit) struct LiveOptionValuesTests {
  private let values = LiveOptionValues(ViewOptions())

  @Test func `options have the values of the command line and add up`() throws {
    #expect(try values.set("columns", "3").get().layoutOptions.columns == .count(3))
    #expect(try values.set("theme", "nord").get().theme == ThemeSettings(.nord))
    let options = try values.set("layout", "list").get()
    #expect(options.layout == .list && options.layoutOptions.columns == .count(3))
    #expect(try values.set("player", "window").get().presentation == .window)
    #expect(try values.set("player", "terminal").get().presentation == .cells)
    #expect(try values.set("animations", "false").get().layoutOptions.animates == false)
  }

  @Test(arguments: [
    ("columns", "x", "“x” is not valid. Write a whole number from 1 to 100."),
    ("layout", "gird", "“gird” is not valid. Write waterfall, grid, list, carousel or justified."),
    ("animations", "perhaps", "“perhaps” is not valid. Write true or false."),
    ("page-size", "3", "it cannot change while feedfall runs. Set it in the configuration."),
  ])
  func `an invalid value is refused in one line`(name: String, value: String, reason: String) {
    #expect(values.set(name, value) == .failure(OptionRefusal(reason)))
  }

  @Test func `each completed value is valid`() {
    for word in LiveOptionValues.words {
      for value in word.values { #expect((try? values.set(word.name, value).get()) != nil, "\(word.name) \(value)") }
    }
  }
}
