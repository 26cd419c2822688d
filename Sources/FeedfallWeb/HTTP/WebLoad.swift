import FeedfallText

/// The requests of one load, such as a page of a feed. Each has its own time limit. Answers are stored only after the
/// caller has accepted them, so that an error page does not replace a feed.
package struct WebLoad: Sendable {
  private var client: HTTPClient
  private let use: CacheUse?
  /// The time at which the first page of the feed was fetched; a cached later page must not be older.
  private let firstPageAt: UnixTime?
  private var deadline = ContinuousClock.now
  /// The address without the fragment of a request. Its answer, which another load has just stored, replaces the request.
  package var addressOfJustLoaded: WebAddress?
  /// In seconds.
  private static let justLoadedAge = 300

  private var changes: [AnswerCache.Change] = []
  private var acceptedCount = 0
  private var lastRequest: WebAddress?
  /// The request for the first accepted answer.
  private var document: WebAddress?
  /// Whether requests begin at known permanent targets.
  private var followsHints = true
  /// The last request that a known target has answered.
  private var followedHint: WebAddress?
  /// The time at which the last answer was fetched; nil if this load fetched it.
  package private(set) var savedAt: UnixTime?
  /// Whether the server has confirmed the last answer, which is cached, and has sent no new one before it.
  package private(set) var isConfirmed = false
  private var hasNewAnswer = false

  init(_ client: HTTPClient, _ use: CacheUse?, firstPageAt: UnixTime?) {
    (self.client, self.use, self.firstPageAt) = (client, use, firstPageAt)
  }

  /// Any status counts as an answer. One that `neverChanges` is not fetched again while it is cached.
  package mutating func get(
    _ request: WebAddress, accept: String, neverChanges: Bool = false
  ) async throws(WebFailure) -> HTTPAnswer {
    let use = try cacheUse(of: request)
    let savedAt = savedAt
    if let use, use != .revalidated || neverChanges, let cached = client.cache.answer(to: request),
      use == .onlyIfCached || neverChanges || cached.isFresh(at: .now, since: firstPageAt),
      let answer = recall(cached, for: request)
    {
      // The age of a permanent answer is not that of the load.
      if neverChanges, use != .onlyIfCached { self.savedAt = savedAt }
      return answer
    }
    if use == .revalidated, let address = addressOfJustLoaded, request.text.hasPrefix(address.text + "#"),
      let cached = client.cache.answer(to: address),
      (0..<Self.justLoadedAge).contains(UnixTime.now.seconds - cached.fetched.seconds),
      var answer = recall(cached, for: request)
    {
      (answer.address, self.savedAt) = (request, savedAt)
      return answer
    }
    guard use != .onlyIfCached else { throw .notCached }
    return try await fetch(request, use, accept: accept)
  }

  /// Any status counts as an answer, which is not cached.
  package func post(_ form: String, to request: WebAddress, accept: String) async throws(WebFailure) -> HTTPAnswer {
    var load = self
    load.client.method = .postForm(form)
    return try await load.get(request, accept: accept)
  }

  /// Only answers to GET requests without authorization and without a secret are cached.
  private func cacheUse(of request: WebAddress) throws(WebFailure) -> CacheUse? {
    guard client.method != .get || client.authorization?(request) != nil || client.hasSecret(request) else {
      return use
    }
    guard use != .onlyIfCached else { throw .notCached }
    return nil
  }

  /// A second time if the first failure is likely to pass.
  private mutating func fetch(
    _ request: WebAddress, _ use: CacheUse?, accept: String
  ) async throws(WebFailure) -> HTTPAnswer {
    deadline = .now + client.timeout * HTTPClient.totalTimeoutFactor
    let first = await result(of: request, use, accept: accept)
    guard client.method == .get, client.retries, let pause = first.retryPause, pause < deadline - .now else {
      return try first.get()
    }
    do { try await Task.sleep(for: pause) } catch { throw .cancelled }
    let second = await result(of: request, use, accept: accept)
    // The first failure says more than that there was no time left for the second request.
    switch second {
    case .failure(.timedOut), .failure(.tooSlow): return try first.get()
    case .success, .failure: return try second.get()
    }
  }

  private mutating func result(
    of request: WebAddress, _ use: CacheUse?, accept: String
  ) async -> Result<HTTPAnswer, WebFailure> {
    do { return .success(try await fetchOnce(request, use, accept: accept)) } catch { return .failure(error) }
  }

  /// Accepts the answers so far, so that `save` stores them.
  package mutating func accept() {
    acceptedCount = changes.count
    document = document ?? lastRequest
  }

  /// Discards the answers since the last accepted one, so that a later `accept` does not include them.
  package mutating func discard() { changes.removeLast(changes.count - acceptedCount) }

  /// Lets a failed load be repeated without the known targets. Returns false if it used none.
  package mutating func restartWithoutHints() -> Bool {
    guard followsHints, let followedHint else { return false }
    client.cache.removeMove(of: followedHint)
    (followsHints, changes, acceptedCount) = (false, [], 0)
    (lastRequest, document, savedAt) = (nil, nil, nil)
    (isConfirmed, hasNewAnswer) = (false, false)
    return true
  }

  /// - Parameter start: the user's address, if this load was the first page of its feed.
  package func save(start: WebAddress? = nil) {
    var accepted = Array(changes.prefix(acceptedCount))
    guard !accepted.isEmpty else { return }
    if let start, let document { accepted.append(.leads(request: start, document: document)) }
    client.cache.apply(accepted)
  }

  // MARK: - Requests

  /// If the known permanent target fails in any way, it is forgotten, and the address itself is requested.
  private mutating func fetchOnce(
    _ request: WebAddress, _ use: CacheUse?, accept: String
  ) async throws(WebFailure) -> HTTPAnswer {
    guard followsHints, let target = client.cache.target(of: request) else {
      return try await follow(RedirectChain(from: request), for: request, use, accept: accept)
    }
    do throws(WebFailure) {
      let chain = RedirectChain(from: request, knownTarget: target)
      let answer = try await follow(chain, for: request, use, accept: accept)
      if answer.failure == nil {
        followedHint = request
        return answer
      }
    } catch {
      if error == .cancelled { throw error }
    }
    client.cache.removeMove(of: request)
    return try await follow(RedirectChain(from: request), for: request, use, accept: accept)
  }

  private mutating func follow(
    _ start: RedirectChain, for request: WebAddress, _ use: CacheUse?, accept: String
  ) async throws(WebFailure) -> HTTPAnswer {
    let cache = client.cache
    var cached = use == nil ? nil : cache.answer(to: request)
    var chain = start
    while true {
      let address = chain.address
      guard !client.method.isPrivate || address.hasSameOrigin(as: request) else {
        throw .redirect(.withForm(origin: address.origin))
      }
      if let seconds = cache.secondsToWait(for: address.server) {
        throw .paused(host: address.shownHost, seconds: seconds)
      }
      let condition = cached?.address == address.forStorage ? cached : nil
      let authorization = client.authorization?(address)
      let cookies = [client.cookie(address), chain.cookies].compactMap(\.self).joined(separator: "; ")
      let result = try await client.fetch(
        address, for: request, authorization, accept: accept, cookies: cookies.isEmpty ? nil : cookies,
        cached: condition,
        timeLimit: deadline - .now)
      if RedirectChain.isRedirect(result.status), let target = result.redirect {
        try chain.follow(target, status: result.status, cookies: result.headers.cookies)
        continue
      }
      if result.status == 304, let condition {
        if let answer = confirm(condition, CacheHeaders(result.headers, at: .now), for: request) { return answer }
        cached = nil
        continue
      }
      var answer = answer(result, from: address)
      if use == nil, [200, 304].contains(answer.status) { answer.caching = CacheHeaders(result.headers, at: .now) }
      answer.login = authorization != nil ? .sent : client.authorization?(request) != nil ? .withheld : .none
      if answer.failure == nil {
        (savedAt, isConfirmed, hasNewAnswer) = (nil, false, true)
        if use != nil {
          record(answer, CacheHeaders(result.headers, at: .now), for: request, isMoved: chain.isPermanent)
        }
      } else {
        pauseRequests(after: &answer, cached)
        // A failure of a hint is not a failure of the source.
        if !chain.followsHint { client.handleFailure(answer) }
      }
      return answer
    }
  }

  private func answer(_ result: HTTPClient.Reply, from address: WebAddress) -> HTTPAnswer {
    var answer = HTTPAnswer(
      status: result.status, body: result.body, contentType: result.contentType, address: address,
      retryAfter: result.retryAfter, link: result.headers["link"])
    answer.isCut = result.isCut
    answer.asksToWait = result.retryAfter != nil
    answer.date = result.headers["date"].flatMap { UnixTime(feedDate: $0) }
    let canBeTransient = answer.status == 404 || (500...599).contains(answer.status)
    answer.isTransientFailure = canBeTransient && client.failsAtRandom(address)
    // Servers of Nextcloud send the header only with answers to OPTIONS.
    answer.isDAV = result.headers["dav"] != nil || client.method == .listCollection && result.body.namesDAV
    return answer
  }

  private func pauseRequests(after answer: inout HTTPAnswer, _ cached: CachedAnswer?) {
    if case .wait? = answer.failure?.retry {
      answer.retryAfter = client.cache.pauseRequests(to: answer.address.server, seconds: answer.retryAfter)
    }
    if let cached, answer.isTransientFailure {
      client.cache.extend(cached, until: cached.endOfFreshness(afterFailureAt: .now))
    }
  }

  // MARK: - The cache

  private mutating func recall(_ cached: CachedAnswer, for request: WebAddress) -> HTTPAnswer? {
    guard let body = client.cache.body(of: cached) else { return nil }
    savedAt = cached.fetched
    lastRequest = request
    return HTTPAnswer(
      status: 200, body: body, contentType: cached.contentType, address: cached.address, link: cached.link)
  }

  /// Nil if its body was evicted meanwhile.
  private mutating func confirm(
    _ cached: CachedAnswer, _ headers: CacheHeaders, for request: WebAddress
  ) -> HTTPAnswer? {
    guard let answer = recall(cached, for: request) else { return nil }
    changes.append(headers.forbidsStoring ? .notStorable(request: request) : .confirmed(cached, headers))
    (savedAt, isConfirmed) = (nil, !hasNewAnswer)
    return answer
  }

  private mutating func record(
    _ answer: HTTPAnswer, _ headers: CacheHeaders, for request: WebAddress, isMoved: Bool
  ) {
    if isMoved { changes.append(.moved(request: request, target: answer.address)) }
    let isStorable = answer.status == 200 && !answer.isCut && !headers.forbidsStoring
    changes.append(isStorable ? .answered(request: request, answer, headers) : .notStorable(request: request))
    lastRequest = request
  }
}

