import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallApp

/// Helpers of the cases about downloads in folders that are sources, and about a network that returns.
enum CopyCases {
  /// Checks a folder before and after a download has been moved into it, and compares the new titles.
  static func expectNews(
    _ titles: [String], below name: String = "films", into subfolder: String = "", addingOtherLength: Bool = false
  ) async throws {
    try await DownloadHome.withDownload { home, _, path in
      let films = home.folder + "/films"
      try FileManager.default.createDirectory(atPath: films + "/deep", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: home.folder + "/link", withDestinationPath: films)
      let source = "\(home.folder)/\(name)"
      try FileManager.default.copyItem(atPath: path, toPath: films + "/First.mp4")
      #expect(try await home.run("check", source).output.hasSuffix("first check, 1 video\n"))
      let file = URL(fileURLWithPath: path).lastPathComponent
      if addingOtherLength {
        try Data([1]).write(to: URL(fileURLWithPath: "\(films)/\(file)"))
      } else {
        try FileManager.default.copyItem(atPath: path, toPath: "\(films)/\(subfolder)\(file)")
      }
      let end = try await home.run("check", "--json", source)
      let lines = end.output.split(separator: "\n")
      #expect(end.status == 0 && lines.count == titles.count, "\(end)")
      if !addingOtherLength { #expect(zip(lines, titles).allSatisfy { $0.contains($1) }, "\(end)") }
    }
  }

  @Sendable static func removedDownload() async throws {
    try await DownloadHome.withDownload { home, address, path in
      let (folder, other) = (home.folder + "/videos", home.folder + "/other.mp4")
      try FileManager.default.copyItem(atPath: path, toPath: folder + "/First.mp4")
      try FileManager.default.copyItem(atPath: path, toPath: other)
      #expect(try await home.run("download", "--remove", address, "--yes").status == 0)
      #expect(try await home.run("check", folder).output.contains("first check, 1 video"))
      try FileManager.default.moveItem(atPath: other, toPath: path)
      #expect(try await home.run("check", folder).output.contains("1 new video\n"))
    }
  }

  @Sendable static func unreadableList() async throws {
    try await DownloadHome.use { home in
      let feed = try home.feed()
      try FileManager.default.createDirectory(
        atPath: home.folder + "/state/feedfall/downloads.json", withIntermediateDirectories: true)
      let end = try await home.run("check", feed)
      #expect(end.status == 1 && end.output.contains("first check, 2 videos"), "\(end)")
      #expect(end.errors.contains("Could not read all downloads") && end.errors.split(separator: "\n").count == 1)
    }
  }

  static func expectQueued(_ addresses: String..., says words: String?, hasYtDlp: Bool = false) async throws {
    try await DownloadHome.use { home in
      if hasYtDlp {
        let path = home.folder + "/yt-dlp"
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
      let environment = home.environment.merging(["PATH": home.folder]) { $1 }
      let end = try await run(Feedfall.path, ["queue", "add"] + addresses, environment: environment)
      #expect(end.status == 0 && end.errors.isEmpty == (words == nil), "\(end)")
      if let words { #expect(end.errors.contains(words) && end.errors.hasSuffix("apt install yt-dlp.\n"), "\(end)") }
      #expect(try await home.ids("queue") == addresses)
    }
  }

  enum Evidence { case page, cover, media, rest }

  /// The lack after requests that fail for want of a network, and data that arrives. A rest ends a batch of covers.
  static func outage(after evidence: Evidence..., areCoversLoading: Bool = false) -> AppState.NetworkState.Outage? {
    var (network, failure) = (AppState.NetworkState(), FeedFailure(.temporary, "the name was not found"))
    failure.isOffline = true
    for (number, one) in evidence.enumerated() {
      switch one {
      case .page: network.pageFailed(failure)
      case .cover: network.coverFailed(failure)
      case .media: network.mediaArrived()
      case .rest: break
      }
      let following = evidence.dropFirst(number + 1).first
      let isLoading = areCoversLoading || following != nil && following != .rest
      network.update(at: nil, lacksServers: true, areCoversLoading: isLoading)
    }
    return network.outage
  }
}
