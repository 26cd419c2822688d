import FeedfallFeeds
import FeedfallText

/// The second request that some feeds need before a video can be played.
struct VideoDetails: Sendable {
  let client: HTTPClient

  /// Completes a video; with what is kept of it where the network does not help.
  func complete(_ video: Video) async -> Result<Video, FeedFailure> {
    guard let address = video.detailsURL else { return .success(video) }
    let asked = await complete(video, from: address, .whileFresh)
    guard case .failure(let failure) = asked, failure.kind != .permanent, failure != .cancelled,
      case .success(let kept) = await complete(video, from: address, .onlyIfCached)
    else { return asked }
    return .success(kept)
  }

  private func complete(
    _ video: Video, from address: WebAddress, _ use: CacheUse
  ) async -> Result<Video, FeedFailure> {
    let visit = CacheVisit(client.cache, use)
    do throws(FeedFailure) {
      let answer = try await client.visiting(visit).get(address, accept: "application/json").get()
      if let failure = answer.failure { throw failure }
      let completed = try FeedDecoder.decodeDetails(answer.body, completing: video, from: answer.address)
      visit.noteUnderstood()
      visit.leaveNews()
      return .success(completed)
    } catch {
      return .failure(error)
    }
  }
}
