import VideoFeed

/// The second request that some feeds need before a video can be played.
struct VideoDetails: Sendable {
  let client: HTTPClient

  func complete(_ video: Video) async -> Result<Video, FeedFailure> {
    guard let address = video.detailsURL else { return .success(video) }
    switch await client.get(address, accept: "application/json") {
    case .failure(let failure): return .failure(failure)
    case .success(let answer):
      if let failure = answer.failure { return .failure(failure) }
      do {
        return .success(try FeedDecoder.decodeDetails(answer.body, completing: video, from: answer.address))
      } catch {
        return .failure(error)
      }
    }
  }
}
