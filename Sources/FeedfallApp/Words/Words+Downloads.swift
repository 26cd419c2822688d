import FeedfallRecords
import FeedfallScreen
import FeedfallText

extension Words {
  private static let nameWidth = 40

  var nothingToRemove: String { "This video has not been downloaded." + press(.browse(.download), "to download it") }

  func downloadStarted(_ request: DownloadRequest) -> String {
    let title = Self.quoted(request.title)
    let text =
      switch request.quality {
      case nil: "Downloading \(title)"
      case .audio: "Downloading the audio of \(title)"
      case .height(let height): "Downloading \(title) in \(request.addresses.first?.height ?? height)p"
      }
    return text + advice(.browse(.removeDownload), after: " · ") { "\($0) to cancel" }
  }

  static func closed(_ source: String, waitingCount: Int) -> String {
    let downloads = waitingCount == 1 ? "1 download waits" : "\(TextFormat.count(waitingCount)) downloads wait"
    return "\(downloads) until \(excerpt(of: source, width: 30)) is open again"
  }

  func downloaded(_ title: String, _ file: DownloadedFile) -> String {
    let text = "Downloaded \(Self.quoted(title)) to \(Self.folder(of: file))"
    guard file.mayBeIncomplete else { return text }
    return "\(text), but it may be incomplete: its server reported no length.\(again)"
  }

  static func path(of file: DownloadedFile) -> String {
    cleanedLine(String(decoding: file.address.path, as: UTF8.self))
  }

  private static func folder(of file: DownloadedFile) -> String {
    let path = path(of: file)
    return TextWidths().truncatedInMiddle(
      path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path, width: nameWidth)
  }

  private var again: String {
    guard let download = keys.name(of: .browse(.download)) else { return "" }
    return press(.browse(.removeDownload), "twice and \(download) to download it again")
  }

  static func downloadRemoved(_ title: String) -> String { "Removed the download of \(quoted(title))" }

  func alreadyDownloaded(_ file: DownloadedFile) -> String {
    let name = excerpt(of: file.address.name, width: Self.nameWidth)
    return file.mayBeIncomplete
      ? "Already downloaded, but may be incomplete: \(name).\(again)"
      : "Already downloaded: \(name)." + press(.browse(.removeDownload), "to delete it")
  }

  func isDownloading(_ title: String) -> String {
    "\(Self.quoted(title)) is being downloaded." + press(.browse(.removeDownload), "to cancel")
  }

  func confirmRemoval(_ state: DownloadState, _ title: String) -> String {
    let again = keys.name(of: .browse(.removeDownload)).map { "Press \($0) again" } ?? "Repeat the command"
    return switch state {
    case .done(let file):
      "\(again) to delete \(excerpt(of: file.address.name, width: Self.nameWidth)), \(file.byteCount.asByteCount)."
    case .waiting, .stalled, .running: "\(again) to cancel the download of \(Self.quoted(title)) and delete its part."
    case .failed: "\(again) to delete the part of \(Self.quoted(title))."
    }
  }

  func confirmRemoval(ofCount count: Int) -> String {
    let again = keys.name(of: .browse(.removeDownload)).map { "Press \($0) again" } ?? "Repeat the command"
    return "\(again) to delete \(count == 1 ? "1 download" : "\(TextFormat.count(count)) downloads")."
  }

  func downloadsStarted(_ count: Int, of total: Int) -> String {
    if count == 0 { return "Nothing to download: the \(Self.videos(total)) are loading, downloaded or not available" }
    return "Downloading \(count == total ? "" : "\(TextFormat.count(count)) of ")\(Self.videos(total))"
      + advice(.browse(.removeDownload), after: " · ") { "\($0) to cancel" }
  }

  static func tooManyDownloads(_ count: Int) -> String {
    "Could not download \(videos(count)): at most \(Browsing.maximumDownloadCount) at once. Select fewer."
  }

  func downloadFailed(_ failure: FeedFailure, _ title: String) -> String {
    "Could not download \(Self.quoted(title)): \(failure.reason).\(Self.advice(of: failure))"
      + press(.browse(.download), "to retry")
  }

  func text(_ question: RedirectQuestion) -> String {
    let answers = [RedirectQuestion.Answer.yes, .no].compactMap { keys.name(of: .answer($0)) }.joined(separator: "/")
    return "\(Self.quoted(question.title)): \(question.redirect.reason). Continue? \(answers)"
  }

  func downloadStalled(_ failure: FeedFailure, _ title: String) -> String {
    "The download of \(Self.quoted(title)) is waiting: \(failure.reason).\(Self.advice(of: failure))"
      + press(.browse(.download), "to retry now")
  }

  static func removalFailed(_ failure: FeedFailure, _ title: String) -> String {
    "Could not delete the download of \(quoted(title)): \(failure.reason).\(advice(of: failure))"
  }

  func text(_ obstacle: DownloadRequest.Obstacle, _ title: String) -> String {
    let title = Self.quoted(title)
    return switch obstacle {
    case .isLive:
      "Could not download \(title): the broadcast has not ended." + press(.browse(.download), "once it has")
    case .isLocal: "\(title) is already a file on this computer."
    case .noChoice(.audio):
      "Could not download the audio of \(title): it has no separate audio." + press(.browse(.download), "for the video")
    case .noChoice(.height):
      "Could not choose the quality of \(title): its source has only one." + press(.browse(.download), "to download it")
    case .noAddress: "Could not download \(title): the feed has no address of its file. Open its page instead."
    }
  }

  static func downloadSummary(_ count: Int, percent: Int?) -> String {
    let words = count == 1 ? "downloading" : "\(count) downloads"
    return percent.map { "\(words) \($0) %" } ?? words
  }

  /// Nil for a complete download.
  func downloadState(_ state: DownloadState?, waitingFor wait: Browsing.DownloadWait? = nil) -> String? {
    switch state {
    case .waiting:
      switch wait {
      case .address: "download waiting for the address"
      case .listing(let source):
        "download waits until \(source.map { excerpt(of: cleanedLine($0), width: 30) } ?? "its source") lists it again"
          + advice(.browse(.removeDownload), after: "; ") { "\($0) removes it" }
      case nil: "download waiting"
      }
    case .stalled(let failure): "download waiting: \(failure.reason)"
    case .running(let progress):
      "downloading \(progress.percent.map { "\($0) %" } ?? progress.byteCount.asByteCount)"
        + (progress.interruption.map { ", retrying after a failure: \($0)" } ?? "")
    case .failed(let failure): "download failed: \(failure.reason)"
    case .done(let file): file.mayBeIncomplete ? "may be incomplete" : nil
    case nil: nil
    }
  }
}
