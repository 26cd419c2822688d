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
  func `the target with the relation next is the next page`(header: String, next: String?) {
    #expect(LinkHeader.target(of: "next", in: header, from: base)?.text == next)
  }

  @Test(arguments: [
    ("<old>; rel=prev-archive", "https://h.example/a/old"),
    ("<n>; rel=next, <o>; rel=\"x Prev-Archive\"", "https://h.example/a/o"),
    ("<o>; rel=\"http://www.iana.org/assignments/relation/prev-archive\"", "https://h.example/a/o"),
    ("<o>; rel=\"prev-archives archive\"", nil), ("<o>; rel=next-archive", nil),
  ])
  func `the target with the relation prev-archive is the archive`(header: String, archive: String?) {
    #expect(LinkHeader.target(of: "prev-archive", in: header, from: base)?.text == archive)
  }
}
