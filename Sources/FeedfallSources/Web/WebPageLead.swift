import FeedfallDocuments
import FeedfallFeeds
import FeedfallText

/// Where a web page leads that is no list of videos itself.
enum WebPageLead {
  /// To the list of the PeerTube that the page belongs to.
  case peerTube(PeerTubeEndpoint)
  /// To the feed that it names in its head.
  case feed(HTTPAnswer, at: WebAddress)

  /// Looks for where a page leads; nil where it leads nowhere, a failure where that can't be known now.
  static func find(in page: HTTPAnswer, _ requests: FeedRequests) async throws(FeedFailure) -> WebPageLead? {
    let endpoint = PeerTubeEndpoint(address: page.address) ?? PeerTubeEndpoint(instanceOf: page.address)
    if try await isPeerTube(endpoint, requests) { return .peerTube(endpoint) }
    guard let feed = FeedLinks.alternates(inHTML: page.body, from: page.address).first else { return nil }
    let answer = try await requests.ask(feed)
    return HTMLPage.isStarted(by: answer.body) ? nil : .feed(answer, at: feed)
  }

  private static func isPeerTube(
    _ endpoint: PeerTubeEndpoint, _ requests: FeedRequests
  ) async throws(FeedFailure) -> Bool {
    do throws(FeedFailure) {
      let answer = try await requests.get(endpoint.configAddress)
      if let failure = answer.failure, case .wait = failure.kind { throw failure }
      return answer.failure == nil && FeedDecoder.isPeerTubeConfig(answer.body)
    } catch {
      if error.kind != .permanent { throw error }
      return false
    }
  }
}
