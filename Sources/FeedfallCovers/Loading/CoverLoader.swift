import FeedfallScreen
import FeedfallText
import FeedfallWeb
import WaterfallEngine

/// Loads covers from the disk cache or from their addresses: decoded, scaled and converted to cells.
///
/// Decoding takes up to a third of a second, so callers should run on a separate thread, by
/// `Task(executorPreference:)`. The loader stores no cover in memory.
package final class CoverLoader: Sendable {
  let requests: PictureRequests
  private let cache: CoverCache
  private let frameLength: FrameLength

  /// A cached cover is requested again after this many seconds.
  private static let longestFreshness = 30 * 86_400
  /// An address without a picture is requested again after this many seconds.
  private static let missingSeconds = 6 * 3600
  /// The same for an answer that is not a picture, such as the login page of a network.
  private static let otherSeconds = 300

  /// Stores covers beside the cached pages. Opens no file before the first cover.
  package init(
    cache: AnswerCache, userAgent: String, proxies: ProxyDirectory = .ofEnvironment,
    maximumByteCount: Int = CoverCache.usualByteCount, makeFrame: @escaping FrameMaker = PictureRequests.noFrames,
    frameLength: @escaping FrameLength = { _ in nil }
  ) {
    self.frameLength = frameLength
    requests = PictureRequests(cache: cache, userAgent: userAgent, proxies: proxies, makeFrame: makeFrame)
    self.cache = CoverCache(beside: cache, maximumByteCount: maximumByteCount)
  }

  /// Loads the cover at the first of several addresses that has one, at a size in cells.
  ///
  /// Requests it unless the disk cache has a large enough cover. If the request fails, any cached cover is returned.
  /// Another address is tried only if there is no picture at the preceding ones. Returns early if its task is
  /// cancelled.
  ///
  /// - Parameter cellSize: in pixels.
  /// - Parameter wantsPixels: whether the cover is also returned in pixels.
  /// - Parameter sizeForPicture: returns the size in cells for a picture of a size in pixels, in place of `size`; nil if
  ///   that holds for any picture.
  /// - Parameter reportSize: is called with the size of the picture, upright, once the beginning of an answer shows it
  ///   and the disk cache has another one or none. Stores the size in the disk cache. Nil if the feed names the size.
  package func cover(
    _ addresses: [MediaAddress], size: Size, cellSize: Size, glyphs: BlockGlyphs, wantsPixels: Bool,
    sizeForPicture: (@Sendable (Size) -> Size)? = nil, reportSize: (@Sendable (Size) -> Void)? = nil
  ) async throws(CoverFailure) -> CoverPicture {
    var format = CoverFormat(size: size, cellSize: cellSize, glyphs: glyphs, wantsPixels: wantsPixels)
    format.sizeForPicture = sizeForPicture
    var failure: CoverFailure?
    for address in addresses {
      if Task.isCancelled { throw .cancelled }
      do {
        return try await cover(at: address, in: format, reportSize)
      } catch {
        failure = failure ?? error
        guard error.isMissing else {
          failure = error
          break
        }
      }
    }
    if let picture = storedCover(addresses, in: format) { return picture }
    throw failure ?? .noAddress
  }

  /// Returns the average colors of known covers, without a request.
  /// Complexity: O(number of addresses), some microseconds each.
  package func averages(of addresses: [MediaAddress]) async -> [MediaAddress: RGB] {
    cache.averages(of: addresses)
  }

  /// Returns the known sizes of pictures, upright, without a request; nil for an unknown one.
  /// Complexity: O(number of addresses), some microseconds each.
  package func sizes(of addresses: [MediaAddress]) -> [Size?] { cache.sizes(of: addresses) }

  private func cover(
    at address: MediaAddress, in format: CoverFormat, _ reportSize: (@Sendable (Size) -> Void)?
  ) async throws(CoverFailure) -> CoverPicture {
    let known = reportSize == nil ? nil : cache.size(of: address)
    if let stored = cache.thumbnail(of: address), stored.isFresh(for: Self.longestFreshness),
      stored.thumbnail.suffices(for: format.fitted(to: known ?? stored.thumbnail.size)),
      let picture = picture(of: stored, address, known, in: format)
    {
      // Stored by a version without sizes.
      if known == nil, reportSize != nil { cache.insert(stored.thumbnail.size, of: address) }
      return picture
    }
    if let failure = cache.missing(address) { throw failure }
    do throws(CoverFailure) {
      let bytes = try await requests.bytes(
        of: address, inspect: reportSize.map { Self.headerInspection(known, $0) })
      if Task.isCancelled { throw .cancelled }
      var (picture, thumbnail) = try decode(bytes, in: format)
      picture.isFromServer = address.web != nil
      if let frame = address.frame {
        picture.videoSeconds = await frameLength(frame)
        // Else the frame would be stored as that of a video without a length.
        if picture.videoSeconds == nil, Task.isCancelled { throw .cancelled }
      }
      thumbnail?.videoSeconds = picture.videoSeconds.flatMap(Thumbnail.videoSeconds)
      let size = reportSize == nil ? nil : picture.originalSize
      if let thumbnail {
        cache.insert(thumbnail, of: address, size: size)
      } else if let size {
        cache.insert(size, of: address)
      }
      return picture
    } catch {
      recordMissing(address, error)
      throw error
    }
  }

  /// Reports the size in the header of a picture once, unless it is `known`.
  private static func headerInspection(
    _ known: Size?, _ reportSize: @escaping @Sendable (Size) -> Void
  ) -> @Sendable ([UInt8]) -> Bool {
    { beginning in
      do throws(PictureError) {
        let size = try PictureDecoder.size(of: beginning)
        if size != known { reportSize(size) }
        return false
      } catch {
        return error == .damaged
      }
    }
  }

  private func decode(
    _ bytes: [UInt8], in format: CoverFormat
  ) throws(CoverFailure) -> (CoverPicture, Thumbnail?) {
    do { return try CoverPicture.decode(bytes, in: format) } catch { throw .picture(error) }
  }

  private func recordMissing(_ address: MediaAddress, _ failure: CoverFailure) {
    guard failure.isMissing, failure != .picture(.noMemory) else { return }
    let seconds = failure == .picture(.unknownFormat) ? Self.otherSeconds : Self.missingSeconds
    let isLasting = ![.picture(.unknownFormat), .picture(.noLibrary)].contains(failure)
    cache.insertMissing(address, failure, seconds: seconds, onDisk: isLasting)
  }

  // MARK: - Covers on disk

  /// Returns the largest cached cover.
  private func storedCover(_ addresses: [MediaAddress], in format: CoverFormat) -> CoverPicture? {
    guard !Task.isCancelled else { return nil }
    let stored = addresses.compactMap { address in cache.thumbnail(of: address).map { (address: address, $0) } }
    let largest = stored.max { $0.1.thumbnail.size.width < $1.1.thumbnail.size.width }
    return largest.flatMap { picture(of: $0.1, $0.address, cache.size(of: $0.address), in: format) }
  }

  /// - Parameter size: that of the whole picture, whose proportions the thumbnail has only nearly; nil if it is unknown.
  private func picture(
    of stored: StoredThumbnail, _ address: MediaAddress, _ size: Size?, in format: CoverFormat
  ) -> CoverPicture? {
    do throws(PictureError) {
      let whole = size ?? stored.thumbnail.size
      var picture = try CoverPicture(stored.thumbnail, in: format.fitted(to: whole))
      picture.originalSize = whole
      return picture
    } catch {
      cache.remove(address)
      return nil
    }
  }
}

extension StoredThumbnail {
  /// Whether its picture was fetched in the last `seconds`; false if the clock was set back.
  fileprivate func isFresh(for seconds: Int) -> Bool {
    (fetched.seconds...fetched.seconds + seconds).contains(UnixTime.now.seconds)
  }
}
