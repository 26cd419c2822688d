import FeedfallFeeds
import FeedfallText

/// The requests that one page of a feed needs; they share one time-out.
struct FeedRequests: Sendable {
  private let client: HTTPClient

  private static let accept = """
    application/json, application/feed+json, application/rss+xml, application/atom+xml, application/xml;q=0.9, \
    text/xml;q=0.9, text/html;q=0.6, */*;q=0.5
    """

  init(_ client: HTTPClient) {
    self.client = client.withinOneTimeout()
  }

  /// Gets what is at an address, whatever status the answer has.
  func get(_ address: WebAddress) async throws(FeedFailure) -> HTTPAnswer {
    try await client.get(address, accept: Self.accept).get()
  }

  /// Gets what is at an address; fails where the answer is one of an error.
  func ask(_ address: WebAddress) async throws(FeedFailure) -> HTTPAnswer {
    let answer = try await get(address)
    if let failure = answer.failure { throw failure }
    return answer
  }

  /// Tells that what was answered until now is what was asked for.
  func noteUnderstood() {
    client.noteUnderstood()
  }
}

extension HTTPAnswer {
  func decoded() throws(FeedFailure) -> DecodedDocument {
    try FeedDecoder.decode(body, from: address, contentType: contentType, link: link)
  }
}
