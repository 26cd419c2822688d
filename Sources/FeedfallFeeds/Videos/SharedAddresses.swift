import FeedfallText

/// Gives videos of one document distinct ids where the address that identifies them is shared.
///
/// Videos with the same address are one only if title and page agree, too.
struct SharedAddresses {
  /// A digest of title and page by a digest of the address.
  private var known: [Int: Int] = [:]

  /// Adds title and page to the id of a video whose address has identified another one.
  mutating func distinguish(_ video: inout Video) {
    guard case .direct(let files) = video.playback, files.contains(where: { $0.url.text == video.id }) else { return }
    if known.isEmpty { known.reserveCapacity(64) }
    let key = video.id.hashValue
    var hasher = Hasher()
    hasher.combine(video.title)
    hasher.combine(video.pageURL)
    let digest = hasher.finalize()
    guard let first = known[key] else {
      known[key] = digest
      return
    }
    guard first != digest else { return }
    video.id = cleanedLine([video.title, video.pageURL?.text ?? "", video.id].joined(separator: " "), limit: 9_000)
  }
}
