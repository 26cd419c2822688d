import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText

enum DownloadWords {
  enum Wait: Equatable, Sendable {
    case address
    /// By the name of the source.
    case listing(source: String?)
  }

  private static let titleWidth = 40
  private static let folderWidth = 40

  private static var key: String { Keymaps.standard.name(of: .browse(.download)) }
  private static var removalKey: String { Keymaps.standard.name(of: .browse(.removeDownload)) }

  private static func quoted(_ title: String) -> String { "“\(excerpt(of: title, width: titleWidth))”" }

  static let nothingToRemove = "This video has not been downloaded. \(Messages.press(key)) to download it."

  static func started(_ request: DownloadRequest) -> String {
    let title = quoted(request.title)
    return switch request.quality {
    case nil: "Downloading \(title) · \(removalKey) to cancel"
    case .audio: "Downloading the audio of \(title) · \(removalKey) to cancel"
    case .height(let height):
      "Downloading \(title) in \(request.addresses.first?.height ?? height)p · \(removalKey) to cancel"
    }
  }

  static func closed(_ source: String, waitingCount: Int) -> String {
    let downloads = waitingCount == 1 ? "1 download waits" : "\(TextFormat.count(waitingCount)) downloads wait"
    return "\(downloads) until \(excerpt(of: source, width: 30)) is open again"
  }

  static func done(_ title: String, _ file: DownloadedFile) -> String {
    guard file.mayBeIncomplete else { return "Downloaded \(quoted(title)) to \(folder(of: file))" }
    return
      "Downloaded \(quoted(title)) to \(folder(of: file)), but it may be incomplete: its server reported no length. \(again)"
  }

  static func path(of file: DownloadedFile) -> String {
    cleanedLine(String(decoding: file.address.path, as: UTF8.self))
  }

  private static func folder(of file: DownloadedFile) -> String {
    let path = path(of: file)
    return TextWidths().truncatedInMiddle(
      path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path, width: folderWidth)
  }

  private static var again: String { "\(Messages.press(removalKey)) twice and \(key) to download it again." }

  static func removed(_ title: String) -> String { "Removed the download of \(quoted(title))" }

  static func isDone(_ file: DownloadedFile) -> String {
    let name = excerpt(of: file.address.name, width: titleWidth)
    return file.mayBeIncomplete
      ? "Already downloaded, but may be incomplete: \(name). \(again)"
      : "Already downloaded: \(name). \(Messages.press(removalKey)) to delete it."
  }

  static func isRunning(_ title: String) -> String {
    "\(quoted(title)) is being downloaded. \(Messages.press(removalKey)) to cancel."
  }

  static func confirm(_ state: DownloadState, _ title: String) -> String {
    let key = "\(Messages.press(removalKey)) again"
    return switch state {
    case .done(let file):
      "\(key) to delete \(excerpt(of: file.address.name, width: titleWidth)), \(file.byteCount.asByteCount)."
    case .waiting, .stalled, .running: "\(key) to cancel the download of \(quoted(title)) and delete its part."
    case .failed: "\(key) to delete the part of \(quoted(title))."
    }
  }

  static func failed(_ failure: FeedFailure, _ title: String) -> String {
    let advice = failure.advice.map { " \(Messages.sentence($0))." } ?? ""
    return "Could not download \(quoted(title)): \(failure.reason).\(advice) \(Messages.press(key)) to retry."
  }

  static func text(_ question: RedirectQuestion) -> String {
    let answers = [RedirectQuestion.Answer.yes, .no].map { Keymaps.standard.name(of: .answer($0)) }.joined(
      separator: "/")
    return "\(quoted(question.title)): \(question.redirect.reason). Continue? \(answers)"
  }

  static func stalled(_ failure: FeedFailure, _ title: String) -> String {
    let advice = failure.advice.map { " \(Messages.sentence($0))." } ?? ""
    let retry = "\(Messages.press(key)) to retry now."
    return "The download of \(quoted(title)) is waiting: \(failure.reason).\(advice) \(retry)"
  }

  static func removalFailed(_ failure: FeedFailure, _ title: String) -> String {
    let advice = failure.advice.map { " \(Messages.sentence($0))." } ?? ""
    return "Could not delete the download of \(quoted(title)): \(failure.reason).\(advice)"
  }

  static func text(_ obstacle: DownloadRequest.Obstacle, _ title: String) -> String {
    switch obstacle {
    case .isLive:
      "Could not download \(quoted(title)): the broadcast has not ended. \(Messages.press(key)) once it has."
    case .isLocal: "\(quoted(title)) is already a file on this computer."
    case .noChoice(.audio):
      "Could not download the audio of \(quoted(title)): it has no separate audio. \(Messages.press(key)) for the video."
    case .noChoice(.height):
      "Could not choose the quality of \(quoted(title)): its source has only one. \(Messages.press(key)) to download it."
    case .noAddress: "Could not download \(quoted(title)): the feed has no address of its file. Open its page instead."
    }
  }

  static func summary(_ count: Int, percent: Int?) -> String {
    let words = count == 1 ? "downloading" : "\(count) downloads"
    return percent.map { "\(words) \($0) %" } ?? words
  }

  /// Nil for a complete download.
  static func state(_ state: DownloadState?, waitingFor wait: Wait? = nil) -> String? {
    switch state {
    case .waiting:
      switch wait {
      case .address: "download waiting for the address"
      case .listing(let source):
        "download waits until \(source.map { excerpt(of: cleanedLine($0), width: 30) } ?? "its source") lists it again; "
          + "\(removalKey) removes it"
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
