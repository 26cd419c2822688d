import ArgumentParser
import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

struct ImportCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall import",
    abstract: "Add the subscriptions of another program to the configuration.",
    discussion: """
      The file is OPML, subscriptions.csv of Google Takeout, the JSON of NewPipe, Invidious or Piped, the database or \
      JSON of FreeTube, or the urls file of newsboat.

      The feeds are saved in own.toml; config.toml stays as it is. Feeds that are already configured are skipped. A \
      name that is already in use gets a number. Folders and tags become tags.
      """)

  @Argument(help: "The file that the program exports, or - for standard input.", completion: .file())
  var file: String

  func run() -> Int32 {
    guard let configurationFile = ConfigurationFile() else {
      printError("Could not find the configuration: neither HOME nor XDG_CONFIG_HOME is set. Set one of them.")
      return ExitStatus.usage
    }
    do {
      return try add(SubscriptionList(document: Files.bytes(ofArgument: file)), to: OwnFile(beside: configurationFile))
    } catch {
      printError(error.message("Could not import \(file == "-" ? "standard input" : cleanedLine(file))"))
      return ExitStatus.failure
    }
  }

  private func add(_ list: SubscriptionList, to own: OwnFile) -> Int32 {
    let file = own.file
    let saved: OwnFile.Saved<[Configuration.Source?]>
    do { saved = try own.add(list.feeds) } catch {
      for line in error.messages("Could not add to", file.shownPath) { printError(line) }
      return ExitStatus.usage
    }
    if let copy = saved.damagedCopy { printError("\(file.shownPath) was damaged. Its copy is \(copy).") }
    let added = saved.value.compactMap(\.self)
    for source in added { print("added: \(source.name) \(source.address.hidingPassword)") }
    for (feed, source) in zip(list.feeds, saved.value) where source == nil {
      print("already configured: \(feed.address.text.hidingPassword)")
    }
    if list.skippedCount > 0 { print("skipped, because they have no web address: \(list.skippedCount)") }
    let counts =
      "\(added.count) added, \(list.feeds.count - added.count) already configured, "
      + "\(list.skippedCount) skipped"
    print("\(counts): \(file.shownPath)")
    return ExitStatus.success
  }
}

struct ExportCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall export", abstract: "Print the sources of the configuration as OPML 2.0.",
    discussion: """
      Sources without a web address of their own, such as local files, are skipped. Secrets in addresses, such as passwords and \
      tokens, are left out. The exit status is 1 if the configuration has faults: sources may be missing.
      """)

  @Flag(help: "Print addresses with their secrets.")
  var withSecrets = false

  func run() -> Int32 {
    withConfiguration { configuration in
      var secretCount = 0
      let feeds = configuration.sources.filter { $0.list == nil }.compactMap { source in
        WebAddress(typed: source.argument ?? "").map { address in
          let isHidden = !withSecrets && address.hasSecret
          secretCount += isHidden ? 1 : 0
          return SubscriptionList.Feed(
            name: source.name ?? "", address: isHidden ? address.forStorage : address, tags: source.tags)
        }
      }
      if secretCount > 0 {
        printError("Left out the secrets of \(secretCount) of \(feeds.count) addresses. --with-secrets prints them.")
      }
      print(SubscriptionList(feeds).opml, terminator: "")
      return configuration.faults == nil && configuration.ownFaults == nil ? ExitStatus.success : ExitStatus.failure
    }
  }
}

extension Files {
  static func bytes(ofArgument argument: String) throws(FeedFailure) -> [UInt8] {
    do {
      return try bytes(ofArgument: argument, limit: 32 << 20)
    } catch {
      switch error {
      case .tooLarge:
        throw FeedFailure(.permanent, "it is larger than 32 MB", advice: "check whether it is a list of subscriptions")
      case .system(let error):
        throw FeedFailure(.permanent, error.message, advice: "check its name and permissions")
      case .notRegular: throw FeedFailure(.permanent, "it is not a file", advice: "check its name")
      }
    }
  }

  static func bytes(ofArgument argument: String, limit: Int) throws(FileError) -> [UInt8] {
    guard argument != "-" else { return try read(descriptor: STDIN_FILENO, limit: limit) }
    return try bytes(ofFile: argument, limit: limit)
  }

  /// Also of a named pipe.
  static func bytes(ofFile path: String, limit: Int) throws(FileError) -> [UInt8] {
    try read(path.utf8, limit: limit, acceptsPipes: true)
  }
}
