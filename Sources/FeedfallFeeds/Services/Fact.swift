import FeedfallText

/// The places of a value in an item, the preferred one first, such as `"channel.name|uploader"`. Of a list,
/// as in `authors[].name`, the first element that has the value counts.
struct Field: ExpressibleByStringInterpolation, Sendable {
  private struct Key {
    let name: [UInt8]
    let isList: Bool
  }

  private let places: [[Key]]
  /// The name of the member, if the item itself has it.
  private let name: [UInt8]?

  private static let maximumElementCount = 64

  init(stringLiteral text: String) {
    places = text.split(separator: "|").map { place in
      place.split(separator: ".").map { name in
        let isList = name.hasSuffix("[]")
        return Key(name: Array((isList ? name.dropLast(2) : name).utf8), isList: isList)
      }
    }
    let isMember = places.count == 1 && places[0].count == 1 && !places[0][0].isList
    name = isMember ? places[0][0].name : nil
  }

  func first<Value>(in item: JSONObject, _ read: (JSONValue) -> Value?) -> Value? {
    if let name { return item[name].flatMap(read) }
    for place in places { if let value = Self.first(place[...], in: item, read) { return value } }
    return nil
  }

  func isIn(_ item: JSONObject) -> Bool { first(in: item) { $0 } != nil }

  private static func first<Value>(
    _ keys: ArraySlice<Key>, in item: JSONObject, _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let key = keys.first, let value = item[key.name] else { return nil }
    func inner(_ value: JSONValue) -> Value? {
      keys.count == 1 ? read(value) : value.object.flatMap { first(keys.dropFirst(), in: $0, read) }
    }
    return key.isList ? value.elements(limit: maximumElementCount)?.firstNonNil(inner) : inner(value)
  }
}

extension JSONObject {
  func line(at field: Field, as kind: TextKind = .plain, limit: Int = 200) -> String? {
    field.first(in: self) { $0.text.map { cleanedLine($0, as: kind, limit: limit) }.nonEmpty }
  }

  func address(at field: Field, base: WebAddress?) -> WebAddress? {
    field.first(in: self) { $0.string.flatMap { WebAddress(reference: $0, base: base) } }
  }

  func covers(_ list: StaticString, url: StaticString = "url", limit: Int = 64, base: WebAddress?) -> [Cover] {
    objects(list, limit: limit).compactMap { picture in
      picture.address(url, base: base).map {
        Cover(url: $0, width: picture["width"]?.integer, height: picture["height"]?.integer)
      }
    }
  }
}

/// A video in the making, with the item that describes it.
struct VideoDraft {
  let item: JSONObject
  let address: MediaAddress?
  var web: WebAddress? { address?.web }
  var shared = SharedTexts()
  /// An item whose ID stays empty has no video.
  var video = Video(id: "", title: Video.untitled, playback: .unknown)
  /// Files that may be different films.
  var films: [OfferedFile]?

  init(_ item: JSONObject, from address: MediaAddress?) { (self.item, self.address) = (item, address) }

  /// Returns false for an item without a video.
  mutating func adopt(_ facts: [Fact], _ shared: inout SharedTexts) -> Bool {
    swap(&self.shared, &shared)
    defer { swap(&self.shared, &shared) }
    for fact in facts {
      fact.adopt(&self)
      if video.id.isEmpty { return false }
    }
    // Sites whose feeds are in XML have no facts.
    return !video.id.isEmpty
  }

  /// On the server of the document.
  func place(_ path: String) -> WebAddress? { web.flatMap { WebAddress($0.origin + path) } }
}

/// A fact about a video, and where an item states it: a part of a field map. The first one is the ID.
struct Fact: Sendable {
  let adopt: @Sendable (inout VideoDraft) -> Void

  init(_ adopt: @escaping @Sendable (inout VideoDraft) -> Void) { self.adopt = adopt }

