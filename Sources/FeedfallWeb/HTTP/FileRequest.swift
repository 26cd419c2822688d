import FeedfallText
import Synchronization

package struct FileRequest: Equatable, Sendable {
  package var address: WebAddress
  /// The headers that the feed demands. The authorization is sent only to the server of the address.
  package var headers: RequestHeaders?
  package var start: Int
  /// Of the known part, for which the server sends the rest (RFC 9110, 13.1.5): a strong `ETag` or a `Last-Modified`.
  package var validator: HeaderValue?
  /// Whether the user allows redirects from https to http.
  package var allowsHTTP = false
  /// Whether only the headers are needed, and so one byte suffices.
  var isProbe = false

  package init(_ address: WebAddress, headers: RequestHeaders? = nil, start: Int = 0, validator: HeaderValue? = nil) {
    (self.address, self.headers, self.start, self.validator) = (address, headers, start, validator)
  }

  /// Whether the address or the headers contain a password; such a request never leaves https.
  package var hasLogin: Bool { headers?.authorization != nil || address.namesUser }

  var range: String? { isProbe ? "bytes=0-0" : start > 0 ? "bytes=\(start)-" : nil }
  var condition: HeaderValue? { start > 0 ? validator : nil }
}

package struct FileHead: Equatable, Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  /// The address after all redirects.
  package var address: WebAddress
  /// In seconds, from `Retry-After`.
  package var retryAfter: Int?
}

/// Receives the body of a `FileRequest` on the thread of the requests, which may wait for the disk.
package protocol FileSink: AnyObject, Sendable {
  /// Receives a piece of any answer that is no redirect. Returns whether to receive more.
  func receive(_ piece: UnsafeRawBufferPointer, of head: FileHead) -> Bool
}

extension HTTPClient {
  /// Requests a file and follows redirects to http and https addresses. The time-out applies to each connection and to
  /// each pause in the data; there is no limit on the size.
  package func receive(_ request: FileRequest, into sink: any FileSink) async throws(WebFailure) -> FileHead {
    var chain = RedirectChain(from: request.address, mayLeaveHTTPS: request.allowsHTTP && !request.hasLogin)
    while true {
      let address = chain.address
      let authorization = address.hasSameOrigin(as: request.address) ? request.headers?.authorization : nil
      let file = FileReception(request, at: address, sink)
      let result = try await fetch(address, authorization, accept: "*/*", cookies: chain.cookies, file: file)
      guard RedirectChain.isRedirect(result.status), let target = result.redirect else {
        return FileHead(
          status: result.status, headers: result.headers, address: address, retryAfter: result.retryAfter)
      }
      try chain.follow(target, status: result.status, cookies: result.headers.cookies)
    }
  }

  private final class IgnoredBody: FileSink {
    func receive(_ piece: UnsafeRawBufferPointer, of head: FileHead) -> Bool { false }
  }

  package func head(of request: FileRequest) async throws(WebFailure) -> FileHead {
    try await receive(request, into: IgnoredBody())
  }

  /// For programs that follow redirects by themselves. An http address cannot leave https.
  package func route(of request: FileRequest) async -> FileRoute {
    guard request.address.scheme == "https" else { return .other }
    var request = request
    request.isProbe = true
    do throws(WebFailure) {
      let head = try await self.head(of: request)
      return head.address == request.address && (200..<300).contains(head.status) ? .direct : .other
    } catch {
      if case .redirect(.notEncrypted(let redirect)) = error { return .leavesHTTPS(redirect) }
      return .other
    }
  }

  final class FileReception: Sendable {
    let request: FileRequest
    private let address: WebAddress
    private let sink: any FileSink
    private let head = Mutex<FileHead?>(nil)

    init(_ request: FileRequest, at address: WebAddress, _ sink: any FileSink) {
      (self.request, self.address, self.sink) = (request, address, sink)
    }

    func receive(_ piece: UnsafeRawBufferPointer, status: Int, headers: UnsafePointer<CChar>) -> Bool {
      if RedirectChain.isRedirect(status) { return false }
      let head = head.withLock { head in
        let known =
          head
          ?? FileHead(status: status, headers: HTTPHeaders(lines: String(cString: headers)), address: address)
        head = known
        return known
      }
      return sink.receive(piece, of: head)
    }
  }
}
