import FeedfallText

/// The caching headers of an answer (RFC 9110, RFC 9111), as far as they are plausible.
package struct CacheHeaders: Equatable, Sendable {
  package var entityTag: String?
  package var lastModified: String?
  var forbidsStoring = false
  var freshSeconds = 0
  /// The remaining seconds for which the server calls the answer fresh: by `max-age`, else by `Expires`, else a tenth
  /// of the time since its last change (RFC 9111, 4.2). Nil without any of these.
  package private(set) var lifetime: Int?

  /// Some servers promise years for feeds that change every day.
  static let longestFreshness = 5 * 3600
  /// In seconds; longer times count as this one.
  private static let longestTime = 1 << 31
  private static let longestValidator = 1024

  /// - Parameter now: when the answer arrived; caches on its way may have held it for a while.
  init(_ headers: HTTPHeaders, at now: UnixTime) {
    entityTag = headers["etag"].flatMap(Self.validator)
    // Servers without a date send the last second of 32-bit time.
    lastModified = headers["last-modified"].flatMap(Self.validator).flatMap { $0.contains("2038") ? nil : $0 }
    let directives = (headers["cache-control"] ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
    forbidsStoring = directives.contains("no-store")
    let mayBeUsed = !directives.contains("no-cache")
    let (maximumAge, age) = (directives.compactMap(Self.maximumAge).first, Self.age(headers, at: now))
    lifetime =
      mayBeUsed && !forbidsStoring ? (maximumAge ?? datedLifetime(headers, at: now)).map { max($0 - age, 0) } : 0
    guard mayBeUsed else { return }
    freshSeconds = min(max((maximumAge ?? 0) - age, 0), Self.longestFreshness)
  }

  private func datedLifetime(_ headers: HTTPHeaders, at now: UnixTime) -> Int? {
    let sent = headers["date"].flatMap { UnixTime(feedDate: $0) } ?? now
    func seconds(from start: UnixTime, to end: UnixTime) -> Int {
      let (seconds, isInvalid) = end.seconds.subtractingReportingOverflow(start.seconds)
      return isInvalid ? 0 : min(max(seconds, 0), Self.longestTime)
    }
    // An invalid date, such as 0, means that the answer has expired.
    if let expires = headers["expires"] { return UnixTime(feedDate: expires).map { seconds(from: sent, to: $0) } ?? 0 }
    return lastModified.flatMap { UnixTime(feedDate: $0) }.map { seconds(from: $0, to: sent) / 10 }
  }

  private static func maximumAge(_ directive: String) -> Int? {
    let name = "max-age="
    return directive.hasPrefix(name) ? seconds(directive.dropFirst(name.count).filter { $0 != "\"" }) : nil
  }

  /// On arrival (RFC 9111, 4.2.3), in seconds.
  private static func age(_ headers: HTTPHeaders, at now: UnixTime) -> Int {
    let stated = headers["age"].flatMap { seconds($0.prefix { $0 != "," }) } ?? 0
    let sent = headers["date"].flatMap { UnixTime(feedDate: $0) }
    return max(stated, sent.map { min(now.seconds - $0.seconds, longestTime) } ?? 0)
  }

  private static func seconds(_ digits: some StringProtocol) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    // A number with too many digits is also a long time.
    return min(Int(digits) ?? longestTime, longestTime)
  }

  /// Nil if the value cannot be sent back unchanged.
  static func validator(_ value: String) -> String? {
    value.utf8.count <= longestValidator ? HeaderValue(value)?.text : nil
  }
}

package struct CachedAnswer: Equatable, Sendable {
  /// Unique for each answer, so that it also identifies the version.
  package var id: Int
  /// The address that answered, after all redirects.
  package var address: WebAddress
  package var contentType: String
  var link: String?
  var entityTag: String?
  var lastModified: String?
  /// The time at which its server last sent or confirmed it.
  package var fetched: UnixTime
  var freshUntil: UnixTime
  package var byteCount: Int

  /// A later page of a feed must not be older than the first page.
  package func isFresh(at now: UnixTime, since first: UnixTime?) -> Bool {
    fetched <= now && now < freshUntil && first.map { $0 <= fetched } ?? true
  }

  private static let shortestExtension = 600

  /// After a random failure it stays for its age again: the longer the server fails, the less often it is requested.
  func endOfFreshness(afterFailureAt now: UnixTime) -> UnixTime {
    let age = now.seconds - fetched.seconds
    return UnixTime(seconds: now.seconds + min(max(age, Self.shortestExtension), CacheHeaders.longestFreshness))
  }
}

/// The validators of an answer, by which its server can confirm it (RFC 9110, 8.8).
package struct AnswerVersion: Hashable, Sendable {
  /// The address that answered, after all redirects, without its secrets.
  package let address: WebAddress
  package let entityTag: String?
  package let lastModified: String?

  package init?(of address: WebAddress, entityTag: String?, lastModified: String?) {
    (self.entityTag, self.lastModified) = (
      entityTag.flatMap(CacheHeaders.validator), lastModified.flatMap(CacheHeaders.validator)
    )
    self.address = address.forStorage
    if self.entityTag == nil, self.lastModified == nil { return nil }
  }
}
