import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct SimilarNameTests {
  @Test(arguments: [
    ("waterfal", "waterfall"), ("wbttrfxll", "waterfall"), ("wbttrfxlk", nil), ("xaterfall", "waterfall"),
    ("xbterfall", nil), ("lsit", "list"), ("lxxx", nil), ("ls", nil), ("height-limit", "maximum-height"), ("", nil),
  ])
  func `a name with few mistakes, mostly behind its first letter, means a known one`(name: String, meant: String?) {
    #expect(similarName(to: name, among: ["waterfall", "list", "maximum-height"]) == meant)
  }
}
