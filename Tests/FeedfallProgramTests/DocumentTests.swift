import FeedfallFeeds
import FeedfallFilters
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

/// Decodes the documents in `Tests/Documents`, whose `README.md` describes them.
@Suite(.hangLimit) struct DocumentTests {
  private static let folder = packageRoot + "/Tests/Documents"

  private static let names: [String] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
  }()

  private static let ending = ".expected.json"

  @Test(arguments: names)
  func `a document becomes the expected rows`(name: String) throws {
    let expected = try #require(try Self.json(Self.folder + "/" + name + Self.ending) as? [String: Any])
    let seen = try Self.decoded(name, expected)
    for (member, value) in expected where !Self.inputs.contains(member) {
      if member == "videos" {
        Self.compare(try #require(value as? [[String: Any]]), seen.rows)
      } else {
        #expect(Self.text(seen.members[member]) == Self.text(value), "\(member)")
      }
    }
    if seen.members["failure"] != nil, expected["failure"] == nil {
      Issue.record("\(Self.text(seen.members["failure"]))")
    }
  }

  @Test func `each document has its expected rows`() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder)
    let documents = paths.filter { $0.contains("/") && $0.contains(".") && !$0.hasSuffix(Self.ending) }
    let details = try Self.names.compactMap { name -> String? in
      let expected = try Self.json(Self.folder + "/" + name + Self.ending) as? [String: Any]
      return (expected?["details"] as? String).map { name.prefix(while: { $0 != "/" }) + "/" + $0 }
    }
    let orphans = documents.filter { path in
      !details.contains(path) && !Self.names.contains(String(path[..<(path.lastIndex(of: ".") ?? path.endIndex)]))
    }
    #expect(!Self.names.isEmpty && orphans == [])
  }

  private static let inputs: Set<String> = [
    "address", "contentType", "details", "detailsAddress", "service", "zoneHours",
  ]

  private static func decoded(_ name: String, _ expected: [String: Any]) throws -> (
    rows: [[String: Any]], members: [String: Any]
  ) {
    let path = try #require(try document(name))
    let address = try #require(
      WebAddress((expected["address"] as? String) ?? "https://feeds.example/" + (path.split(separator: "/").last ?? ""))
    )
    if let service = expected["service"] as? String { return try answer(of: service, try bytes(path), address) }
    do {
      var document = try FeedDecoder.decode(
        try bytes(path), from: address, contentType: expected["contentType"] as? String ?? "")
      if let details = expected["details"] as? String, let video = document.videos.first {
        let own = (expected["detailsAddress"] as? String).flatMap { WebAddress($0) } ?? video.detailsURL
        document.videos[0] = try FeedDecoder.decodeDetails(
          try bytes(name.prefix { $0 != "/" } + "/" + details), completing: video, from: own ?? address)
      }
      var members: [String: Any] = ["skipped": document.skippedCount]
      members["title"] = document.title
      members["next"] = document.nextAddress?.text
      members["total"] = document.total
      members["notice"] = document.notice
      members["summary"] = document.summary
      members["cover"] = document.cover?.text
      members["parts"] = document.parts.map(\.text)
      members["included"] = try included(expected, document.videos)
      let rows = try document.videos.map { try row(VideoRow($0).json) }
      return (rows, members)
    } catch let failure as FeedFailure {
      return ([], ["failure": failure.reason, "skipped": 0])
    }
  }

  /// The titles of the videos that each expected filter includes.
  private static func included(_ expected: [String: Any], _ videos: [Video]) throws -> [String: [String]]? {
    let offset = (expected["zoneHours"] as? Int ?? 0) * 3_600
    let context = Filter.Context(now: nil, zone: LocalZone([.init(start: 0, offset: offset)]))
    return try (expected["included"] as? [String: Any])?.reduce(into: [:]) { included, entry in
      let filter = try FilterQuery(entry.key).filter
      var budget = Filter.Budget()
      included[entry.key] = videos.filter { filter.includes(VideoFacts($0), context, &budget) }.map(\.title)
    }
  }

  /// Decodes the answer of a service whose sources require a login.
  private static func answer(
    of service: String, _ body: [UInt8], _ address: WebAddress
  ) throws -> (rows: [[String: Any]], members: [String: Any]) {
    let videos: [Video]
    var members: [String: Any] = [:]
    switch service {
    case "googleReader":
      let server = try #require(GoogleReaderServer(address))
      let entries = GoogleReaderAnswer.entries(body, from: server, in: server.scope(ofUser: "ada"), [:])
      videos = try #require(entries).compactMap(\.video)
    case "jellyfin":
      let server = try #require(JellyfinServer(address))
      let scope = server.scope(ofUser: try #require(JellyfinID("u1")))
      let items = try #require(JellyfinAnswer.items(body, from: server, in: scope))
      (videos, members["total"]) = (items.videos, items.total)
    default: throw TestFailure("no service \(service)")
    }
    return (try videos.map { try row(VideoRow($0).json) }, members)
  }

  /// The path of the document with this name, below the folder.
  private static func document(_ name: String) throws -> String? {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return paths.first { path in
      path.hasPrefix(name + ".") && !path.hasSuffix(ending) && !path.dropFirst(name.count + 1).contains(".")
    }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: folder + "/" + path)))
  }

  private static func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
  }

  private static func row(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  private static func compare(_ expected: [[String: Any]], _ seen: [[String: Any]]) {
    #expect(
      seen.count == expected.count, "\(seen.map { text($0["title"]) })")
    for (index, (expected, seen)) in zip(expected, seen).enumerated() {
      for (member, value) in expected {
        #expect(text(seen[member]) == text(value), "videos[\(index)].\(member)")
      }
    }
  }

  /// A value as JSON with sorted members; "null" if it is absent.
  private static func text(_ value: Any?) -> String {
    guard let value, !(value is NSNull),
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }
}
