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
      complain("feedfall: \(error.sentence)")
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
      guard let asked = cursor else { break }
      switch worker.wait(for: { await pages.page(asked, .revalidated) }) {
      case .failure(let failure):
        complain("feedfall: \(name)\(asked.name): \(failure.sentence)")
        return ExitStatus.failure
      case .success(let page):
        for video in page.videos where seen.insert(video.id).inserted { Swift.print(line(for: video)) }
        if let notice = page.notice { complain("feedfall: \(notice)") }
        cursor = page.next == asked ? nil : page.next
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
  /// The reason and the advice in one line.
  var sentence: String {
    if case .wait(let seconds) = kind { return "\(reason); ask again in \(seconds) s" }
    return advice.map { "\(reason); \($0)" } ?? reason
  }
}
