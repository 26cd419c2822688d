import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct HTTPHeadersTests {
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nLink: <a>; rel=next\r\n\r\n", "<a>; rel=next"),
    ("HTTP/2 200\r\nlink:<a>\r\nX-Link: <b>\r\nLINK: \t<c>\r\n\r\n", "<a>, <c>"),
    ("HTTP/1.1 200 OK\r\nLinks: <a>\r\n\r\n", nil), ("Link", nil), ("", nil),
  ])
  func `the values of a repeated header are joined`(head: String, value: String?) {
    #expect(HTTPHeaders(lines: head)["link"] == value)
  }
}
