import FeedfallText

extension SyndicationDocument {
  /// The rare facts of an item or a channel: those of Podcasting 2.0 and iTunes, categories, and the restrictions of
  /// Media RSS.
  struct Extras: Sendable {
    private(set) var extras = VideoExtras()
    private(set) var flags: VideoFlags = []
    /// The flags that the element states, set or not.
    private var statedFlags: VideoFlags = []
    private(set) var simpleChapters: XMLElement?
    private(set) var linkedChapters: XMLElement?

    init() {}

    /// Reads the children of an item, and adds the facts that its channel states for all items.
    /// - Complexity: O(n) in the nodes; one pass, because most items have none of these facts.
    init(_ item: XMLElement, in channel: Channel, _ shared: inout SharedTexts) {
      var media = MediaFlags()
      for case .element(let child) in item.nodes { merge(child, &media) }
      adopt(media)
      for index in extras.categories.indices {
        extras.categories[index] = shared.shared(extras.categories[index]) ?? extras.categories[index]
      }
      inherit(channel)
    }

    mutating func merge(ofChannel child: XMLElement) {
      var media = MediaFlags()
      merge(child, &media)
      adopt(media)
    }

    private mutating func merge(_ child: XMLElement, _ media: inout MediaFlags) {
      switch child.space {
      case .podcast: mergePodcast(child)
      case .itunes: mergeITunes(child)
      case .media: mergeMedia(child, &media)
      case .rss, .atom: if child.hasName("category") { mergeCategory(child) }
      case .dublinCore: if child.hasName("subject") { mergeCategory(child) }
      case .podlove: if simpleChapters == nil, child.hasName("chapters") { simpleChapters = child }
      case .youTube, .content, .history, .xhtml, .xml, .other: break
      }
    }

    /// People of an item replace those of the channel (Podcasting 2.0, `podcast:person`).
    private mutating func inherit(_ channel: Channel) {
      let outer = channel.extras
      flags.formUnion(outer.flags.subtracting(statedFlags))
      if extras.people.isEmpty { extras.people = outer.extras.people }
      if extras.funding.isEmpty { extras.funding = outer.extras.funding }
      if extras.categories.isEmpty { extras.categories = outer.extras.categories }
      if !statedFlags.contains(.restricted) { extras.countries = outer.extras.countries }
      guard channel.language != nil else { return }
      for index in extras.transcripts.indices where extras.transcripts[index].language == nil {
        extras.transcripts[index].language = channel.language
      }
    }

    private mutating func set(_ flag: VideoFlags, _ isSet: Bool) {
      statedFlags.insert(flag)
      if isSet { flags.insert(flag) }
    }

    /// Atom has a label and a term, other formats have a text.
    private mutating func mergeCategory(_ element: XMLElement) {
      guard extras.categories.count < VideoExtras.maximumCount else { return }
      let stated = Self.line(element.attribute("label")) ?? Self.line(element.attribute("term"))
      extras.categories.append(category: stated ?? element.feedLine(limit: Self.longestText))
    }
  }
}

// MARK: - Podcasting 2.0 and iTunes

extension SyndicationDocument.Extras {
  /// In characters; the specification of Podcasting 2.0 allows no more.
  private static let longestText = 128
  private static let longestEpisodeName = 32
  /// Some numbers are dates, such as 20260131.
  private static let largestNumber = 1e9

  private mutating func mergePodcast(_ element: XMLElement) {
    switch element.name {
    case "season":
      guard let number = Self.number(element.text).flatMap({ Int(exactly: $0) }) else { return }
      (extras.season, extras.seasonName) = (number, Self.line(element.attribute("name")))
    case "episode":
      guard let number = Self.number(element.text) else { return }
      extras.episode = number
      extras.episodeName = Self.line(element.attribute("display"), limit: Self.longestEpisodeName)
    case "person" where extras.people.count < VideoExtras.maximumCount: mergePerson(element)
    case "transcript" where extras.transcripts.count < VideoExtras.maximumCount: mergeTranscript(element)
    case "funding" where extras.funding.count < VideoExtras.maximumCount: mergeFunding(element)
    case "soundbite" where extras.soundbites.count < VideoExtras.maximumCount: mergeSoundbite(element)
    case "chapters": if linkedChapters == nil { linkedChapters = element }
    default: break
    }
  }

