import FeedfallScreen
import FeedfallText
import FeedfallWeb
import WaterfallEngine

/// Loads covers from the disk cache or from their addresses: decoded, scaled and converted to cells. Stores none in
/// memory. Decoding takes up to a third of a second: call it on a separate thread, by `Task(executorPreference:)`.
package final class CoverLoader: Sendable {
  let requests: PictureRequests
  private let cache: CoverCache
  private let frameLength: FrameLength
  private let foreignPictures: ForeignPictures

  private struct Fetched {
    let address: MediaAddress
    let time: UnixTime
    /// In seconds since 1970.
    let freshness: Range<Int>
    let version: AnswerVersion?
    let isRetry: Bool
  }

  /// A single failure may be caused by one broken picture.
  private static let maximumFailuresOfServer = 2

  /// Stores covers beside the cached pages. Opens no file before the first cover.
  package init(
    cache: AnswerCache, userAgent: String, timeoutSeconds: Double = 0, proxies: ProxyDirectory = .ofEnvironment,
    maximumByteCount: Int = CoverCache.usualByteCount, makeFrame: @escaping FrameMaker = PictureRequests.noFrames,
    frameLength: @escaping FrameLength = { _ in nil }, foreignPictures: ForeignPictures = ForeignPictures()
  ) {
    (self.frameLength, self.foreignPictures) = (frameLength, foreignPictures)
    requests = PictureRequests(
      cache: cache, userAgent: userAgent, timeoutSeconds: max(timeoutSeconds, PictureRequests.shortestTimeout),
      proxies: proxies, makeFrame: makeFrame)
    self.cache = CoverCache(beside: cache, maximumByteCount: maximumByteCount)
  }

  /// Loads the cover at the first of several addresses that has one, at a size in cells.
  ///
  /// Requests it unless the disk cache has a large enough cover that `terms` accept. If these accept stale covers, any
  /// cached one is returned at once, as stale if a better address is yet to be requested. If the request fails, any
  /// cached cover is returned. After any failure the next address is tried, but a server that has failed twice is not
  /// requested again. Foreign formats are converted only if all others have failed. Throws the failure of the first
  /// address that may pass by itself, else that of the first address.
  ///
  /// - Parameter cellSize: in pixels.
  /// - Parameter sizeForPicture: the size in cells for a picture's size in pixels; nil if `size` holds for any.
  /// - Parameter reportSize: receives the upright size of the picture once the beginning of an answer shows it, unless
  ///   the disk cache has it, and stores it there; nil if the feed names the size.
  package func cover(
    _ addresses: [MediaAddress], on terms: Terms = Terms(), size: Size, cellSize: Size, glyphs: BlockGlyphs,
    wantsPixels: Bool, sizeForPicture: (@Sendable (Size) -> Size)? = nil, reportSize: (@Sendable (Size) -> Void)? = nil
  ) async throws(CoverFailure) -> CoverPicture {
    let format = CoverFormat(
      size: size, cellSize: cellSize, glyphs: glyphs, wantsPixels: wantsPixels, sizeForPicture: sizeForPicture)
    if case .retried(let press) = terms.use { requests.beginRetry(press) }
    if let picture = cachedCover(addresses, on: terms, in: format, reportSize) { return picture }
    var failure: CoverFailure?
    var foreign: [(fetched: Fetched, picture: ForeignPicture)] = []
    var failureCounts: [String: Int] = [:]
    for address in addresses {
      if Task.isCancelled { throw .cancelled }
      let server = address.web?.server
      if let server, failureCounts[server, default: 0] >= Self.maximumFailuresOfServer { continue }
      do {
        var picture = try await cover(at: address, on: terms, in: format, reportSize, &foreign)
        if failure != nil { picture.limitFreshness(ofSubstitute: terms.pace) }
        // Else each load would request them again, although this cover is cached.
        for (fetched, picture) in foreign { recordUnused(fetched.address, picture, terms.pace) }
        return picture
      } catch {
        if error == .cancelled { throw error }
        if case .foreign = error { continue }
        if failure?.isMissing ?? true, failure == nil || !error.isMissing { failure = error }
        if let server, case .web(let cause) = error, cause.scope != .address { failureCounts[server, default: 0] += 1 }
      }
    }
    for (fetched, picture) in foreign {
      do {
        let png = try await foreignPictures.png(of: picture)
        var picture = try await cover(of: png, as: fetched, in: format, reportSize)
        if failure != nil { picture.limitFreshness(ofSubstitute: terms.pace) }
        return picture
      } catch {
        if error == .cancelled { throw error }
        recordMissing(fetched.address, error, terms.pace)
        if failure?.isMissing ?? true { failure = error }
      }
    }
    if !Task.isCancelled, let largest = largestCover(addresses[...], on: terms, in: format) {
      return keep(largest.picture, at: largest.address, terms.pace)
    }
    throw failure ?? .noAddress
  }

  /// The average colors of known covers, without a request; some microseconds each.
  package func averages(of addresses: [MediaAddress]) async -> [MediaAddress: RGB] { cache.averages(of: addresses) }

  /// The known, upright sizes of pictures, without a request; some microseconds each.
  package func sizes(of addresses: [MediaAddress]) -> [Size?] { cache.sizes(of: addresses) }

  private func cover(
    at address: MediaAddress, on terms: Terms, in format: CoverFormat, _ reportSize: (@Sendable (Size) -> Void)?,
    _ foreign: inout [(fetched: Fetched, picture: ForeignPicture)]
  ) async throws(CoverFailure) -> CoverPicture {
    let known = reportSize == nil ? nil : cache.size(of: address)
    let stored = storedCover(at: address, known, on: terms, in: format)
    var old = stored?.picture
    if let old, terms.accept(old) {
      // The feed has named the size before, or it was evicted.
      if known == nil, reportSize != nil, let size = old.originalSize { cache.insert(size, of: address) }
      return old
    }
    if !terms.isRetry, let failure = cache.missing(address) {
      guard let old else { throw failure }
      return keep(old, at: address, terms.pace)
    }
    do throws(CoverFailure) {
      let answer = try await requests.bytes(
        of: address, known: old == nil ? nil : cache.version(of: address), referrer: terms.referrer(for: address),
        inspect: reportSize.map { Self.headerInspection(known, $0) })
      if Task.isCancelled { throw .cancelled }
      let time = UnixTime.now
      // A server that confirms a cover need not repeat how long it is fresh (RFC 9111, 4.3.4).
      let earlier = answer.bytes == nil ? stored?.lifetime : nil
      let freshness = terms.pace.freshness(from: time, lifetime: answer.caching?.lifetime ?? earlier)
      guard let bytes = answer.bytes else {
        cache.confirm(address, until: UnixTime(seconds: freshness.upperBound))
        old?.freshness = freshness
        old?.isFromServer = true
        if let old { return old }
        throw .web(.status(304, retryAfter: nil))
      }
      let fetched = Fetched(
        address: address, time: time, freshness: freshness, version: answer.version, isRetry: terms.isRetry)
      do throws(CoverFailure) {
        return try await cover(of: bytes, as: fetched, in: format, reportSize)
      } catch {
        if case .foreign(let picture) = error {
          // A converted cover is renewed at once: the next address would replace it only until then.
          if !cache.averages(of: [address]).isEmpty {
            return try await cover(of: try await foreignPictures.png(of: picture), as: fetched, in: format, reportSize)
          }
          // Many loads may wait for ffmpeg at the same time, with their pictures in memory.
          let byteCount = foreign.reduce(picture.byteCount) { $0 + $1.picture.byteCount }
          if byteCount <= PictureLimits.webByteCount { foreign.append((fetched, picture)) }
        }
        throw error
      }
    } catch {
      if case .foreign = error { throw error }
      recordMissing(address, error, terms.pace)
      guard error != .cancelled, let old else { throw error }
      return keep(old, at: address, terms.pace)
    }
  }

  private func cover(
    of bytes: [UInt8], as fetched: Fetched, in format: CoverFormat, _ reportSize: (@Sendable (Size) -> Void)?
  ) async throws(CoverFailure) -> CoverPicture {
    if Task.isCancelled { throw .cancelled }
    var (picture, thumbnail) = try decode(bytes, in: format)
    picture.isFromServer = fetched.address.web != nil
    if picture.isFromServer { picture.freshness = fetched.freshness }
    if let frame = fetched.address.frame {
      picture.videoSeconds = await frameLength(frame)
      // Else the frame would be stored as that of a video without a length.
      if picture.videoSeconds == nil, Task.isCancelled { throw .cancelled }
    }
    thumbnail?.videoSeconds = picture.videoSeconds.flatMap(Thumbnail.videoSeconds)
    if fetched.isRetry { cache.removeMissing(fetched.address) }
    let size = reportSize == nil ? nil : picture.originalSize
    if let thumbnail {
      cache.insert(
        thumbnail, of: fetched.address, at: fetched.time, freshUntil: UnixTime(seconds: fetched.freshness.upperBound),
        version: fetched.version, size: size)
    } else if let size {
      cache.insert(size, of: fetched.address)
    }
    return picture
  }

  /// Returns an old cover that could not be replaced. It is not requested again for a while.
  private func keep(_ cover: CoverPicture, at address: MediaAddress, _ pace: CoverPace) -> CoverPicture {
    var cover = cover
    let freshness = pace.freshness(from: .now, lifetime: 0)
    cache.keep(address, until: UnixTime(seconds: freshness.upperBound))
    cover.freshness = freshness
    return cover
  }

  private static func headerInspection(
    _ known: Size?, _ reportSize: @escaping @Sendable (Size) -> Void
  ) -> @Sendable ([UInt8]) -> Bool {
    { beginning in
      do throws(PictureError) {
        let size = try PictureDecoder.size(of: beginning)
        if size != known, size.isOfCover { reportSize(size) }
        return false
      } catch {
        return error == .damaged
      }
    }
  }

  private func decode(_ bytes: [UInt8], in format: CoverFormat) throws(CoverFailure) -> (CoverPicture, Thumbnail?) {
    do {
      return try CoverPicture.decode(bytes, in: format)
    } catch {
      guard error == .unknownFormat else { throw .picture(error) }
      if let picture = ForeignPicture(bytes) { throw .foreign(picture) }
      throw HTMLPage.isStarted(by: bytes) ? .webPage : .picture(error)
    }
  }

  /// Records a picture that was not converted, because another address has a cover.
  private func recordUnused(_ address: MediaAddress, _ picture: ForeignPicture, _ pace: CoverPace) {
    let failure = CoverFailure.foreign(picture)
    // Without the bytes.
    let record = CoverFailure.earlier(reason: failure.reason)
    cache.insertMissing(address, record, seconds: pace.missingSeconds(after: record), onDisk: true)
  }

  private func recordMissing(_ address: MediaAddress, _ failure: CoverFailure, _ pace: CoverPace) {
    guard failure.isMissing else { return }
    let seconds = pace.missingSeconds(after: failure)
    switch failure {
    case .foreign, .picture(.noMemory): break
    case .picture(.unknownFormat), .picture(.noLibrary), .webPage, .needsProgram, .notConverted:
      cache.insertMissing(address, failure, seconds: seconds, onDisk: false)
    // The disk has only words, which do not show an absence.
    default: cache.insertMissing(address, failure, seconds: seconds, onDisk: failure.kind != .absent)
    }
  }

  /// The first cached cover that is large enough, else the largest; stale if a better one is yet to be requested.
  private func cachedCover(
    _ addresses: [MediaAddress], on terms: Terms, in format: CoverFormat, _ reportSize: (@Sendable (Size) -> Void)?
  ) -> CoverPicture? {
    guard terms.use == .always else { return nil }
    // A local picture is not stored, and no server delays it.
    let addresses = addresses.prefix { $0.file == nil }
    for (number, address) in addresses.enumerated() {
      let known = reportSize == nil ? nil : cache.size(of: address)
      guard var picture = storedCover(at: address, known, on: terms, in: format)?.picture else { continue }
      if known == nil, reportSize != nil, let size = picture.originalSize { cache.insert(size, of: address) }
      let better = addresses.prefix(number)
      if better.contains(where: { cache.missing($0) == nil }) {
        picture.endFreshness()
      } else if !better.isEmpty {
        picture.limitFreshness(ofSubstitute: terms.pace)
      }
      return picture
    }
    var largest = largestCover(addresses, on: terms, in: format)?.picture
    largest?.endFreshness()
    return largest
  }

  private func largestCover(
    _ addresses: ArraySlice<MediaAddress>, on terms: Terms, in format: CoverFormat
  ) -> (picture: CoverPicture, address: MediaAddress)? {
    let stored = addresses.compactMap { address in cache.thumbnail(of: address).map { (address: address, $0) } }
    let largest = stored.max { $0.1.thumbnail.size.width < $1.1.thumbnail.size.width }
    return largest.flatMap { address, stored in
      picture(of: stored, address, cache.size(of: address), on: terms, in: format).map { ($0, address) }
    }
  }

  /// Nil unless it is large enough. The lifetime is in seconds after each answer of its server.
  private func storedCover(
    at address: MediaAddress, _ size: Size?, on terms: Terms, in format: CoverFormat
  ) -> (picture: CoverPicture, lifetime: Int)? {
    guard let stored = cache.thumbnail(of: address),
      stored.thumbnail.suffices(for: format.fitted(to: size ?? stored.thumbnail.size))
    else { return nil }
    return picture(of: stored, address, size, on: terms, in: format).map { ($0, stored.lifetime) }
  }

  /// - Parameter size: that of the whole picture, whose proportions the thumbnail has only nearly; nil if unknown.
  private func picture(
    of stored: CoverStore.Entry, _ address: MediaAddress, _ size: Size?, on terms: Terms, in format: CoverFormat
  ) -> CoverPicture? {
    do throws(PictureError) {
      let whole = size ?? stored.thumbnail.size
      var picture = try CoverPicture(stored.thumbnail, in: format.fitted(to: whole))
      picture.originalSize = whole
      // The address of a frame changes with its file.
      if address.frame == nil { picture.freshness = stored.freshness(at: .now, terms.pace) }
      return picture
    } catch {
      cache.remove(address)
      return nil
    }
  }

  package struct Terms: Sendable {
    package var use = CoverUse.whileFresh
    package var pace = CoverPace.settled
    /// The page of the video. Its origin is sent to servers that refuse requests without one.
    package var page: WebAddress?

    package init(use: CoverUse = .whileFresh, pace: CoverPace = .settled, page: WebAddress? = nil) {
      (self.use, self.pace, self.page) = (use, pace, page)
    }

    var isRetry: Bool { if case .retried = use { true } else { false } }

    func accept(_ picture: CoverPicture) -> Bool {
      guard let freshness = picture.freshness else { return true }
      switch use {
      case .always: return true
      case .whileFresh: return UnixTime.now.seconds < freshness.upperBound
      case .retried: return UnixTime.now.seconds < freshness.lowerBound
      }
    }

    /// The origin of the page, without its path and any user; nil if only the page is encrypted.
    func referrer(for address: MediaAddress) -> WebAddress? {
      guard let page, let web = address.web, page.scheme == "http" || web.scheme == "https" else { return nil }
      return WebAddress(page.origin + "/")
    }
  }
}

