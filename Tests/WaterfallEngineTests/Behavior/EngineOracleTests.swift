import EngineOracle
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct EngineOracleTests {
  @Test func `layouts of any kind agree with an implementation of their documentation`() {
    var generator = SeededGenerator(seed: 73)
    for number in 0..<3000 {
      let layout = anyLayout(number: number, most: number % 50 == 0 ? 200 : 30, using: &generator)
      guard let mismatch = EngineOracle.mismatch(in: layout) else { continue }
      Issue.record("layout \(number) \(type(of: layout)): \(mismatch)\n\(layout.drawing)")
      return
    }
  }
}
