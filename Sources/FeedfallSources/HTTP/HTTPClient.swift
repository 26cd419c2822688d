import CFeedfallCurl
import FeedfallText
import Glibc

/// Gets web addresses: bounded in time and size, redirects followed by our own rule.
struct HTTPClient: Sendable {
  var timeoutSeconds: Double
  var userAgent: String
  var maximumByteCount: Int
  /// What a person expects at the addresses, as in `a feed`.
  var contents: String
  /// Which servers are to be left alone, and which addresses have moved.
  let cache: AnswerCache
  /// What the present load takes from the cache and leaves there; without one nothing is kept.
  private var visit: CacheVisit?
  /// When all requests have to be answered; nil gives each of them the whole time-out.
  private var deadline: ContinuousClock.Instant?

  init(
    timeoutSeconds: Double, userAgent: String, maximumByteCount: Int = 32 << 20, contents: String = "a feed",
    cache: AnswerCache = AnswerCache()
  ) {
    self.timeoutSeconds = timeoutSeconds
    self.userAgent = userAgent
    self.maximumByteCount = maximumByteCount
    self.contents = contents
    self.cache = cache
  }

  /// A client whose requests share one time-out, which begins now.
  func withinOneTimeout() -> HTTPClient {
    var client = self
    client.deadline = .now.advanced(by: timeout)
    return client
  }

  /// A client that takes from a cache and leaves there what a load wants.
  func visiting(_ visit: CacheVisit) -> HTTPClient {
    var client = self
    client.visit = visit
    return client
  }

  /// Gets an address, whatever status the answer has; fails in words for a person.
  func get(_ address: WebAddress, accept: String) async -> Result<HTTPAnswer, FeedFailure> {
    if let recalled = visit?.recall(address) { return recalled }
    do {
      return .success(try await ask(address, accept: accept))
    } catch {
      return .failure(error)
    }
  }

  /// Tells that what was answered until now is what the load wants.
  func noteUnderstood() {
    visit?.noteUnderstood()
  }

  /// The limit as a duration that no number can make trap.
  private var timeout: Duration {
    let isUsable = timeoutSeconds.isFinite && timeoutSeconds > 0
    return .milliseconds(Int(min(max((isUsable ? timeoutSeconds : 10) * 1000, 1), 3_600_000)))
  }

  private func ask(_ request: WebAddress, accept: String) async throws(FeedFailure) -> HTTPAnswer {
    let deadline = deadline ?? .now.advanced(by: timeout)
    var kept = visit.flatMap { $0.cache.answer(to: request) }
    var way = RedirectWay(from: request, knownTarget: cache.target(of: request))
    while true {
      let address = way.address
      if let seconds = cache.secondsToWait(for: address.server) {
        throw FeedFailure(.wait(seconds: seconds), "\(address.host) asked to be left alone for a while")
      }
      let condition = kept?.address == address ? kept : nil
      let result = await fetch(address, accept: accept, condition: condition, timeout: deadline - .now)
      if let failure = failure(for: result, from: address) { throw failure }
      if Redirect.isAnnounced(by: result.status), let target = result.redirect {
        try way.follow(target, status: result.status)
        continue
      }
      let answer = HTTPAnswer(result, from: address)
      if answer.status == 304, let condition {
        let confirmed = visit?.confirmed(condition, CacheHeaders(result.headers), to: request)
        if let confirmed { return confirmed }
        kept = nil
        continue
      }
      if way.isStillKnownAlone, [404, 410].contains(answer.status) {
        cache.forgetMove(of: request)
        way = RedirectWay(from: request, knownTarget: nil)
        continue
      }
      heed(answer, kept)
      visit?.note(answer, CacheHeaders(result.headers), to: request, isMoved: way.isPermanent)
      return answer
    }
  }

  /// Leaves a server alone that asks for it, and for a while one that fails now and then.
  private func heed(_ answer: HTTPAnswer, _ kept: KeptAnswer?) {
    guard let failure = answer.failure else { return }
    if case .wait(let seconds) = failure.kind { cache.hold(answer.address.server, seconds: seconds) }
    if let kept, answer.isPassingFailure { cache.trust(kept, until: kept.end(ofTrustAfterFailureAt: .now)) }
  }
}

extension HTTPAnswer {
  fileprivate init(_ result: FetchResult, from address: WebAddress) {
    self.init(
      status: result.status, body: result.body, contentType: result.contentType, address: address,
      retryAfter: result.retryAfter, link: result.headers["link"])
  }
}

extension WebAddress {
  /// Whether it names the machine that the program runs on, which no proxy could reach.
  var isThisMachine: Bool {
    let host = host
    func isLoopback(_ host: String) -> Bool {
      host.hasPrefix("127.") && host.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
    }
    return host == "localhost" || host == "[::1]" || isLoopback(host)
  }
}
