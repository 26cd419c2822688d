import FeedfallText

/// A PLS playlist: `[playlist]`, then `File1=`, `Title1=` and `Length1=` in seconds, -1 where it is unknown.
struct PLSPlaylist: FeedFormat {
  let kind = FeedKind.playlist
  private let address: MediaAddress?
  private let entries: [Entry]
  private var index = 0
  private(set) var skipped = SkippedEntries()

  private struct Entry {
    var file: String?
    var title: String?
    var length: String?
  }

  private static let maximumNumber = 100_000

  static func matches(start: ArraySlice<UInt8>) -> Bool {
    let start = start.prefix(16).map(\.lowercased)
    return ["[playlist]", "numberofentries=", "file1="].contains { start.starts(with: $0.utf8) }
  }

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.address = address
    var entries: [Int: Entry] = [:]
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: Array(line[..<equals]).trimmingBlanks().map(\.lowercased), as: UTF8.self)
      let key = name.prefix { !$0.isNumber }
      guard let number = Int(name.dropFirst(key.count)), (0...Self.maximumNumber).contains(number) else { continue }
      let value = String(decoding: Array(line[(equals + 1)...]).trimmingBlanks(), as: UTF8.self)
      switch key {
      case "file": entries[number, default: Entry()].file = value
      case "title": entries[number, default: Entry()].title = value
      case "length": entries[number, default: Entry()].length = value
      default: continue
      }
    }
    self.entries = entries.sorted { $0.key < $1.key }.map(\.value)
  }

  mutating func next() -> Video? {
    while index < entries.count {
      defer { index += 1 }
      let entry = entries[index]
      guard let file = entry.file else { continue }
      guard let url = MediaAddress(medium: file, in: address, .path) else {
        skipped.insert(file)
        continue
      }
      let title = entry.title.map { cleanedLine($0) }.nonEmpty
      var video = Video(id: url.text, title: title ?? url.name ?? url.text, playback: .direct([MediaFile(url: url)]))
      video.duration = entry.length.flatMap { VideoDuration(feedText: $0) }
      return video
    }
    return nil
  }
}