  /// The numbers of Podcasting 2.0 take precedence over those of iTunes, in which zero is invalid.
  private mutating func mergeITunes(_ element: XMLElement) {
    switch element.name {
    case "season":
      extras.season = extras.season ?? Self.number(element.text).flatMap { $0 > 0 ? Int(exactly: $0) : nil }
    case "episode":
      extras.episode = extras.episode ?? Self.number(element.text).flatMap { $0 > 0 ? $0 : nil }
    case "episodetype":
      extras.episodeType = extras.episodeType ?? VideoExtras.EpisodeType(rawValue: Self.word(element.text))
    case "explicit":
      switch Self.word(element.text) {
      case "yes", "true", "explicit", "1": set(.sensitive, true)
      case "no", "false", "clean", "0": set(.sensitive, false)
      default: break
      }
    case "category": mergeITunesCategory(element, depth: 2)
    default: break
    }
  }

  private mutating func mergeITunesCategory(_ element: XMLElement, depth: Int) {
    extras.categories.append(category: Self.line(element.attribute("text") ?? element.text))
    guard depth > 1 else { return }
    for inner in element.children(.itunes, "category").prefix(VideoExtras.maximumCount) {
      mergeITunesCategory(inner, depth: depth - 1)
    }
  }

  /// The default role is `host`, the default group `cast`.
  private mutating func mergePerson(_ element: XMLElement) {
    guard let name = element.feedLine(limit: Self.longestText) else { return }
    extras.people.append(
      VideoExtras.Person(
        name: name, role: Self.line(element.attribute("role"))?.lowercased() ?? "host",
        group: Self.line(element.attribute("group"))?.lowercased() ?? "cast", page: Self.address(element, "href"),
        picture: Self.address(element, "img")))
  }

  private mutating func mergeTranscript(_ element: XMLElement) {
    guard let url = Self.address(element, "url") else { return }
    extras.transcripts.append(
      VideoExtras.Transcript(
        url: url, type: Self.type(element.attribute("type")),
        language: Self.line(element.attribute("language"), limit: Video.maximumLanguageLength),
        isCaptions: Self.word(element.attribute("rel") ?? "") == "captions"))
  }

  private mutating func mergeFunding(_ element: XMLElement) {
    guard let url = Self.address(element, "url") else { return }
    extras.funding.append(VideoExtras.Funding(url: url, title: element.feedLine(limit: Self.longestText)))
  }

  private mutating func mergeSoundbite(_ element: XMLElement) {
    guard let start = element.attribute("starttime").flatMap(Self.number),
      let duration = element.attribute("duration").flatMap(Self.number), duration > 0
    else { return }
    let title = element.feedLine(limit: Self.longestText)
    extras.soundbites.append(VideoExtras.Soundbite(start: start, duration: duration, title: title))
  }

  private static func address(_ element: XMLElement, _ name: String) -> WebAddress? {
    element.attribute(name).flatMap { WebAddress(reference: $0, base: element.base) }
  }

  private static func line(_ text: String?, limit: Int = longestText) -> String? {
    text.map { cleanedLine($0, limit: limit) }.nonEmpty
  }

  private static func type(_ text: String?) -> String? {
    text.flatMap { line(String($0.prefix { $0 != ";" })) }?.lowercased()
  }

  private static func word(_ text: String) -> String { cleanedLine(text, limit: longestText).lowercased() }

