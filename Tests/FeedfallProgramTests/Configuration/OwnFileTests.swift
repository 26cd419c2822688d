import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct OwnFileTests {
  private static let one = "[[source]]\nname = \"One\"\naddress = \"a.example\"\n"

  private func feed(_ name: String, _ address: String) throws -> SubscriptionList.Feed {
    SubscriptionList.Feed(name: name, address: try #require(WebAddress(address)))
  }

  @discardableResult
  private func add(
    _ name: String, _ address: String, to file: ConfigurationFile
  ) throws -> OwnFile.Saved<[Configuration.Source?]> {
    try OwnFile(beside: file).add([feed(name, address)])
  }

  /// The message of the failure to add a source.
  private func refusal(of file: ConfigurationFile) -> String? {
    let error = #expect(throws: ConfigurationError.self) { try add("New", "https://new.example/", to: file) }
    return error?.messages("", "f").first
  }

  @Test func `new sources are saved beside config.toml, which stays byte for byte`() throws {
    let written = "# mine\r\nlayout   = 'grid'\n" + Self.one
    try withConfiguration(written) { file, folder in
      let added = try OwnFile(beside: file).add([
        feed("One", "https://b.example/"), feed("", "https://c.example/x"), feed("again", "https://a.example"),
        feed("again", "https://c.example/x"),
      ]).value
      #expect(added.map { $0?.name } == ["One 2", "c.example", nil, nil])
      #expect(try file.text == written && file.names == ["One", "One 2", "c.example"])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/feedfall")
      #expect(names.sorted() == ["config.toml", "own.toml", "own.toml.lock"])
      let attributes = try FileManager.default.attributesOfItem(atPath: file.own.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `missing folders are created`() throws {
    try withConfiguration(nil) { file, _ in
      try add("One", "https://a.example/", to: file)
      #expect(file.names == ["One"] && !file.exists)
    }
  }

  @Test func `every key of a source, and names with every character, are read back as they were written`() throws {
    var source = Configuration.Source(name: "", address: "https://a.example/")
    (source.user, source.passwordCommand, source.tags) = ("anna", "pass \"x\\y\"", ["say \"hi\"", "Ünï ☂"])
    (source.includesShorts, source.allowsHTTP) = (false, true)
    source.proxy = ProxyAddress("socks5://u:p@h.example:9", setting: "the proxy of this source").map { .address($0) }
    source.query = try FilterQuery(">1h \"a\\b\" sort:longest")
    let letters = (0x20...0x24F).compactMap { Unicode.Scalar($0) }.map { "a\($0)b" }
    let names = letters + ["\"", "\\", "[[source]]", "#", "'''"]
    var own = Configuration()
    for name in names where cleanedLine(name, limit: 80) == name {
      source.name = name
      own.sources.append(source)
    }
    source.proxy = Configuration.Proxy.none
    own.sources = own.sources.suffix(499) + [source]
    own.sources[own.sources.count - 1].name = "last"
    own.removed = [Configuration.RemovedSource(name: "\u{1}\u{7F}\"", address: "/a\\b")]
    own.views = [Configuration.View(name: "V \"1\"", query: try FilterQuery("hidden"), layout: .list)]
    own.set(["columns": "3", "animations": "false", "spacing": "2x1"])
    let reading = ConfigurationReading(toml: Array(own.toml.utf8), isOwn: true)
    #expect(reading.faults.isEmpty && reading.configuration.toml == own.toml)
    #expect(reading.configuration.sources == own.sources && reading.configuration.views == own.views)
  }

  @Test func `saved options replace those of their names, and ones that they exclude`() throws {
    try withConfiguration("columns = 2\n[theme]\naccent = \"red\"\n") { file, _ in
      let own = OwnFile(beside: file)
      _ = try own.save(.options(["min-column-width": "30", "theme": "nord"]))
      _ = try own.save(.options(["columns": "3", "animations": "false", "layout": "grid"]))
      let configuration = UserConfiguration(file: file)
      let options = configuration.viewOptions()
      #expect(configuration.ownFaults == nil && configuration.replacedNames == ["columns", "theme"])
      #expect(
        options.cards.columns == .count(3) && options.layout == .grid && options.terminal.theme == ThemeSettings(.nord))
      #expect(!options.cards.animates)
      #expect(try file.own.text.contains("animations = false\ncolumns = 3\nlayout = \"grid\"\n"))
    }
  }

  @Test func `saved options, and those of an edited file, are written as TOML`() throws {
    try withConfiguration(nil) { file, _ in
      try file.own.write("\"a b\" = 1\n\"ü\" = true\n")
      _ = try OwnFile(beside: file).save(.options(["columns": "03"]))
      #expect(try file.own.text.contains("\"a b\" = 1\n\"ü\" = true\ncolumns = 3\n"))
      #expect(file.own.reading { _ in true }.faults.isEmpty)
    }
  }

  @Test func `a saved view is a tab at the next start, and replaces one of its name`() throws {
    try withConfiguration(nil) { file, _ in
      let own = OwnFile(beside: file)
      _ = try own.save(.view(ViewSettings(name: "Long", query: FilterQuery(">1h"), layout: .list)))
      _ = try own.save(.view(ViewSettings(name: "New", query: FilterQuery(""), layout: nil)))
      _ = try own.save(.view(ViewSettings(name: "Long", query: FilterQuery(">2h sort:longest"), layout: .grid)))
      let views = UserConfiguration(file: file).selection(named: []).views
      #expect(views.map(\.name) == ["Long", "New"] && views.map(\.layout) == [.grid, nil])
      #expect(views.map(\.query.text) == [">2h sort:longest", ""])
    }
  }

  @Test func `a table of colors in own.toml is a fault, and stays in the copy`() throws {
    try withConfiguration(nil) { file, _ in
      try file.own.write("[theme]\naccent = \"red\"\n")
      let saved = try OwnFile(beside: file).save(.options(["columns": "3"]))
      #expect(saved.damagedCopy == file.own.path + ".damaged")
      #expect(try file.own.text.contains("columns = 3"))
    }
  }

  @Test func `there are at most 50 views`() throws {
    var own = Configuration()
    for number in 1...50 { try own.set(Configuration.View(name: "\(number)", query: .empty)) }
    try own.set(Configuration.View(name: "50", query: FilterQuery("new")))
    #expect(own.views.count == 50 && own.views[49].query.text == "new")
    #expect(throws: ConfigurationError.self) { try own.set(Configuration.View(name: "51", query: .empty)) }
  }

  @Test func `a source or a view of own.toml replaces that of config.toml with its name, in its place`() throws {
    let view = "[[view]]\nname = \"V\"\nwhere = \"new\"\n"
    try withConfiguration(Self.one + "[[source]]\nname = \"Two\"\naddress = \"b.example\"\n" + view) { file, _ in
      try file.own.write(Self.one.replacing("a.example", with: "c.example") + view.replacing("new", with: "starred"))
      let configuration = UserConfiguration(file: file)
      #expect(configuration.sources.map(\.argument) == ["https://c.example", "https://b.example"])
      #expect(configuration.sources.map(\.origin) == ["own.toml:3:11", "config.toml:6:11"])
      #expect(configuration.configuration.views.map(\.query.text) == ["starred"])
      #expect(configuration.replacedNames == ["One", "V"])
    }
  }

  @Test func `an option of own.toml has precedence over one of config.toml, also if they exclude each other`() throws {
    try withConfiguration("min-column-width = 50\nlayout = \"grid\"\n") { file, _ in
      try file.own.write("columns = 3\n")
      let options = UserConfiguration(file: file).viewOptions()
      #expect(options.cards.columns == .count(3) && options.layout == .grid)
    }
  }

  @Test(arguments: [
    "[[source]]\nname = \"One\"\naddress = \"https://b.example/\"\n[[source]]\nname = \"Tw",
    "[[source]]\nname = \"One\"\naddress = \"https://b.example/\"\n[[source]]\nname = \"P\"\naddress = \"p.example\"\nproxy = \"ftp://x\"\n",
    "[[removed]]\nname = \"One\"\n[[source]]\nname = \"One\"\naddress = \"https://b.example/\"\n",
  ])
  func `a damaged file is renamed at the first change, and its readable part stays`(damaged: String) throws {
    try withConfiguration(nil) { file, _ in
      try file.own.write(damaged)
      let configuration = UserConfiguration(file: file)
      #expect(configuration.ownFaults != nil || configuration.sources.contains { $0.fault != nil })
      #expect(file.names.first == "One")
      let saved = try add("New", "https://new.example/", to: file)
      #expect(saved.damagedCopy == file.own.path + ".damaged")
      #expect(try String(contentsOfFile: file.own.path + ".damaged", encoding: .utf8) == damaged)
      #expect(try file.own.read().sources.map(\.name) == ["One", "New"])
      #expect(try add("Next", "https://next.example/", to: file).damagedCopy == nil)
    }
  }

  @Test func `a damaged file has no copy if it could not be replaced`() throws {
    try withConfiguration(nil) { file, _ in
      try file.own.write("[[source]")
      let temporary = file.own.path + ".\(getpid()).new"
      try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
      #expect(refusal(of: file)?.hasSuffix("Check its permissions.") == true)
      #expect(try file.own.text == "[[source]" && !Files.exists(file.own.path + ".damaged"))
    }
  }

  @Test func `what cannot be read is not replaced`() throws {
    try withConfiguration("") { file, _ in
      let path = file.own.path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(refusal(of: file) == " f: it is not a file. Put a file in its place.")
      try FileManager.default.removeItem(atPath: path)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(refusal(of: file) == " f: it is not a file. Put a file in its place.")
      unlink(path)
      try Data().write(to: URL(filePath: path))
      #expect(truncate(path, 100 << 20) == 0)
      #expect(refusal(of: file) == " f: it is larger than 16 MB. Remove sources.")
      unlink(path)
      #expect(symlink("own.toml", path) == 0)
      #expect(refusal(of: file)?.hasPrefix(" f: ") == true)
      #expect(Files.isLink(path))
      unlink(path)
      #expect(symlink("missing.toml", path) == 0)
      #expect(refusal(of: file)?.hasPrefix(" f: it is a symbolic link to a missing file.") == true)
      #expect(Files.isLink(path) && !Files.exists(path.replacing("own.toml", with: "missing.toml")))
    }
  }

  @Test func `a symbolic link stays one, and its damaged target is kept`() throws {
    try withConfiguration("") { file, folder in
      let target = folder.path + "/real.toml"
      try "colour = [\n".write(toFile: target, atomically: false, encoding: .utf8)
      #expect(symlink("../real.toml", file.own.path) == 0)
      let copy = try add("One", "https://b.example/", to: file).damagedCopy
      #expect(copy == target + ".damaged")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.own.path) == "../real.toml")
      #expect(try String(contentsOfFile: target + ".damaged", encoding: .utf8) == "colour = [\n")
      #expect(try file.own.read().sources.map(\.name) == ["One"])
    }
  }

  @Test func `on a full disk the file stays as it is`() throws {
    try withConfiguration("") { file, folder in
      try add("One", "https://a.example/", to: file)
      let text = try file.own.text
      let disk = folder.path + "/disk"
      mkdir(disk, 0o700)
      guard mount("none", disk, "tmpfs", 0, "size=64k") == 0 else {
        print("the full disk is not tested: this user may mount none")
        return
      }
      defer { umount2(disk, Int32(MNT_DETACH)) }
      try text.write(toFile: disk + "/own.toml", atomically: false, encoding: .utf8)
      unlink(file.own.path)
      #expect(symlink(disk + "/own.toml", file.own.path) == 0)
      Files.unlock(try Files.lock(disk + "/own.toml"))
      let rest = open(disk + "/rest", O_WRONLY | O_CREAT, 0o600)
      while write(rest, [UInt8](repeating: 0, count: 4096), 4096) > 0 {}
      close(rest)
      #expect(refusal(of: file)?.hasSuffix("No space left on device. Free some space.") == true)
      #expect(try file.own.text == text)
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk).contains { $0.hasSuffix(".new") } == false)
    }
  }

  @Test(arguments: ["[[source]\nname = \"One\"\naddress = \"a.example\"\n", "folder"])
  func `no source is added while config.toml may have unknown ones`(toml: String) throws {
    try withConfiguration(toml) { file, _ in
      if toml == "folder" {
        unlink(file.path)
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
      }
      #expect(refusal(of: file)?.hasPrefix(" f: not all sources are known (config.toml:") == true)
      #expect(!file.own.exists)
    }
  }

  @Test func `another fault of config.toml prevents nothing`() throws {
    try withConfiguration("layuot = 1\n" + Self.one + "naem = 1\n") { file, _ in
      try add("New", "https://new.example/", to: file)
      #expect(file.names == ["One", "New"])
    }
  }

  @Test func `sources that are added at the same time are all stored`() throws {
    try withConfiguration("# mine\n") { file, _ in
      let count = 6
      DispatchQueue.concurrentPerform(iterations: count) { thread in
        var own = OwnFile(beside: file)
        own.lockDeadline = .now + .seconds(3_600)
        for number in 0..<count {
          guard let address = WebAddress("https://\(thread).example/\(number)") else { continue }
          let saved = try? own.add([SubscriptionList.Feed(name: "A", address: address)])
          #expect(saved?.value.compactMap(\.self).count == 1)
        }
      }
      #expect(file.names.count == count * count)
    }
  }

  @Test func `a file that was replaced meanwhile is read again`() throws {
    try withConfiguration(nil) { file, _ in
      try add("One", "https://a.example/", to: file)
      try Self.one.replacing("One", with: "Other").write(toFile: file.own.path, atomically: true, encoding: .utf8)
      try add("New", "https://new.example/", to: file)
      #expect(file.names == ["Other", "New"])
    }
  }

  private static func copies(ofDescriptorsOf path: String) -> [Int32] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let matching = names.filter { (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path }
    return matching.compactMap { Int32($0) }.map { dup($0) }
  }

  @Test func `a change ends its lock even if a started program has inherited the descriptor`() throws {
    try withConfiguration("") { file, _ in
      var own = OwnFile(beside: file)
      own.lockDeadline = .now
      var copies: [Int32] = []
      _ = try own.change { _, _ throws(ConfigurationError) in
        copies = Self.copies(ofDescriptorsOf: file.own.path + ".lock")
      }
      #expect(copies.count == 1)
      defer { for copy in copies { close(copy) } }
      try add("A", "https://a.example/", to: file)
    }
  }

  @Test func `a lock that cannot be opened is named in the message`() throws {
    try withConfiguration("") { file, _ in
      try FileManager.default.createDirectory(atPath: file.own.path + ".lock", withIntermediateDirectories: false)
      #expect(
        refusal(of: file)?.contains("own.toml.lock cannot be opened (Is a directory). Delete the lock.") == true)
    }
  }

  @Test func `thousands of feeds of one name get numbers, and known addresses are skipped`() throws {
    try withConfiguration(Self.one) { file, _ in
      let feeds = try (1...5_000).map { try feed("News", "https://\($0 / 2).example/") }
      let sources = try OwnFile(beside: file).add(feeds).value
      let names = sources.compactMap { $0?.name }
      #expect(names.count == 2_501 && sources.count == 5_000)
      #expect(names.prefix(3) == ["News", "News 2", "News 3"])
      #expect(Set(names).count == 2_501)
    }
  }

  @Test func `too many feeds are reported, and none is added`() throws {
    try withConfiguration(Self.one) { file, _ in
      let feeds = try (1...20_000).map { try feed("", "https://\($0).example/") }
      let error = #expect(throws: ConfigurationError.self) { try OwnFile(beside: file).add(feeds) }
      #expect(error?.faults.first?.reason == "there would be 20001 sources, more than 20000")
      #expect(!file.own.exists)
    }
  }
}
