import ArgumentParser
import FeedfallFeeds
import FeedfallFilters
import FeedfallText
import FeedfallUserData
import Glibc

/// `feedfall queue [list|add|remove]`: print or change the queue.
struct QueueCommand: ExitingCommand {
  static let word = "queue"

  static let configuration = CommandConfiguration(
    commandName: "feedfall queue", abstract: "Print the queue, add videos to its end, or remove videos.",
    discussion: VideoArguments.discussion)

  enum Action: String, CaseIterable, ExpressibleByArgument { case list, add, remove }

  @Argument(help: "list, add or remove.")
  var action = Action.list

  @OptionGroup var videos: VideoArguments

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func validate() throws {
    if action == .list, !videos.ids.isEmpty {
      throw ValidationError("list takes no IDs. Run feedfall queue to print the queue.")
    }
    if action != .list { try videos.requireIDs() }
  }

  func run() -> Int32 {
    switch action {
    case .list:
      printRecords { data in
        data.queuedKeys.filter { !data[$0].isHidden }
      } format: {
        json ? $0.json : $0.text
      }
    case .add: add()
    case .remove:
      changeRecords(
        of: videos, "Could not remove", isKnown: { $0[$1].queued != nil },
        { data, now, key in data.change(key, [.queued(nil)], at: now) })
    }
  }

  private func add() -> Int32 {
    // Found once, because a whole list may be added.
    var next: Double?
    return changeRecords(of: videos, "Could not queue") { data, now, key in
      guard data[key].queued == nil else { return [] }
      let place = next ?? data.nextPlace
      next = place + 1
      return data.change(key, [.queued(place)], at: now)
    }
  }
}

/// `feedfall history`: print the watched videos, the last one first.
struct HistoryCommand: ExitingCommand {
  static let word = "history"

  static let configuration = CommandConfiguration(
    commandName: "feedfall history", abstract: "Print the watched videos, the last one first.")

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run() -> Int32 {
    printRecords { data in
      data.keys(with: .watched).filter { !data[$0].isHidden }
        .map { ($0, data[$0].watched?.seconds ?? 0) }.sorted { ($1.1, $0.0.text) < ($0.1, $1.0.text) }.map(\.0)
    } format: {
      json ? $0.json : $0.text
    }
  }
}

/// `feedfall watched ID…`: mark videos as watched.
struct WatchedCommand: ExitingCommand {
  static let word = "watched"

  static let configuration = CommandConfiguration(
    commandName: "feedfall watched", abstract: "Mark videos as watched, or as unwatched.",
    discussion: VideoArguments.discussion)

  @OptionGroup var videos: VideoArguments

  @Flag(help: "Mark them as unwatched.")
  var undo = false

  func validate() throws { try videos.requireIDs() }

  func run() -> Int32 {
    changeRecords(of: videos, "Could not mark") { data, now, key in
      data.change(key, [.watched(undo ? nil : UnixTime(seconds: now / 1_000)), .position(nil)], at: now)
    }
  }
}

/// The videos that a command changes.
struct VideoArguments: ParsableArguments {
  static let discussion = """
    An ID is the recordID that feedfall list --json, queue --json and history --json print, or the web address of \
    a video. With - the lines of feedfall list --json are read from standard input.
    """

  @Argument(help: ArgumentHelp("The IDs or addresses of videos, or -.", valueName: "id"))
  var ids: [String] = []

  /// In bytes.
  private static let maximumInputLength = 64 << 20

  func requireIDs() throws {
    if ids.isEmpty { throw ValidationError("Missing expected argument. Write the IDs of videos, or -.") }
  }

  /// A video, or nil for an argument that names none.
  struct Named {
    var argument: String
    var key: VideoKey?
    var video: Video?
  }

  func named() throws(FeedFailure) -> [Named] {
    var result: [Named] = []
    for id in ids { result += id == "-" ? try Self.listed() : [Self.named(id.lastingAddress)] }
    return result
  }

  private static func named(_ id: String) -> Named {
    let key = VideoKey(text: id)
    guard key.isValid else { return Named(argument: id) }
    guard let address = WebAddress(id) else { return Named(argument: id, key: key) }
    let title = address.pathSegments.last.map { cleanedLine($0) } ?? ""
    let video = Video(id: id, title: title.isEmpty ? key.text : title, playback: .page(address))
    return Named(argument: id, key: key, video: video)
  }

  private static func listed() throws(FeedFailure) -> [Named] {
    let bytes: [UInt8]
    do { bytes = try DocumentFile.bytes(ofArgument: "-", limit: maximumInputLength) } catch {
      throw FeedFailure(.permanent, "standard input could not be read", advice: "pass at most 64 MB")
    }
    return bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let listed = StoredVideo.listed(Array(line))
      return Named(argument: String(decoding: line.prefix(80), as: UTF8.self), key: listed?.key, video: listed?.video)
    }
  }
}

extension UserData {
  /// The row of a record; without stored facts, the ID stands for the title.
  fileprivate func row(of key: VideoKey, _ facts: UserData) -> VideoRow {
    let video =
      (storedVideo(key) ?? facts.storedVideo(key))?.identifiedVideo(key)
      ?? Video(id: key.text, title: cleanedLine(key.text), playback: .unknown)
    return VideoRow(video, key: key, record: self[key])
  }
}

/// Prints the user's records of some videos, and returns the exit status.
private func printRecords(_ keys: (UserData) -> [VideoKey], format: (VideoRow) -> String) -> Int32 {
  withConfiguration { configuration in
    let folder = configuration.viewOptions().stateFolder
    guard let data = UserLog.records(sharedFolder: folder) else { return ExitStatus.failure }
    let keys = keys(data)
    let lacking = keys.filter(data.lacksFacts)
    let facts = lacking.isEmpty ? UserData() : UserLog.facts(of: lacking, sharedFolder: folder)
    for key in keys { print(format(data.row(of: key, facts))) }
    return ExitStatus.success
  }
}

/// Changes the records of videos and saves them, and returns the exit status. An argument that names no video is reported,
/// and the others are changed.
private func changeRecords(
  of videos: VideoArguments, _ failure: String, isKnown: (UserData, VideoKey) -> Bool = { _, _ in true },
  _ change: (inout UserData, _ now: Int, VideoKey) -> [UserEvent]
) -> Int32 {
  withConfiguration { configuration in
    guard let log = UserLog.ofUser(sharedFolder: configuration.viewOptions().stateFolder) else {
      printError("Could not find the folder for marks: neither HOME nor XDG_STATE_HOME is set. Set one of them.")
      return ExitStatus.usage
    }
    let named: [VideoArguments.Named]
    do throws(FeedFailure) { named = try videos.named() } catch {
      printError(error.message(failure))
      return ExitStatus.failure
    }
    let stored = log.load()
    if let message = stored.message { printError(message) }
    if stored.missing.failure != nil { return ExitStatus.failure }
    var (data, status, now) = (stored.records, ExitStatus.success, time(nil) * 1_000)
    for entry in named {
      guard let key = entry.key, isKnown(data, key) else {
        let reason = entry.key == nil ? "it is no video" : "it is not queued"
        printError("\(failure) “\(cleanedLine(entry.argument, limit: 80))”: \(reason). Check the ID.")
        status = ExitStatus.failure
        continue
      }
      log.add(change(&data, now, key) + (entry.video.map { data.describe(key, $0, at: now) } ?? []))
      now += 1
    }
    if let reason = log.write() {
      printError("Could not save the changes: \(reason). Check the folder for marks.")
      return ExitStatus.failure
    }
    return status
  }
}
