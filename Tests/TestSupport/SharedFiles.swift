// A plain `swift build` compiles this target too, without the testing library.
#if canImport(Testing)
  import Foundation
  import Testing

  /// The folder with recorded answers, streams and documents of other projects, which exists on some machines only.
  public let sharedFolder = packageRoot + "/../shared"

  /// The documents of other projects.
  public let corpusFolder = sharedFolder + "/feeds/corpus"

  extension Trait where Self == ConditionTrait {
    /// Skips a test, naming the missing path, if the shared folder has no such file or folder.
    public static func needsShared(_ path: String) -> Self {
      .enabled(
        if: FileManager.default.fileExists(atPath: sharedFolder + "/" + path), "../shared/\(path) is missing")
    }

    /// Skips a test where the recorded answers of services are missing.
    public static var needsRecordings: Self { needsShared("feeds/corpus/TeamNewPipe+NewPipeExtractor") }
  }

  /// Documents of other projects; see `corpusFolder`.
  public enum SharedFiles {
    private static let root = corpusFolder

    public static let recordings = "/TeamNewPipe+NewPipeExtractor/"

    public static func bytes(_ name: String) throws -> [UInt8] { try file(recordings + name) }

    /// A file by its path below the corpus.
    public static func file(_ path: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: root + "/" + path)))
    }

    /// The bodies of all feeds in XML.
    public static func feeds() throws -> [[UInt8]] {
      let endings = [".xml", ".rss", ".atom", ".rdf"]
      let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
      return try names.filter { name in endings.contains { name.hasSuffix($0) } }
        .map { Array(try Data(contentsOf: URL(filePath: root + "/" + $0))) }
    }

    /// The recorded answers of services with an interface for programs.
    public static func serviceAnswers() throws -> [[UInt8]] {
      let folders = ["TeamNewPipe+", "jjjake+", "wikimedia-commons", "voc+"]
      let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
      return try names.filter { name in
        name.hasSuffix(".json") && !name.hasSuffix(".meta.json") && folders.contains { name.hasPrefix($0) }
      }.map(file)
    }

    public static func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: root + recordings).sorted()
    }
  }
#endif
