import ArgumentParser
import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc

struct QueueCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall queue", abstract: "Print the queue, add videos to its end, remove videos, or clear it.",
    discussion: VideoArguments.discussion)

  private enum Action: String, CaseIterable { case list, add, remove, clear }
  private static let names = Action.allCases.map(\.rawValue)

  @Argument(
    help: ArgumentHelp("What to do.", valueName: names.joined(separator: "|")),
    completion: .list(names))
  var action = Action.list.rawValue

  @OptionGroup var videos: VideoArguments

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @Flag(help: "Clear the queue without asking.")
  var yes = false

  func validate() throws {
    guard let action = Action(rawValue: action) else {
      let similar = similarName(to: action.lowercased(), among: Self.names).map { "Did you mean \($0)?" }
      let name = cleanedLine(action.hidingPassword, limit: 80)
      throw ValidationError("There is no action “\(name)”. \(similar ?? "Write list, add, remove or clear.")")
    }
    switch action {
    case .list, .clear:
      if !videos.ids.isEmpty {
        throw ValidationError("\(action.rawValue) takes no IDs. Write add or remove before them.")
      }
    case .add, .remove: try videos.requireIDs()
    }
  }

  func run() -> Int32 {
    switch Action(rawValue: action) ?? .list {
    case .list:
      printRecords { data in
        data.queuedKeys.filter { !data[$0].has(.hidden) }
      } format: {
        json ? $0.json : $0.text
      }
    case .add: add()
    case .remove:
      changeRecords(
        of: videos, "Could not remove", isKnown: { $0[$1].queued != nil },
        { data, now, key, _ in data.change(key, [.queued(nil)], at: now) })
    case .clear: clear()
    }
  }

  private func clear() -> Int32 {
    changeRecords { records throws(FeedFailure) in
      let keys = records.queuedKeys
      guard !keys.isEmpty else {
        print("The queue is empty.")
        return ([], ExitStatus.success)
      }
      if let status = FeedfallProgram.refusal(of: "Remove \(keys.count.asVideoCount) from the queue?", isGiven: yes) {
        return ([], status)
      }
      let changes = keys.map { UserData.Change(key: $0, values: [.queued(nil)]) }
      return (records.change(changes, at: time(nil) * 1_000), ExitStatus.success)
    } orElse: {
      $0.message("Could not clear the queue")
    }
  }

  private func add() -> Int32 {
    // Found once, because a whole list may be added.
    var next: Double?
    return changeRecords(of: videos, "Could not queue") { data, now, key, start in
      let position = data[key].position == nil ? start.map { [UserValue.position($0)] } ?? [] : []
      guard data[key].queued == nil else { return position.isEmpty ? [] : data.change(key, position, at: now) }
      let place = next ?? data.nextPlace
      next = place + 1
      return data.change(key, [.queued(place)] + position, at: now)
    } finish: { videos in
      let pageCount = videos.count { if case .page? = $0.video?.playback { true } else { false } }
      guard pageCount > 0, InstalledPrograms.path(of: "yt-dlp") == nil else { return }
      let pages = pageCount == 1 ? "1 video is on a web page" : "\(pageCount) videos are on web pages"
      printError("Queued, but \(pages), and playing that needs yt-dlp. Install it: apt install yt-dlp.")
    }
  }
}

struct HistoryCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall history", abstract: "Print the played videos, the last one first.")

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run() -> Int32 {
    printRecords { data in
      data.keys(with: .played).filter { !data[$0].has(.hidden) }
        .map { ($0, data[$0].played?.seconds ?? 0) }.sorted { ($1.1, $0.0.text) < ($0.1, $1.0.text) }.map(\.0)
    } format: {
      json ? $0.json : $0.text
    }
  }
}

