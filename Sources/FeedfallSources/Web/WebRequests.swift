import FeedfallFeeds
import FeedfallText
import FeedfallWeb

extension FeedFailure {
  init(_ failure: WebFailure) {
    self.init(failure.retry, failure.reason, advice: failure.advice)
    isOffline = failure.isOffline
  }
}

extension HTTPAnswer {
  /// With the server's explanation; nil for 200 to 299.
  var feedFailure: FeedFailure? {
    guard let failure else { return nil }
    var result = FeedFailure(failure)
    if case .status = failure, status != 429, let detail = ProblemDetails.summary(body) {
      result.reason += ": \(detail)"
    }
    return result
  }

  /// Throws a status of failure.
  func checked() throws(FeedFailure) -> HTTPAnswer {
    if let feedFailure { throw feedFailure }
    return self
  }

  func decoded(isContinuation: Bool = false) throws(FeedFailure) -> DecodedDocument {
    if isMedium { return DecodedDocument(kind: .playlist, videos: [Video(single: .web(address))], total: 1) }
    return try FeedDecoder.decode(
      body, from: address, contentType: contentType, link: link, isContinuation: isContinuation, isCut: isCut)
  }

  /// Whether the answer is a video or a sound by itself.
  private var isMedium: Bool {
    let type = contentType.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    let isMediaType = (type.hasPrefix("video/") || type.hasPrefix("audio/")) && !type.contains("mpegurl")
    return type == "application/dash+xml" || isMediaType && !isText || MediaStart.isMedium(body)
  }

  /// Whether the body is a document of any type.
  private var isText: Bool { [UInt8(ascii: "<"), .openBrace, .openBracket, UInt8(ascii: "#")].contains(body.first) }
}

extension WebPageRequest {
  private static let types = """
    application/json, application/feed+json, application/rss+xml, application/atom+xml, application/xml;q=0.9, \
    text/xml;q=0.9, text/html;q=0.6, */*;q=0.5
    """

  /// A failed walk is repeated once without the known targets of permanent redirects, which may have another page.
  mutating func run(_ load: inout WebLoad, _ ytDlp: YtDlpFeed? = nil) async throws(FeedFailure) -> FeedPage {
    let initial = self
    var step = start()
    while true {
      switch step {
      case .fetch(let address):
        let isArchive = cursor.isArchive && cursor.address == address
        let neverChanges = isArchive || identifiesInstance
        step = handle(
          await Result { () async throws(WebFailure) in
            try await load.get(address, accept: Self.types, neverChanges: neverChanges)
          })
        if completesPart { load.accept() } else if isArchive { load.discard() }
      case .page(let page): return page
      case .listByYtDlp, .failed:
        if step != .failed(.cancelled), load.restartWithoutHints() {
          self = initial
          step = start()
        } else if case .failed(let failure) = step {
          throw failure
        } else {
          step = handle(
            ytDlp: await Result { () async throws(FeedFailure) in
              guard let ytDlp else { throw .ytDlpNotInstalled }
              return try await ytDlp.page(.start)
            })
        }
      }
    }
  }
}

extension WebLoad {
  /// With any status.
  mutating func answer(
    to address: WebAddress, form: String? = nil, accept: String = "application/json"
  ) async throws(FeedFailure) -> HTTPAnswer {
    do {
      guard let form else { return try await get(address, accept: accept) }
      return try await post(form, to: address, accept: accept)
    } catch { throw FeedFailure(error) }
  }
}

extension Result {
  init(_ body: () async throws(Failure) -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension Result<HTTPAnswer, WebFailure> {
  /// Throws a status of failure too.
  func answer() throws(FeedFailure) -> HTTPAnswer {
    switch self {
    case .success(let answer): return try answer.checked()
    case .failure(let failure): throw FeedFailure(failure)
    }
  }
}

extension HTTPClient {
  /// For its playback address, or else its chapters, which may be missing. Falls back to the cache.
  func complete(_ video: Video) async throws(FeedFailure) -> Video {
    guard let address = video.detailsURL ?? video.chaptersURL else { return video }
    do {
      return try await complete(video, from: address, .whileFresh)
    } catch {
      if error.kind == .permanent, error != .cancelled, video.detailsURL == nil {
        return FeedDecoder.decodeChapters([], completing: video)
      }
      guard error.kind != .permanent, error != .cancelled,
        let completed = try? await complete(video, from: address, .onlyIfCached)
      else { throw error }
      return completed
    }
  }

  private func complete(
    _ video: Video, from address: WebAddress, _ use: CacheUse
  ) async throws(FeedFailure) -> Video {
    var load = load(use)
    let answer = try await load.answer(to: address).checked()
    let completed =
      video.detailsURL == nil
      ? FeedDecoder.decodeChapters(answer.body, completing: video)
      : try FeedDecoder.decodeDetails(answer.body, completing: video, from: answer.address)
    load.accept()
    load.save()
    return completed
  }
}
