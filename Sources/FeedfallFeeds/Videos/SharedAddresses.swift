import FeedfallText

/// Gives videos of one document distinct ids where the address that identifies them is shared.
///
/// Videos with the same address are one only if title and page agree, too.
struct SharedAddresses {
  /// A digest of title and page by a digest of the address.
  private var known: [Int: Int] = [:]

  /// Returns the video, with title and page in its id if the address has identified another video.
  mutating func distinguished(_ video: Video) -> Video {
    guard case .direct(let files) = video.playback, files.contains(where: { $0.url.text == video.id }) else {
      return video
    }
    let digest = [video.title, video.pageURL?.text ?? ""].hashValue
    guard let first = known.updateValue(digest, forKey: video.id.hashValue) else { return video }
    known[video.id.hashValue] = first
    guard first != digest else { return video }
    var video = video
    video.id += [" ", video.title, " ", video.pageURL?.text ?? ""].joined()
    return video
  }
}
