import FeedfallSystem
import FeedfallText
import Glibc

extension FeedFailure {
  private static let useWebAddress = "use an address that begins with https:// or http://"
  private static let checkName = "check its name; a web address begins with https://"

  static func noAddress(_ text: String) -> FeedFailure {
    FeedFailure(
      .permanent, "\(cleanedLine(text.hidingPassword, limit: 80)) is not a web address", advice: useWebAddress)
  }

  /// An argument that is neither an address nor a path, but may be meant as the name of a configured source.
  static func unknownName(_ name: String) -> FeedFailure {
    FeedFailure(.permanent, "no file, folder, source or view is called \"\(name)\"", advice: checkName)
  }

  static func unsupported(scheme: String, kind: String) -> FeedFailure {
    FeedFailure(.permanent, "\(scheme): is \(kind), which feedfall does not support", advice: useWebAddress)
  }

  /// The cursor belongs to another kind of source.
  static let noSuchPage = FeedFailure(.permanent, "this feed has no such page", advice: "refresh the feed")

  /// An encrypted document leads to an address without encryption.
  static func notEncrypted(host: String) -> FeedFailure {
    FeedFailure(
      .permanent, "it leads from https to http://\(cleanedLine(host, limit: 80)), which is not encrypted",
      advice: "to allow that, use the http address")
  }

  /// A page of a PeerTube instance that shows no list of videos.
  static func pageWithoutList(path: String) -> FeedFailure {
    FeedFailure(
      .permanent, "\(cleanedLine(path, limit: 80)) is not a list of videos on this PeerTube instance",
      advice: "use the address of the instance, a channel, an account, a playlist or a search")
  }

  static let inputIsTerminal = FeedFailure(
    .permanent, "standard input is the terminal", advice: "pipe a feed into the program")

  static let removedSearch = FeedFailure(
    .permanent, "yt-dlp no longer searches YouTube by date", advice: "use ytsearch:WORDS")

  static let cachedFeedGone = FeedFailure(.temporary, "the cached feed was deleted")

  static func noFacts(named name: String) -> FeedFailure { FeedFailure(.permanent, "the answer has no \(name)") }
}

// MARK: - Files and folders

extension FeedFailure {
  static func notOpened(_ name: String, _ error: SystemError) -> FeedFailure {
    switch error.number {
    case ENOENT, ENOTDIR:
      FeedFailure(.permanent, name.isEmpty ? "the source is empty" : "there is no \(name)", advice: checkName)
    case EACCES, EPERM: FeedFailure(.permanent, "\(name) is not readable", advice: "check its permissions")
    case EISDIR: FeedFailure(.permanent, "\(name) is a folder now", advice: "start feedfall again")
    case EMFILE, ENFILE:
      FeedFailure(.temporary, "\(name) could not be opened: \(error.message)", advice: "raise the limit with ulimit -n")
    default:
      FeedFailure(.permanent, "\(name) could not be opened: \(error.message)", advice: "check the file and its disk")
    }
  }

  static func notRead(_ name: String, _ error: SystemError) -> FeedFailure {
    FeedFailure(.temporary, "\(name) could not be read: \(error.message)")
  }

  static func emptyFile(_ name: String) -> FeedFailure {
    FeedFailure(.permanent, "\(name) is empty", advice: "copy or download it again")
  }

  static func tooLargeFile(_ name: String) -> FeedFailure {
    FeedFailure(.permanent, "\(name) is larger than 256 MB", advice: "check the file's name")
  }

  static func terminal(_ name: String) -> FeedFailure {
    FeedFailure(.permanent, "\(name) is a terminal", advice: "choose a file or a pipe")
  }

  static func noThread(toRead name: String) -> FeedFailure {
    FeedFailure(.temporary, "no thread could be started to read \(name)", advice: "close other programs")
  }

  static func folderWithoutVideos(_ name: String) -> FeedFailure {
    FeedFailure(.permanent, "\(name) contains no videos", advice: "choose another folder")
  }
}

// MARK: - Programs

/// A program that reads sources.
enum SourceProgram: String, Sendable {
  case ytDlp = "yt-dlp"
  case ffmpeg, ffprobe

  fileprivate var inputAdvice: String {
    switch self {
    case .ytDlp: "check the address, or update yt-dlp"
    case .ffmpeg, .ffprobe: "check whether the file is a video"
    }
  }
}

extension FeedFailure {
  static let ytDlpNotInstalled = FeedFailure(
    .permanent, "yt-dlp is not installed", advice: "install it: apt install yt-dlp")

  static let ytDlpFoundNothing = FeedFailure(
    .permanent, "yt-dlp found no videos", advice: SourceProgram.ytDlp.inputAdvice)

  static func notStarted(_ program: SourceProgram, reason: String) -> FeedFailure {
    FeedFailure(.permanent, "\(program.rawValue) could not be started: \(reason)", advice: "check its installation")
  }

  static func timedOut(_ program: SourceProgram, seconds: Int) -> FeedFailure {
    FeedFailure(.temporary, "\(program.rawValue) gave no answer in \(seconds) s")
  }

  static func tooLargeOutput(of program: SourceProgram, limit: Int) -> FeedFailure {
    FeedFailure(
      .permanent, "\(program.rawValue) printed more than \(limit >> 20) MB", advice: program.inputAdvice)
  }

  /// The program ended without the expected output; `words` is its error message.
  static func failed(
    _ program: SourceProgram, status: Int, words: String?, isFinal: Bool = true, cure: YtDlpCure? = nil
  ) -> FeedFailure {
    let reason = words.map { "failed: \($0)" } ?? "ended with status \(status) without a message"
    guard words != nil, let cure else {
      return FeedFailure(
        isFinal ? .permanent : .temporary, "\(program.rawValue) \(reason)",
        advice: isFinal ? program.inputAdvice : nil)
    }
    return FeedFailure(
      cure.isLasting ? .permanent : .temporary, "\(program.rawValue) \(reason)", advice: cure.advice)
  }
}
