import FeedfallScreen
import FeedfallSources
import FeedfallText
import WaterfallEngine

/// Gets covers: from the disk, else from where they are; decoded, scaled and made into cells.
///
/// Decoding takes its time, a quarter of a second for the largest pictures: run what asks for covers on a thread of its
/// own, by `Task(executorPreference:)`, and not where pages are waited for. No cover stays in memory here.
public final class CoverLoader: Sendable {
  let requests: PictureRequests
  private let cache: CoverCache

  /// After so many seconds a kept cover is asked for anew.
  private static let longestTrust = 30 * 86_400
  /// For how long nobody asks again where there was no picture, in seconds.
  private static let missingSeconds = 6 * 3600
  /// The same where something else was: a network that wants to be logged in to answers so in the place of all servers.
  private static let otherSeconds = 300

  /// Covers are kept beside the pages of the options' cache; nothing is opened before the first one is asked for.
  public convenience init(options: SourceOptions) {
    self.init(options: options, maximumByteCount: CoverCache.usualByteCount)
  }

  init(options: SourceOptions, maximumByteCount: Int) {
    requests = PictureRequests(options: options)
    cache = CoverCache(beside: options.cache, maximumByteCount: maximumByteCount)
  }

  /// Gets the cover at the first of some addresses that has one, in as many cells as `size` says.
  ///
  /// `cellSize` is a cell's size in pixels; with `wantsPixels` it is also given in these. A server is asked for what is
  /// not on disk, or is there too small; where it fails, what is on disk has to do. The others are tried only where
  /// there is no picture at an address. Ends early, as a failure, when its task is cancelled.
  public func cover(
    _ addresses: [MediaAddress], size: Size, cellSize: Size, glyphs: BlockGlyphs, wantsPixels: Bool
  ) async -> Result<CoverPicture, FeedFailure> {
    let wish = CoverWish(size: size, cellSize: cellSize, glyphs: glyphs, wantsPixels: wantsPixels)
    var failure = FeedFailure(.permanent, "there is no cover")
    for (index, address) in addresses.enumerated() {
      if Task.isCancelled { return .failure(.cancelled) }
      switch await cover(at: address, as: wish) {
      case .picture(let picture): return .success(picture)
      case .missing(let reason): if index == 0 { failure = reason }
      case .failed(let reason): return keptCover(addresses, as: wish).map { .success($0) } ?? .failure(reason)
      }
    }
    return keptCover(addresses, as: wish).map { .success($0) } ?? .failure(failure)
  }

  /// The average colours of covers that are known from earlier, without any request.
  /// Complexity: O(number of addresses), some microseconds each.
  public func averages(of addresses: [MediaAddress]) async -> [MediaAddress: RGB] {
    cache.averages(of: addresses)
  }

  private enum Outcome {
    case picture(CoverPicture)
    case missing(FeedFailure)
    case failed(FeedFailure)
  }

  private func cover(at address: MediaAddress, as wish: CoverWish) async -> Outcome {
    if let kept = cache.thumbnail(of: address), kept.isTrusted(for: Self.longestTrust),
      kept.thumbnail.suffices(for: wish), let picture = picture(of: kept, address, as: wish)
    {
      return .picture(picture)
    }
    if let failure = cache.missing(address) { return .missing(failure) }
    switch await requests.bytes(of: address) {
    case .bytes(let bytes): return Task.isCancelled ? .failed(.cancelled) : made(of: bytes, from: address, as: wish)
    case .failed(let failure): return .failed(failure)
    case .missing(let failure):
      cache.note(missing: address, failure, seconds: Self.missingSeconds, onDisk: true)
      return .missing(failure)
    }
  }

  private func made(of bytes: [UInt8], from address: MediaAddress, as wish: CoverWish) -> Outcome {
    do throws(PictureError) {
      let (picture, thumbnail) = try CoverPicture.made(of: bytes, as: wish)
      if let thumbnail { cache.keep(thumbnail, of: address) }
      return .picture(picture)
    } catch {
      note(error, at: address)
      return .missing(error.failure)
    }
  }

  private func note(_ error: PictureError, at address: MediaAddress) {
    switch error {
    case .damaged, .tooLarge, .tooMuchWork:
      cache.note(missing: address, error.failure, seconds: Self.missingSeconds, onDisk: true)
    case .noLibrary: cache.note(missing: address, error.failure, seconds: Self.missingSeconds, onDisk: false)
    case .unknownFormat: cache.note(missing: address, error.failure, seconds: Self.otherSeconds, onDisk: false)
    case .noMemory: break
    }
  }

  // MARK: what is kept

  /// The best that is on disk where nothing better can be had.
  private func keptCover(_ addresses: [MediaAddress], as wish: CoverWish) -> CoverPicture? {
    guard !Task.isCancelled else { return nil }
    let kept = addresses.compactMap { address in cache.thumbnail(of: address).map { (address: address, $0) } }
    let largest = kept.max { $0.1.thumbnail.size.width < $1.1.thumbnail.size.width }
    return largest.flatMap { picture(of: $0.1, $0.address, as: wish) }
  }

  private func picture(of kept: KeptThumbnail, _ address: MediaAddress, as wish: CoverWish) -> CoverPicture? {
    do throws(PictureError) {
      return try CoverPicture(kept.thumbnail, as: wish)
    } catch {
      cache.forget(address)
      return nil
    }
  }
}

extension KeptThumbnail {
  /// Whether its picture was got at most so many seconds ago; not where the clock was set back.
  fileprivate func isTrusted(for seconds: Int) -> Bool {
    (gotAt.seconds...gotAt.seconds + seconds).contains(UnixTime.now.seconds)
  }
}
