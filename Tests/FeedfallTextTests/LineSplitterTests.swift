import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct LineSplitterTests {
  @Test func `lines are joined from pieces, and long lines cut`() {
    var splitter = LineSplitter(maximumLength: 4)
    #expect(splitter.lines(in: "ab".utf8).isEmpty)
    #expect(splitter.lines(in: "c\n\nd".utf8) == [Array("abc".utf8), []])
    #expect(splitter.lines(in: "efgh".utf8).isEmpty)
    #expect(splitter.lines(in: "i\rj\n".utf8) == [Array("defg".utf8), Array("j".utf8)])
  }
}
