import CFeedfallCurl

/// A `FetchReply` that outlives its call.
struct FetchResult: Sendable {
  var outcome: FetchOutcome
  var fault: FetchFault
  var message: String
  var systemError: Int
  var status: Int
  var proxyStatus: Int
  var body: [UInt8]
  var contentType: String
  var headers: HTTPHeaders
  var redirect: String?
  var retryAfter: Int?

  init(_ reply: FetchReply) {
    outcome = reply.outcome
    fault = reply.fault
    message = String(cString: reply.message)
    systemError = reply.system_error
    status = reply.status
    proxyStatus = reply.proxy_status
    body =
      reply.body.map { start in
        Array(UnsafeRawBufferPointer(start: start, count: reply.body_length))
      } ?? []
    contentType = String(cString: reply.content_type)
    headers = HTTPHeaders(lines: String(cString: reply.headers))
    redirect = reply.redirect.map { String(cString: $0) }
    retryAfter = reply.retry_after > 0 ? Int(min(reply.retry_after, 86_400)) : nil
  }

  /// The result of a request that could not even be started.
  init(notStarted message: String) {
    outcome = .failed
    fault = .other
    self.message = message
    systemError = 0
    status = 0
    proxyStatus = 0
    body = []
    contentType = ""
    headers = HTTPHeaders(lines: "")
  }
}