  /// Parses digits with at most one point, 0 to `largestNumber`.
  private static func number(_ text: String) -> Double? {
    let digits = Array(text.utf8.prefix(longestText)).trimmingBlanks()
    guard digits.count <= 20, digits.contains(where: \.isASCIIDigit),
      digits.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
      let number = Double(String(decoding: digits, as: UTF8.self)), number <= largestNumber
    else { return nil }
    return number
  }

  /// Flags that all media have are those of the item.
  private struct MediaFlags {
    var ofAll: (flags: VideoFlags, stated: VideoFlags)?
    var countries: VideoExtras.CountryLimit?

    mutating func add(_ flags: VideoFlags, stated: VideoFlags) {
      ofAll = ofAll.map { ($0.flags.intersection(flags), $0.stated.intersection(stated)) } ?? (flags, stated)
    }
  }

  /// Adopts the flags of the media, which override those of the elements around them (Media RSS 1.5, optional
  /// elements).
  private mutating func adopt(_ media: MediaFlags) {
    guard let inner = media.ofAll else { return }
    flags = flags.subtracting(inner.stated).union(inner.flags)
    statedFlags.formUnion(inner.stated)
    if inner.stated.contains(.restricted) { extras.countries = media.countries }
  }

  private mutating func mergeMedia(_ element: XMLElement, _ media: inout MediaFlags) {
    switch element.name {
    case "rating": if let isAdult = Self.isAdult(element) { set(.sensitive, isAdult) }
    case "adult": set(.sensitive, Self.word(element.text) == "true")
    case "status":
      let state = Self.word(element.attribute("state") ?? "")
      set(.deleted, state == "deleted")
      set(.blocked, state == "blocked")
    case "restriction": mergeRestriction(element)
    case "price": set(.paid, Self.isPaid(element))
    case "category": mergeCategory(element)
    case "group":
      for case .element(let child) in element.nodes where child.space == .media { mergeMedia(child, &media) }
    case "content":
      var content = Self()
      var inner = MediaFlags()
      for case .element(let child) in element.nodes where child.space == .media && child.name != "group" {
        if child.name != "content" { content.mergeMedia(child, &inner) }
      }
      media.add(content.flags, stated: content.statedFlags)
      media.countries = media.countries ?? content.extras.countries
      for category in content.extras.categories { extras.categories.append(category: category) }
    default: break
    }
  }

  /// Whether a rating is for adults only; nil if it is unknown.
  private static func isAdult(_ rating: XMLElement) -> Bool? {
    switch word(rating.text) {
    case "adult", "nc-17", "nc17", "x", "xxx", "tv-ma", "18", "18+", "r18", "r18+": true
    case "": nil
    default: false
    }
  }

  /// A video is free without a type and an amount, and with the amount 0.
  private static func isPaid(_ price: XMLElement) -> Bool {
    let amount = price.attribute("price") ?? ""
    guard amount.utf8.contains(where: \.isASCIIDigit) else { return price.attribute("type")?.isEmpty == false }
    return amount.utf8.contains { $0.isASCIIDigit && $0 != UInt8(ascii: "0") }
  }

  /// A restriction by country, or one for all or no countries. Others are about embedding and sharing.
  private mutating func mergeRestriction(_ element: XMLElement) {
    let type = Self.word(element.attribute("type") ?? "")
    guard type == "country" || type.isEmpty else { return }
    let isAllowed = Self.word(element.attribute("relationship") ?? "") != "deny"
    let words = cleanedLine(element.text, limit: 1_000).uppercased().split { !$0.isLetter && $0 != "-" }
    if words == ["ALL"] || words == ["NONE"] { return set(.restricted, isAllowed == (words == ["NONE"])) }
    let codes = words.filter { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isASCIILetter) }.map(String.init)
    guard !codes.isEmpty else { return set(.restricted, type == "country" && !words.isEmpty) }
    set(.restricted, true)
    if extras.countries == nil { extras.countries = VideoExtras.CountryLimit(isAvailable: isAllowed, codes: codes) }
  }
}
