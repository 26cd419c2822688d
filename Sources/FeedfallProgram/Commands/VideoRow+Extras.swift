import FeedfallFeeds

extension VideoRow {
  struct Person: Encodable {
    var name: String
    var role: String
    var group: String
    var url: String?
    var image: String?
  }

  /// Times are in seconds.
  struct ChapterRow: Encodable {
    var start: Double
    var title: String
  }

  /// Times are in seconds.
  struct Soundbite: Encodable {
    var start: Double
    var duration: Double
    var title: String
  }

  struct Transcript: Encodable {
    var url: String
    var type: String?
    var language: String?
    var captions: Bool?
  }

  struct Funding: Encodable {
    var url: String
    var title: String?
  }

  /// - Parameter title: the title for a soundbite without one.
  mutating func adopt(_ extras: VideoExtras, title: String) {
    season = extras.season
    seasonName = extras.seasonName
    episode = extras.episode
    episodeName = extras.episodeName
    episodeType = extras.episodeType?.rawValue
    categories = Self.list(extras.categories)
    people = Self.list(
      extras.people.map {
        Person(
          name: $0.name, role: $0.role, group: $0.group, url: $0.page?.withoutUser.text,
          image: $0.picture?.withoutUser.text)
      })
    transcripts = Self.list(
      extras.transcripts.map {
        Transcript(
          url: $0.url.withoutUser.text, type: $0.type, language: $0.language, captions: $0.isCaptions ? true : nil)
      })
    funding = Self.list(extras.funding.map { Funding(url: $0.url.withoutUser.text, title: $0.title) })
    soundbites = Self.list(
      extras.soundbites.map { Soundbite(start: $0.start, duration: $0.duration, title: $0.title ?? title) })
    countries = extras.countries.flatMap { $0.isAvailable ? $0.codes : nil }
    deniedCountries = extras.countries.flatMap { $0.isAvailable ? nil : $0.codes }
  }

  private static func list<Value>(_ values: [Value]) -> [Value]? { values.isEmpty ? nil : values }
}