  /// - Parameter isValid: whether a text is an ID.
  static func id(
    _ field: Field, limit: Int = 200, where isValid: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> Fact {
    Fact { draft in
      draft.video.id =
        field.first(in: draft.item) {
          $0.text.map { cleanedLine($0, limit: limit) }.flatMap { !$0.isEmpty && isValid($0) ? $0 : nil }
        }
        ?? ""
    }
  }

  static func title(_ field: Field) -> Fact {
    Fact { if let title = $0.item.line(at: field, limit: 500) { $0.video.title = title } }
  }

  /// The page, which plays a video without files.
  static func page(_ field: Field) -> Fact {
    Fact { draft in
      draft.video.pageURL = draft.item.address(at: field, base: draft.web)
      if let page = draft.video.pageURL { draft.video.playback = .page(page) }
    }
  }

  /// The request for the files, this path with the ID, unless the item has one of these members.
  static func details(at path: String, unless members: Field) -> Fact {
    Fact { draft in
      guard !members.isIn(draft.item), let details = draft.place(path + draft.video.id) else { return }
      draft.video.playback = .details(details, page: draft.video.pageURL)
    }
  }

  enum DurationUnit { case seconds, nearestSecond, written }

  static func duration(_ field: Field, in unit: DurationUnit = .seconds) -> Fact {
    Fact { draft in
      draft.video.duration = field.first(in: draft.item) { value in
        switch unit {
        case .seconds: value.double.flatMap { VideoDuration(seconds: $0) }
        case .nearestSecond: value.double.flatMap { VideoDuration(seconds: $0.rounded()) }
        case .written: VideoDuration(value)
        }
      }
    }
  }

  /// Pictures without a size.
  static func covers(_ fields: Field...) -> Fact {
    Fact { draft in
      draft.video.covers = fields.compactMap { draft.item.address(at: $0, base: draft.web) }.map { Cover(url: $0) }
    }
  }

  static func channel(_ field: Field) -> Fact { Fact { $0.video.channel = $0.shared.shared($0.item.line(at: field)) } }

  static func channelPage(_ field: Field) -> Fact {
    Fact { $0.video.channelURL = $0.shared.shared($0.item.address(at: field, base: $0.web)) }
  }

  static func author(_ field: Field, as kind: TextKind = .plain) -> Fact {
    Fact { $0.video.author = $0.shared.shared($0.item.line(at: field, as: kind)) }
  }

  /// In seconds or milliseconds since 1970, or in RFC 3339.
  static func published(_ field: Field) -> Fact {
    Fact { $0.video.published = field.first(in: $0.item) { UnixTime($0) } }
  }

  static func year(_ field: Field) -> Fact { Fact { $0.video.year = field.first(in: $0.item, \.integer) } }

  static func views(_ field: Field) -> Fact {
    Fact { $0.video.views = field.first(in: $0.item) { $0.integer.flatMap { $0 >= 0 ? $0 : nil } } }
  }

  static func summary(_ field: Field, as kind: TextKind = .plain) -> Fact {
    Fact { $0.video.summary = field.first(in: $0.item) { $0.string.map { cleanedText($0, as: kind) }.nonEmpty } }
  }

  static func language(_ field: Field) -> Fact {
    Fact { $0.video.language = $0.shared.shared($0.item.line(at: field, limit: Video.maximumLanguageLength)) }
  }

  static func licence(_ field: Field, as kind: TextKind = .plain) -> Fact {
    Fact { $0.video.licence = $0.shared.shared($0.item.line(at: field, as: kind)) }
  }

  static func licencePage(_ field: Field) -> Fact {
    Fact { $0.video.licenceURL = $0.shared.shared($0.item.address(at: field, base: $0.web)) }
  }

  static func group(_ field: Field) -> Fact { Fact { $0.video.group = $0.shared.shared($0.item.line(at: field)) } }

  static let pictureSize = Fact { $0.video.pictureSize = $0.item.pictureSize() }

  static func chapters(start: StaticString) -> Fact {
    Fact { draft in
      let chapters = draft.item.objects("chapters", limit: Chapter.maximumCount).lazy
      draft.video.chapters = Chapter.list(chapters.map { ($0[start]?.double, $0["title"]?.text) })
    }
  }

  static func flag(_ flag: VideoFlags, _ field: Field) -> Fact {
    Fact { if field.first(in: $0.item, \.bool) == true { $0.video.flags.insert(flag) } }
  }

  /// The flag is removed if the item states the opposite of `value`.
  static func statedFlag(_ flag: VideoFlags, _ field: Field, is value: Bool = true) -> Fact {
    Fact { draft in
      guard let isSet = field.first(in: draft.item, \.bool) else { return }
      draft.video.statedFlags.insert(flag)
      if isSet == value { draft.video.flags.insert(flag) }
    }
  }

  /// The files of a video, as its fields so far prefer them.
  ///
  /// - Parameters:
  ///   - streams: the addresses of HLS playlists, before the files in `list`.
  ///   - change: adds what the fields do not name; returns whether the file counts.
  static func files(
    streams: Field? = nil, _ list: StaticString, url: Field = "url", type: Field? = nil,
    change: @escaping @Sendable (inout OfferedFile, JSONObject) -> Bool = { _, _ in true }
  ) -> Fact {
    Fact { draft in
      var files: [OfferedFile] = []
      if let stream = streams.flatMap({ draft.item.address(at: $0, base: draft.web) }) {
        files.append(OfferedFile(stream, type: OfferedFile.hls))
      }
      for object in draft.item.objects(list) {
        guard let url = object.address(at: url, base: draft.web) else { continue }
        var file = OfferedFile(url, type: type.flatMap { $0.first(in: object, \.string) })
        file.size = object.pictureSize()
        if change(&file, object) { files.append(file) }
      }
      draft.video.adopt(files)
    }
  }
}
