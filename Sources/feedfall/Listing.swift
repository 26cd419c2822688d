import FeedfallCore
import FeedfallFeeds
import FeedfallRuntime
import FeedfallSources
import FeedfallText
import FoundationEssentials
import Glibc

/// Prints the videos of sources.
struct Listing {
  enum Format { case text, json }

  var sources: [NamedSource]
  var feed: SourceOptions
  var pageCount: Int
  var format: Format

  /// Prints each page as soon as it is loaded, and returns the exit status. A failure ends the source.
  func run() -> Int32 {
    let status = printPages()
    return finishPrinting() ? status : ExitStatus.failure
  }

  private func printPages() -> Int32 {
    let opened: [OpenSource]
    do { opened = try OpenSource.open(sources, options: feed) } catch {
      printError(error.message("Could not open the source"))
      return ExitStatus.failure
    }
    let worker = Worker()
    let statuses = opened.map { source in
      let name = opened.count > 1 ? "\(source.givenName ?? source.pages.name): " : ""
      return print(source.pages, calledInErrors: name, on: worker)
    }
    return statuses.max() ?? ExitStatus.success
  }

  private func print(_ pages: PageSource, calledInErrors name: String, on worker: Worker) -> Int32 {
    var cursor: FeedCursor? = .start
    var seen: Set<String> = []
    for _ in 0..<pageCount {
      guard let requested = cursor else { break }
      switch worker.wait(for: { await pages.page(requested, .revalidated) }) {
      case .failure(let failure):
        let page = requested == .start ? "the first page" : requested.name
        printError(failure.message("\(name)Could not load \(page)"))
        return ExitStatus.failure
      case .success(let page):
        for video in page.videos where seen.insert(video.id).inserted { feedfall.print(line(for: video)) }
        if let notice = page.notice { printError(notice) }
        cursor = page.next == requested ? nil : page.next
      }
    }
    return ExitStatus.success
  }

  private func line(for video: Video) -> String {
    switch format {
    case .text: ListRow(video).text
    case .json: ListRow(video).json
    }
  }
}

extension FeedFailure {
  /// Returns the message in one line: what failed, why, and what to do.
  func message(_ failure: String) -> String { "\(failure): \(explanation)" }

  /// Why, and what to do.
  var explanation: String {
    if case .wait(let seconds) = kind { return "\(reason). Retry in \(seconds) s." }
    let advice = advice.map { " \($0.prefix(1).uppercased())\($0.dropFirst())." } ?? ""
    return "\(reason).\(advice)"
  }
}

/// The output for one video. Unknown values are omitted.
struct ListRow: Encodable {
  var id: String
  var title: String
  var durationSeconds: Int?
  var coverURL: String?
  var playbackURL: String?
  var pageURL: String?
  var channel: String?
  var published: String?
  var width: Int?
  var height: Int?

  init(_ video: Video) {
    id = video.id
    title = video.title
    if case .seconds(let seconds) = video.duration { durationSeconds = seconds }
    coverURL = video.covers.first?.url.text
    playbackURL = video.playbackURL?.text
    pageURL = video.pageURL?.text
    channel = video.channel ?? video.author
    published = video.published?.description
    width = video.pictureSize?.width
    height = video.pictureSize?.height
  }

  /// The title, duration, channel and playback address, separated by tabs. Unknown values are empty.
  var text: String {
    let duration = durationSeconds.map { VideoDuration.seconds($0).description }
    return [title, duration ?? "", channel ?? "", playbackURL ?? pageURL ?? ""].joined(separator: "\t")
  }
}

extension Encodable {
  /// The value as a JSON object on one line, with sorted keys.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
