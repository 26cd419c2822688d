import FeedfallFeeds
import FoundationEssentials
import TestSupport

/// Documents of other projects; see `corpusFolder`.
enum SharedFiles {
  private static let root = corpusFolder

  static let recordings = "/TeamNewPipe+NewPipeExtractor/"

  static func bytes(_ name: String) throws -> [UInt8] { try file(recordings + name) }

  /// A file by its path below the corpus.
  static func file(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: root + "/" + path))) }

  /// The bodies of all feeds in XML.
  static func feeds() throws -> [[UInt8]] {
    let endings = [".xml", ".rss", ".atom", ".rdf"]
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    return try names.filter { name in endings.contains { name.hasSuffix($0) } }
      .map { Array(try Data(contentsOf: URL(filePath: root + "/" + $0))) }
  }

  /// The recorded answers of services with an interface for programs.
  static func serviceAnswers() throws -> [[UInt8]] {
    let folders = ["TeamNewPipe+", "jjjake+", "wikimedia-commons", "voc+"]
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    return try names.filter { name in
      name.hasSuffix(".json") && !name.hasSuffix(".meta.json") && folders.contains { name.hasPrefix($0) }
    }.map(file)
  }

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root + recordings).sorted()
  }
}

/// The same numbers on each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

func decode(_ text: String, from address: String = "https://feed.example/list?page=1") throws
  -> DecodedDocument
{
  try FeedDecoder.decode(Array(text.utf8), from: WebAddress(address))
}

/// The one item of an article list.
func article(_ item: String) throws -> Video? {
  try decode(#"{"data":{"info_list":["# + item + #"],"end":0}}"#).videos.first
}

/// Why decoding fails; nil where it does not.
func failure(_ body: String) -> FeedFailure? { failure(Array(body.utf8)) }

func failure(_ body: [UInt8]) -> FeedFailure? {
  do {
    _ = try FeedDecoder.decode(body, from: nil)
    return nil
  } catch {
    return error
  }
}

extension FeedDocumentReader {
  /// Takes all that can be taken now, and the failure that comes after it.
  mutating func takeAll(by count: Int = 7) -> (videos: [Video], failure: FeedFailure?) {
    var videos: [Video] = []
    do {
      while true {
        let some = try takeVideos(count)
        if some.isEmpty { return (videos, nil) }
        videos += some
      }
    } catch {
      return (videos, error)
    }
  }
}
