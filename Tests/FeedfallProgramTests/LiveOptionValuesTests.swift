import FeedfallApp
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallProgram

@Suite(.hangLimit) struct LiveOptionValuesTests {
  private let values = LiveOptionValues(ViewOptions())

  private func set(_ name: String, _ value: String) throws -> LiveOptions {
    guard case .optionsChanged(let options, name, value) = values.set(name, value) else {
      throw TestFailure("\(name) \(value) is refused")
    }
    return options
  }

  @Test func `options have the values of the command line and add up`() throws {
    #expect(try set("columns", "3").layoutOptions.columns == .count(3))
    #expect(try set("theme", "nord").theme == ThemeSettings(.nord))
    let options = try set("layout", "list")
    #expect(options.layout == .list && options.layoutOptions.columns == .count(3))
    #expect(try set("player", "window").presentation == .window)
    #expect(try set("player", "terminal").presentation == .cells)
    #expect(try set("animations", "false").layoutOptions.animates == false)
  }

  @Test(arguments: [
    ("columns", "x", "“x” is not valid. Write a whole number from 1 to 100."),
    ("layout", "gird", "“gird” is not valid. Write waterfall, grid, list, carousel or justified."),
    ("animations", "perhaps", "“perhaps” is not valid. Write true or false."),
    ("page-size", "3", "it cannot change while feedfall runs. Set it in the configuration."),
  ])
  func `an invalid value is refused in one line`(name: String, value: String, reason: String) {
    #expect(values.set(name, value) == .optionRefused(name: name, reason: reason))
  }

  @Test func `each completed value is valid`() {
    for word in LiveOptionValues.words {
      for value in word.values { #expect(throws: Never.self) { try set(word.name, value) } }
    }
  }
}
