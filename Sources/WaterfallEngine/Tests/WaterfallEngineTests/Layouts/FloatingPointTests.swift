#if arch(x86_64) && canImport(Glibc)
  import Glibc
  import EngineOracle
  import TestBasics
  import Testing
  import WaterfallEngine

  @Suite(.hangLimit) struct FloatingPointTests {
    @Test func `a thread that treats denormal numbers as zeros gets the same layout`() {
      var generator = SeededGenerator(seed: 12)
      let heights = randomHeights(200, using: &generator)
      func layouts() -> [WaterfallLayout] {
        (1...40).map { WaterfallLayout(width: 100).adding(heights, .cells(.count($0))) }
      }
      let expected = layouts()
      var environment = fenv_t()
      fegetenv(&environment)
      let saved = environment.__mxcsr
      // Flush to zero, and denormals are zeros.
      environment.__mxcsr |= 0x8040
      fesetenv(&environment)
      let found = layouts()
      environment.__mxcsr = saved
      fesetenv(&environment)
      #expect(found == expected)
    }
  }
#endif
