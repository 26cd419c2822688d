import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct ShownPlaceFileTests {
  private let place = ShownPlace(tab: .source(name: "Talks"), card: VideoKey(text: "a.example 1"))

  @Test func `the next session reads the place, from a file that only the user can read`() async throws {
    try await withFolder { folder in
      let folder = folder + "/state/feedfall"
      #expect(ShownPlace(inFolder: folder) == nil)
      place.write(inFolder: folder)
      #expect(ShownPlace(inFolder: folder) == place)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/shown")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      ShownPlace(tab: .first).write(inFolder: folder)
      #expect(ShownPlace(inFolder: folder) == ShownPlace(tab: .first))
    }
  }

  @Test func `a damaged file, a large one, a pipe and a link are ignored`() async throws {
    try await withFolder { folder in
      let path = folder + "/shown"
      for bytes in [[0xFF, 0x0A, 0x0A], Array("first".utf8), [UInt8](repeating: 0x61, count: 100_000)] {
        try Data(bytes).write(to: URL(filePath: path))
        #expect(ShownPlace(inFolder: folder) == nil)
      }
      unlink(path)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(ShownPlace(inFolder: folder) == nil)
      unlink(path)
      place.write(inFolder: folder)
      #expect(rename(path, folder + "/other") == 0 && symlink("other", path) == 0)
      #expect(ShownPlace(inFolder: folder) == nil)
    }
  }
}

@Suite(.hangLimit) struct SourceSettingsTests {
  private func settings(_ sources: [NamedSource], _ change: (inout ViewOptions) -> Void) throws -> AppSettings {
    var options = ViewOptions()
    change(&options)
    let selection = UserConfiguration.Selection(
      sources: sources, views: [ViewSettings(name: "View", query: try #require(.sources(tagged: "x")))])
    return AppSettings(for: try OpenSource.open(sources, options: SourceOptions()), selection, options: options)
  }

  private func source(_ name: String, tags: String..., refresh: RefreshRule? = nil) -> NamedSource {
    var source = NamedSource(name: name, argument: "https://\(name).example/")
    (source.tags, source.refresh) = (tags, refresh)
    return source
  }

  @Test func `with tabs of tags, each tag has a view before the others`() throws {
    let sources = [source("a", tags: "news", "talks"), source("b", tags: "talks"), source("c")]
    let tags = try settings(sources) { $0.tabs = .tags }
    #expect(tags.views.map(\.name) == ["news", "talks", "View"] && tags.hidesSourceTabs)
    let usual = try settings(sources) { _ in }
    #expect(usual.views.map(\.name) == ["View"] && !usual.hidesSourceTabs)
    #expect(usual.sources.map(\.tags) == [["news", "talks"], ["talks"], []])
    #expect(!(try settings([source("c"), source("d")]) { $0.tabs = .tags }).hidesSourceTabs)
    var list = source("list")
    list.list = []
    #expect(try settings([source("c"), list]) { $0.tabs = .tags }.hidesSourceTabs)
    #expect(!(try settings([source("c"), list]) { _ in }).hidesSourceTabs)
  }

  @Test func `only sources of the configuration and of live lists are subscriptions, whether or not others have names`()
    throws
  {
    var (configured, listed) = (source("b"), source("c"))
    (configured.origin, listed.listName) = ("config.toml:3:11", "List")
    let sources = try settings([source("a"), configured, listed]) { _ in }.sources
    #expect(sources.map(\.isSubscription) == [false, true, true])
    #expect(sources.map(\.givenName) == ["a", "b", "c"])
  }

  @Test func `the time to refresh of a source has precedence over the option`() throws {
    let sources = [source("a", refresh: .manual), source("b")]
    #expect(
      try settings(sources) { $0.refresh = .every(minutes: 30) }.sources.map(\.refresh) == [
        .manual, .every(minutes: 30),
      ])
    #expect(try settings(sources) { _ in }.sources.map(\.refresh) == [.manual, .start])
    #expect(sources.map { Subscription($0)?.refresh } == [.manual, nil])
  }
}