struct MarkCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall mark", abstract: "Set or remove a mark of videos, and print their number.",
    discussion: VideoArguments.discussion + """
       With --where, the arguments are sources instead, as in feedfall list, and those of their videos that match the \
      filter are marked.
      """)

  private static let names = Marking.all.map(\.name)

  @Argument(
    help: ArgumentHelp("The mark to set or to remove.", valueName: names.joined(separator: "|")),
    completion: .list(names))
  var mark: String

  @OptionGroup var videos: VideoArguments
  @OptionGroup var selection: ListSelection
  @OptionGroup var feed: OptionArguments.Feed

  func validate() throws {
    if Marking(mark) == nil { throw ValidationError(Marking.fault(mark.hidingPassword)) }
    if selection.query == nil { try videos.requireIDs() }
  }

  func run() -> Int32 {
    guard let marking = Marking(mark) else { return ExitStatus.usage }
    return selection.query.map { markListed(marking, $0) } ?? markNamed(marking)
  }

  private static let failure = "Could not mark"

  private func markNamed(_ marking: Marking) -> Int32 {
    // Found once, because a whole list may be queued.
    var (place, count): (Double?, Int) = (nil, 0)
    return changeRecords(of: videos, Self.failure, storesFacts: marking.storesFacts) { data, now, key, _ in
      let next = place ?? data.nextPlace
      place = next + 1
      data.prepare(marking, of: key, at: now)
      let changes = data.changes(marking, of: [key], at: now, place: next)
      count += changes.count
      return data.change(changes, at: now)
    } saved: {
      print(marking.text(count: count))
    }
  }

  private func markListed(_ marking: Marking, _ query: FilterQuery) -> Int32 {
    var listed: [(key: VideoKey, row: Listing.Row)] = []
    let status = withConfiguration { configuration in
      configuration.run(for: videos.ids) { sources, view, records in
        Listing(
          sources: sources, feed: configuration.sourceOptions(feed), query: query, view: view?.query ?? .empty,
          records: records, pageCount: selection.pages, action: "Marked"
        ) {
          if $0.video.list == nil { listed.append((records.key(of: $0.video), $0)) }
        }.run()
      }
    }
    var count = 0
    let saving = changeRecords { records throws(FeedFailure) in
      let now = time(nil) * 1_000
      let due = listed.filter { key, row in
        records.isChanged(by: marking, key, published: row.video.published, readBefore: row.readBefore)
      }
      let changes = records.changes(marking, of: due.map(\.key), at: now)
      count = changes.count
      let events = records.change(changes, at: now)
      let described = marking.storesFacts ? due : []
      return (events + described.flatMap { records.describe($0.key, $0.row.video, at: now) }, ExitStatus.success)
    } saved: {
      print(marking.text(count: count))
    } orElse: {
      $0.message(Self.failure)
    }
    return max(status, saving)
  }
}

extension UserData {
  fileprivate func row(of key: VideoKey, _ facts: UserData) -> VideoRow {
    let video =
      (storedVideo(key) ?? facts.storedVideo(key))?.identifiedVideo(key)
      ?? Video(id: key.text, title: cleanedLine(key.text), playback: .unknown)
    return VideoRow(video, key: key, record: self[key])
  }
}

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

/// An argument that names no video prevents all changes; a line of standard input that names none is only reported.
private func changeRecords(
  of videos: VideoArguments, _ failure: String, storesFacts: Bool = true,
  isKnown: @escaping (UserData, VideoKey) -> Bool = { _, _ in true },
  _ change: (inout UserData, _ now: Int, VideoKey, _ startSeconds: Int?) -> [UserEvent],
  saved: () -> Void = {}, finish: ([VideoFinder.Named]) -> Void = { _ in }
) -> Int32 {
  changeRecords { records throws(FeedFailure) in
    let named: [VideoFinder.Named] = try videos.named(in: records)
    let unnamed = named.filter { $0.key == nil }
    printFaults(unnamed, failure, "it is neither an address nor an ID. feedfall list --json prints IDs.")
    if unnamed.contains(where: \.isArgument) { return ([], ExitStatus.usage) }
    var (events, unknown) = ([UserEvent](), [VideoFinder.Named]())
    var now = time(nil) * 1_000
    for name in named {
      guard let key = name.key else { continue }
      guard isKnown(records, key) else {
        unknown.append(name)
        continue
      }
      events += change(&records, now, key, name.startSeconds)
      if storesFacts, let video = name.video { events += records.describe(key, video, at: now) }
      now += 1
    }
    printFaults(unknown, failure, "it is not queued. Check the ID.")
    finish(named)
    return (events, unnamed.isEmpty && unknown.isEmpty ? ExitStatus.success : ExitStatus.failure)
  } saved: {
    saved()
  } orElse: {
    $0.message(failure)
  }
}

private func printFaults(_ names: [VideoFinder.Named], _ failure: String, _ fault: String) {
  for name in names.prefix(VideoArguments.maximumFaultCount) { printError("\(failure) “\(name.text)”: \(fault)") }
  let otherCount = names.count - VideoArguments.maximumFaultCount
  if otherCount > 0 { printError("\(failure) \(otherCount) more for the same reason.") }
}

private func changeRecords(
  _ change: (inout UserData) throws(FeedFailure) -> (events: [UserEvent], status: Int32), saved: () -> Void = {},
  orElse message: (FeedFailure) -> String
) -> Int32 {
  withConfiguration { configuration in
    guard !configuration.lacksStateFolder else {
      printError("Could not save the changes: state-folder could not be read. Correct the configuration.")
      return ExitStatus.usage
    }
    guard let log = UserLog.ofUser(sharedFolder: configuration.viewOptions().stateFolder) else {
      printError("Could not find the folder for marks: neither HOME nor XDG_STATE_HOME is set. Set one of them.")
      return ExitStatus.usage
    }
    var stored = log.load()
    if let message = stored.message { printError(message) }
    if stored.missing.failure != nil { return ExitStatus.failure }
    let (events, status): ([UserEvent], Int32)
    do throws(FeedFailure) { (events, status) = try change(&stored.records) } catch {
      printError(message(error))
      return ExitStatus.failure
    }
    log.add(events)
    if let reason = log.write() {
      printError("Could not save the changes: \(reason). Check the folder for marks.")
      return ExitStatus.failure
    }
    if status != ExitStatus.usage { saved() }
    return status
  }
}
