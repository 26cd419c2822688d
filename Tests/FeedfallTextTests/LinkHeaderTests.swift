import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct LinkHeaderTests {
  private let base = WebAddress("https://h.example/a/list?q=x")

  @Test(
    arguments: [
      (
        "next", #"<https://h.example/b?page=62>; rel="last", <https://h.example/b?page=2>; rel="next""#,
        "https://h.example/b?page=2"
      ),
      ("next", "<list?page=2>;rel=next", "https://h.example/a/list?page=2"),
      ("next", #"<?p=2>; title="a, b; rel=\"x"; REL="prefetch Next""#, "https://h.example/a/list?p=2"),
      ("next", #"<https://h.example/a,b>; rel=next; type="text/html""#, "https://h.example/a,b"),
      ("next", "<x>; rel=\"last\"", nil), ("next", "<x>", nil), ("next", "x; rel=next", nil),
      ("next", "<x; rel=next", nil), ("next", "", nil), ("next", "<javascript:alert(1)>; rel=next", nil),
      ("next", #"<x>; title="rel=next"; rel=prev"#, nil),
      ("prev-archive", "<old>; rel=prev-archive", "https://h.example/a/old"),
      ("prev-archive", "<n>; rel=next, <o>; rel=\"x Prev-Archive\"", "https://h.example/a/o"),
      (
        "prev-archive", "<o>; rel=\"http://www.iana.org/assignments/relation/prev-archive\"", "https://h.example/a/o"
      ),
      ("prev-archive", "<o>; rel=\"prev-archives archive\"", nil), ("prev-archive", "<o>; rel=next-archive", nil),
    ] as [(String, String, String?)])
  func `a target is found by its relation`(relation: String, header: String, target: String?) {
    #expect(LinkHeader.target(of: relation, in: header, from: base)?.text == target)
  }
}
