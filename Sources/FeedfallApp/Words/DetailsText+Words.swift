import FeedfallFeeds
import FeedfallScreen
import FeedfallText

extension Words {
  static func originalTitle(_ title: String) -> String { "Original title: \(title)" }
}

extension DetailsText {
  var origin: [String] {
    let channel = video.channel ?? video.author
    // A list has no length, and a broadcast that has not ended none yet.
    let lacksLength = video.list == nil && (video.live == nil || video.live == .ended)
    let parts = [
      sourceName, [sourceName, video.title].contains(channel) ? nil : channel,
      video.published.map(zone.day)?.description ?? video.year.map { String($0) },
      video.duration?.description ?? (lacksLength ? "length unknown" : nil),
      video.views.map { $0 == 1 ? "1 view" : "\(TextFormat.count($0)) views" },
    ]
    return parts.compactMap(\.self)
  }

  var position: String? {
    guard stopSeconds > 0 else { return nil }
    let time = VideoDuration.seconds(stopSeconds)
    return video.duration.map { "stopped at \(time) of \($0)" } ?? "stopped at \(time)"
  }

  var warnings: [String] {
    let words: [(VideoFlags, String)] = [
      (.sensitive, "marked as sensitive"), (.needsPassword, "needs a password"),
      (.audioOnly, "audio only"), (.protected, "protected (DRM)"), (.paid, "not free"), (.restricted, restrictionWords),
      (.deleted, "deleted by its publisher"), (.blocked, "blocked by its publisher"),
      (.filesLeftOut, "has more files than the \(Video.maximumFileCount) used here"),
    ]
    return [liveWords].compactMap(\.self) + words.compactMap { video.flags.contains($0.0) ? $0.1 : nil }
  }

  private var restrictionWords: String {
    guard let countries = video.extras.countries else { return "not available in all countries" }
    let rest = countries.codes.count - Self.maximumCountryCount
    let codes = countries.codes.prefix(Self.maximumCountryCount).joined(separator: ", ")
    let list = rest > 0 ? "\(codes) and \(rest) more" : codes
    return countries.isAvailable ? "available only in \(list)" : "not available in \(list)"
  }

  private static let maximumCountryCount = 8

  private var liveWords: String? {
    switch video.live {
    case .live: "live now"
    case .upcoming(let start?): "upcoming, starts \(TextFormat.minute(start))"
    case .upcoming(nil): "upcoming"
    case .ended: "the broadcast has ended"
    case nil: nil
    }
  }

  // MARK: - Addresses

  private func action(_ command: BrowseCommand, _ verb: String) -> Action? {
    words.keys.name(of: .browse(command)).map { Action(key: $0, verb: verb) }
  }

  var addresses: [Line] {
    let copiesCover = video.coverAddress == nil ? nil : action(.copyCoverAddress, "copy")
    let copiesPlayback = playback == nil ? nil : action(.copyPlaybackAddress, "copy")
    let page = video.pageURL.map { row("Page", $0.description, link: $0.description, action(.openPage, "open")) }
    let cover = video.largeCover?.url.description ?? "none"
    let name = video.list != nil ? "List" : copy == nil ? "Playback" : "Address"
    return row("Cover", cover, link: video.coverAddress == nil ? nil : cover, copiesCover)
      + (copy.map { row("Playback", "the downloaded file", link: nil) + lines("File", $0) } ?? [])
      + row(name, playback ?? "none", link: video.address?.description, copiesPlayback) + (page ?? [])
  }

  private var playback: String? {
    video.address?.description ?? (video.detailsURL == nil ? nil : "looked up on demand")
  }

  // MARK: - Facts

  var facts: [Line] {
    let author = video.channel == nil || video.author == video.channel ? nil : video.author
    let facts = [
      (
        "Kind",
        video.list.map { list in
          [
            Words.kind(of: list), list.followerCount.map { Words.subscribers(TextFormat.count($0)) },
            list.videoCount.map(Words.videos),
          ].compactMap(\.self).joined(separator: " · ")
        }
      ),
      ("Episode", episodeWords), ("People", peopleWords), ("Topics", topicWords), ("License", licenceWords),
      ("Size", sizeWords), ("Languages", languages), ("Author", author),
    ]
    return facts.flatMap { label, value in value.map { lines(label, $0) } ?? [] }
  }

  private var languages: String? {
    guard case .direct(let files) = video.playback else { return video.language }
    return files.first?.language ?? video.language
  }

  private var sizeWords: String? {
    let parts = [
      video.pictureSize.map { "\($0.width) × \($0.height)" }, video.byteCount.map(\.asByteCount),
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var licenceWords: String? {
    guard let licence = video.licence else { return video.licenceURL?.description }
    return video.licenceURL.map { "\(licence) \($0)" } ?? licence
  }

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
