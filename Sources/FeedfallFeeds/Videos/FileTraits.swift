import FeedfallText

/// The traits by which the files of a video are ranked for playing, downloading and display.
public struct FileTraits: Equatable, Sendable {
  package var kind: MediaKind
  /// In pixels; 0 means that there is only audio.
  public var height: Int?
  /// The languages of the audio as the feed writes them, such as `deu-eng`.
  public var language: String?
  /// Whether it is only an extract, such as a trailer.
  public var isSample: Bool

  package init(kind: MediaKind, height: Int? = nil, language: String? = nil, isSample: Bool = false) {
    self.height = kind == .audio ? 0 : height
    (self.kind, self.language, self.isSample) = (kind, language, isSample)
  }

  package mutating func merge(_ other: FileTraits) {
    if kind == .unknown { kind = other.kind }
    height = height ?? other.height
    language = language ?? other.language
    isSample = isSample || other.isSample
  }

  package var isSound: Bool { height == 0 || kind == .audio }

  /// Returns the first part of the rank, lower for a better file: whole films before extracts, then pictures before
  /// sound, then files in a language before others.
  package func group(preferring language: String?) -> Int {
    (isSample ? 4 : 0) + (isSound ? 2 : 0) + (isIn(language) ? 0 : 1)
  }

  /// Returns the second part of the rank, lower for a better file: streams, which contain all heights, then the nearest
  /// height up to the maximum, then unknown heights, then greater ones. All are equal without a maximum.
  package func distance(from maximum: Int?) -> Int {
    guard let maximum, kind != .stream, !isSound else { return 0 }
    guard let height else { return PixelSize.maximum }
    return height <= maximum ? maximum - height : PixelSize.maximum + height
  }

  /// Returns the preferred language of these files: that of the video if a file has it, otherwise that of the best file
  /// by `group(preferring:)`, the first one among equals.
  package static func language(of files: [FileTraits], preferring language: String? = nil) -> String? {
    if let language, files.contains(where: { $0.isIn(language) }) { return language }
    return files.min { $0.group(preferring: $0.language) < $1.group(preferring: $1.language) }?.language
  }

  /// Whether both lists have a language in common, regardless of its region. An unknown language equals only itself.
  private func isIn(_ other: String?) -> Bool {
    guard let language, let other, language != other else { return self.language == other }
    let codes = Self.codes(other)
    return Self.codes(language).contains { codes.contains($0) }
  }

  /// Both codes of `deu-eng`, only the first one of `pt-BR`.
  private static func codes(_ list: String) -> [String] {
    let parts = list.lowercased().split { !$0.isLetter }.map(String.init)
    let isList = parts.allSatisfy { $0.utf8.count == 3 }
    return isList ? parts : Array(parts.prefix(1))
  }
}
