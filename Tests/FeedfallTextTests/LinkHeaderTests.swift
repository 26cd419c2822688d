import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct LinkHeaderTests {
  private let base = WebAddress("https://h.example/a/list?q=x")

  @Test(arguments: [
    (
      #"<https://h.example/b?page=62>; rel="last", <https://h.example/b?page=2>; rel="next""#,
      "https://h.example/b?page=2"
    ),
    ("<list?page=2>;rel=next", "https://h.example/a/list?page=2"),
    (#"<?p=2>; title="a, b; rel=\"x"; REL="prefetch Next""#, "https://h.example/a/list?p=2"),
    (#"<https://h.example/a,b>; rel=next; type="text/html""#, "https://h.example/a,b"),
    ("<x>; rel=\"last\"", nil), ("<x>", nil), ("x; rel=next", nil), ("<x; rel=next", nil), ("", nil),
    ("<javascript:alert(1)>; rel=next", nil), (#"<x>; title="rel=next"; rel=prev"#, nil),
  ])
  func `the next page's address is what has that relation`(header: String, next: String?) {
    #expect(LinkHeader.next(in: header, from: base)?.text == next)
  }
}