extension Result<HTTPAnswer, WebFailure> {
  /// A busy server or proxy often fails for a moment; nil if there is no second request. Random, so that clients that
  /// failed together do not return together. A server that asks to wait is not requested again.
  var retryPause: Duration? {
    let isOfMoment =
      switch self {
      case .success(let answer): [500, 502, 504].contains(answer.status)
      case .failure(let failure): failure == .cut
      }
    return isOfMoment ? .milliseconds(Int.random(in: 200...600)) : nil
  }
}

extension [UInt8] {
  /// Whether it is XML that names the namespace of WebDAV at its start, as the description of an error does.
  fileprivate var namesDAV: Bool {
    let start = String(decoding: prefix(1_024), as: UTF8.self)
    return start.hasPrefix("<?xml") && start.contains("\"DAV:\"")
  }
}

extension HTTPClient {
  /// A method with the headers and the body that belong to it.
  package struct Method: Equatable, Sendable {
    /// Nil for GET.
    var name: String?
    var depth: String?
    var body: String?
    var bodyType: String?
    /// Whether the body may contain a secret: it is not sent to another server after a redirect.
    var isPrivate = false

    package static let get = Method()

    /// Lists a collection and its members (RFC 4918, 9.1).
    package static let listCollection = Method(
      name: "PROPFIND", depth: "1",
      body: #"<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/>"#
        + "</prop></propfind>", bodyType: "application/xml")

    package static func post(json: String) -> Method {
      Method(name: "POST", body: json, bodyType: "application/json")
    }

    package static func postForm(_ form: String) -> Method {
      Method(name: "POST", body: form, bodyType: "application/x-www-form-urlencoded", isPrivate: true)
    }
  }
}
