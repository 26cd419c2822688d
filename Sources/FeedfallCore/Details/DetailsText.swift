import FeedfallFeeds
import FeedfallScreen
import FeedfallText

/// The text of the details pane.
struct DetailsText {
  struct Line: Equatable, Sendable {
    var text: String
    var role: Role
    var indent = 0
    /// Drawn in the indent.
    var label = ""
  }

  var video: Video
  /// Nil in a tab of one source.
  var sourceName: String?
  /// The states of the requests for missing details and for the cover.
  var notes: [String]
  var width: Int

  private static let labelWidth = 10

  var lines: [Line] {
    var lines = wrap(video.title, role: .heading)
    lines.append(Line(text: "", role: .plain))
    for field in fields { lines += self.lines(of: field) }
    if !notes.isEmpty { lines.append(Line(text: "", role: .plain)) }
    for note in notes { lines += wrap(note, role: .dim) }
    if let summary = video.summary {
      lines.append(Line(text: "", role: .plain))
      for paragraph in summary.split(separator: "\n", omittingEmptySubsequences: false) {
        lines += wrap(String(paragraph), role: .plain)
      }
    }
    return lines
  }

  private struct Field {
    var label: String
    var value: String
    var role = Role.plain
  }

  /// Duration, cover and playback address always, the others if they are known.
  private var fields: [Field] {
    var fields = [
      Field(label: "Duration", value: video.duration.map(\.description) ?? "unknown"),
      Field(label: "Cover", value: video.largeCover?.url.description ?? "none", role: .link),
      Field(label: "Playback", value: playback, role: .link),
    ]
    func add(_ label: String, _ value: String?, role: Role = .plain) {
      if let value { fields.append(Field(label: label, value: value, role: role)) }
    }
    add("Live", liveWords)
    add("Note", noteWords)
    add("Source", sourceName)
    add("Channel", video.channel)
    add("Author", video.author == video.channel ? nil : video.author)
    add("Published", video.published?.civilDate.description ?? video.year.map { String($0) })
    add("Views", video.views.map(TextFormat.count))
    add("Size", sizeWords)
    add("Languages", languages)
    add("Licence", licenceWords)
    add("Page", video.pageURL?.description, role: .link)
    return fields
  }

  private var playback: String {
    if let address = video.playbackURL { return address.description }
    return video.detailsURL == nil ? "none" : "looked up on demand"
  }

  private var liveWords: String? {
    switch video.live {
    case .live: "now"
    case .upcoming(let start?): "upcoming; starts \(TextFormat.minute(start))"
    case .upcoming(nil): "upcoming"
    case .ended: "ended"
    case nil: nil
    }
  }

  private var noteWords: String? {
    let words: [(VideoFlags, String)] = [
      (.sensitive, "marked as sensitive"), (.needsPassword, "needs a password"),
      (.audioOnly, "audio only"),
    ]
    let notes = words.compactMap { video.flags.contains($0.0) ? $0.1 : nil }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  private var languages: String? {
    guard case .direct(let files) = video.playback else { return nil }
    return files.first?.language
  }

  private var sizeWords: String? {
    let parts = [
      video.pictureSize.map { "\($0.width) × \($0.height)" }, video.byteCount.map(TextFormat.bytes),
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var licenceWords: String? {
    guard let licence = video.licence else { return video.licenceURL?.description }
    return video.licenceURL.map { "\(licence) \($0)" } ?? licence
  }

  private func lines(of field: Field) -> [Line] {
    let valueWidth = width - Self.labelWidth
    guard valueWidth >= 16 else {
      return [Line(text: field.label, role: .dim)] + wrap(field.value, role: field.role)
    }
    let values = wrapped(field.value, width: valueWidth, maximumLines: 40)
    return values.enumerated().map { index, value in
      index == 0
        ? Line(text: value, role: field.role, indent: Self.labelWidth, label: field.label)
        : Line(text: value, role: field.role, indent: Self.labelWidth)
    }
  }

  private func wrap(_ text: String, role: Role) -> [Line] {
    guard !text.isEmpty else { return [Line(text: "", role: role)] }
    return wrapped(text, width: max(1, width), maximumLines: 1000).map { Line(text: $0, role: role) }
  }
}