extension CoverPace {
  /// In seconds.
  static let longestFreshness = 30 * 86_400
  /// However often its server wants it to be requested.
  fileprivate var shortestFreshness: Int { self == .live ? 60 : 600 }

  private var usualFreshness: Int {
    switch self {
    case .settled: Self.longestFreshness
    case .new: 86_400
    case .live: shortestFreshness
    }
  }

  /// From the time at which the user may request a cover again until it becomes stale, in seconds since 1970.
  /// - Parameter lifetime: in seconds, as its server states it; nil if it states none.
  func freshness(from fetched: UnixTime, lifetime: Int?) -> Range<Int> {
    let seconds = min(max(lifetime ?? usualFreshness, shortestFreshness), Self.longestFreshness)
    return fetched.seconds + shortestFreshness..<fetched.seconds + seconds
  }

  /// In seconds, for an address without a picture: six hours after a failure that no retry can end.
  func missingSeconds(after failure: CoverFailure) -> Int {
    switch failure {
    // It may be the login page of a network.
    case .webPage: 300
    // By then, ffmpeg may be installed or the machine less busy.
    case .needsProgram, .notConverted(_, .timedOut), .notConverted(_, .notStarted): 300
    // The server of a new video may still be making its cover.
    case .web(.status(403, _)), .web(.status(404, _)), .web(.status(410, _)): self == .settled ? 6 * 3600 : 600
    default: 6 * 3600
    }
  }
}

extension CoverPicture {
  /// Lets a better cover be requested at once, whatever the clock.
  mutating func endFreshness() { freshness = 0..<0 }

  /// For a cover in place of a better one that failed to load: it is requested again soon, and at once by the user.
  mutating func limitFreshness(ofSubstitute pace: CoverPace) {
    let now = UnixTime.now
    freshness = freshness.map { freshness in
      let end = min(freshness.upperBound, pace.freshness(from: now, lifetime: 0).upperBound)
      return min(freshness.lowerBound, now.seconds, end)..<end
    }
  }
}

extension CoverStore.Entry {
  /// Over if the clock was set back.
  func freshness(at now: UnixTime, _ pace: CoverPace) -> Range<Int> {
    let freshness = fetched <= now ? pace.freshness(from: fetched, lifetime: lifetime) : now.seconds..<now.seconds
    guard let end = keptUntil?.seconds, end > freshness.upperBound, end <= now.seconds + pace.shortestFreshness
    else { return freshness }
    return freshness.lowerBound..<end
  }
}
