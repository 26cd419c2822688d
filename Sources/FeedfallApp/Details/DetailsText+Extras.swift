import FeedfallFeeds
import FeedfallScreen
import FeedfallText

extension DetailsText {
  private static let maximumCount = 6

  /// `Season 2 (Egypt), episode 13, bonus`.
  var episodeWords: String? {
    let extras = video.extras
    let season = extras.season.map { number in
      extras.seasonName.map { "season \(number) (\($0))" } ?? "season \(number)"
    }
    let number = extras.episode.map { Int(exactly: $0).map { String($0) } ?? String($0) }
    let episode = extras.episodeName ?? number.map { "episode \($0)" }
    let type = extras.episodeType.flatMap { $0 == .full ? nil : $0.rawValue }
    let parts = [season ?? extras.seasonName, episode, type].compactMap(\.self)
    guard let first = parts.joined(separator: ", ").nonEmpty else { return nil }
    return first.prefix(1).uppercased() + first.dropFirst()
  }

  /// `Ann Lee (host), Bob May (guest)`.
  var peopleWords: String? { Self.words(video.extras.people.map { "\($0.name) (\($0.role))" }) }
  var topicWords: String? { Self.words(video.extras.categories) }

  private static func words(_ values: [String]) -> String? {
    let rest = values.count - maximumCount
    let shown = values.prefix(maximumCount).joined(separator: ", ").nonEmpty
    return shown.map { rest > 0 ? "\($0) and \(rest) more" : $0 }
  }

  var linkLines: [Line] {
    let extras = video.extras
    return rows("Highlight", extras.soundbites) { (Self.words($0), nil) }
      + rows("Text", extras.transcripts.filter { !$0.hasTimes }) { (Self.words($0), $0.url.description) }
      + rows("Captions", extras.transcripts.filter(\.hasTimes)) { (Self.words($0), $0.url.description) }
      + rows("Support", extras.funding) { funding in
        let address = funding.url.description
        return (funding.title.map { "\($0) · \(funding.url.shownHost)" } ?? address, address)
      }
  }

  private static func words(_ soundbite: VideoExtras.Soundbite) -> String {
    let ends = [soundbite.start, soundbite.start + soundbite.duration].map {
      VideoDuration(seconds: $0)?.description ?? "0:00"
    }
    let times = ends.joined(separator: " – ")
    return soundbite.title.map { "\(times)  \($0)" } ?? times
  }

  private static func words(_ transcript: VideoExtras.Transcript) -> String {
    transcript.language.map { "\($0) · \(transcript.url.description)" } ?? transcript.url.description
  }

  private func rows<Value>(_ label: String, _ values: [Value], _ words: (Value) -> (text: String, link: String?))
    -> [Line]
  {
    let shown = values.prefix(Self.maximumCount).flatMap { value -> [Line] in
      let (text, link) = words(value)
      return row(label, text, link: link)
    }
    let rest = values.count - Self.maximumCount
    return shown + (rest > 0 ? row(label, "and \(rest) more", link: nil) : [])
  }
}

extension VideoExtras.Transcript {
  private static let extensions = ["vtt", "srt"]

  /// The type alone is not enough: many feeds declare plain text.
  fileprivate var hasTimes: Bool {
    isCaptions || (Self.extensions + ["subrip"]).contains { type?.contains($0) == true }
      || Self.extensions.contains { url.path.lowercased().hasSuffix("." + $0) }
  }
}
