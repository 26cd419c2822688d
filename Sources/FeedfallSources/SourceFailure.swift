import FeedfallSystem
import FeedfallText
import Glibc

enum SourceFailure: Equatable, Sendable {
  case noAddress(String)
  /// An argument that is neither an address nor a path, but may be meant as the name of a configured source.
  case unknownName(String)
  case unsupported(scheme: String, kind: String)
  /// The cursor belongs to another kind of source.
  case noSuchPage
  /// An encrypted document leads to an address without encryption.
  case notEncrypted(host: String)
  /// A page of a PeerTube instance that shows no list of videos.
  case pageWithoutList(path: String)
  case inputIsTerminal
  case removedSearch
  case cachedFeedGone
  case folderWithoutVideos(name: String)
  case file(FileFault, name: String)
  case program(Program, ProgramFault)
  case password(PasswordFault)

  enum FileFault: Equatable, Sendable {
    case notOpened(SystemError)
    case notRead(SystemError)
    case empty
    case tooLarge
    case terminal
    case noThread
  }

  enum Program: String, Sendable {
    case ytDlp = "yt-dlp"
    case ffmpeg, ffprobe

    fileprivate var package: String {
      switch self {
      case .ytDlp: "yt-dlp"
      case .ffmpeg, .ffprobe: "ffmpeg"
      }
    }

    fileprivate var inputAdvice: String {
      switch self {
      case .ytDlp: "check the address, or update yt-dlp"
      case .ffmpeg, .ffprobe: "check whether the file is a video"
      }
    }
  }

  enum ProgramFault: Equatable, Sendable {
    case notInstalled
    case notStarted(reason: String)
    case timedOut(seconds: Int)
    case tooLargeOutput(limit: Int)
    case noVideos
    /// The program ended without the expected output; `words` is its error message.
    case failed(status: Int, words: String?, isFinal: Bool, cure: YtDlpCure? = nil)
  }
}

extension FeedFailure {
  init(_ failure: SourceFailure) {
    switch failure {
    case .noAddress(let text):
      self.init(
        .permanent, "\(cleanedLine(text.hidingPassword, limit: 80)) is not a web address",
        advice: "use an address that begins with https:// or http://")
    case .unknownName(let name):
      self.init(
        .permanent, "no file, folder, source or view is called \"\(name)\"",
        advice: "check its name; a web address begins with https://")
    case .unsupported(let scheme, let kind):
      self.init(
        .permanent, "\(scheme): is \(kind), which feedfall does not support",
        advice: "use an address that begins with https:// or http://")
    case .noSuchPage: self.init(.permanent, "this feed has no such page", advice: "refresh the feed")
    case .notEncrypted(let host):
      self.init(
        .permanent, "it leads from https to http://\(cleanedLine(host, limit: 80)), which is not encrypted",
        advice: "to allow that, use the http address")
    case .pageWithoutList(let path):
      self.init(
        .permanent, "\(cleanedLine(path, limit: 80)) is not a list of videos on this PeerTube instance",
        advice: "use the address of the instance, a channel, an account, a playlist or a search")
    case .inputIsTerminal:
      self.init(.permanent, "standard input is the terminal", advice: "pipe a feed into the program")
    case .removedSearch:
      self.init(.permanent, "yt-dlp no longer searches YouTube by date", advice: "use ytsearch:WORDS")
    case .cachedFeedGone: self.init(.temporary, "the cached feed was deleted")
    case .folderWithoutVideos(let name):
      self.init(.permanent, "\(name) contains no videos", advice: "choose another folder")
    case .file(let fault, let name): self.init(fault, name)
    case .program(let program, let fault): self.init(fault, of: program)
    case .password(let fault): self.init(ofPassword: fault)
    }
  }

  private init(_ fault: SourceFailure.FileFault, _ name: String) {
    switch fault {
    case .notOpened(let error): self.init(opening: name, error)
    case .notRead(let error): self.init(.temporary, "\(name) could not be read: \(error.message)")
    case .empty: self.init(.permanent, "\(name) is empty", advice: "copy or download it again")
    case .tooLarge:
      self.init(.permanent, "\(name) is larger than 256 MB", advice: "check the file's name")
    case .terminal: self.init(.permanent, "\(name) is a terminal", advice: "choose a file or a pipe")
    case .noThread:
      self.init(.temporary, "no thread could be started to read \(name)", advice: "close other programs")
    }
  }

  private init(opening name: String, _ error: SystemError) {
    switch error.number {
    case ENOENT, ENOTDIR:
      self.init(
        .permanent, name.isEmpty ? "the source is empty" : "there is no \(name)",
        advice: "check its name; a web address begins with https://")
    case EACCES, EPERM: self.init(.permanent, "\(name) is not readable", advice: "check its permissions")
    case EISDIR: self.init(.permanent, "\(name) is a folder now", advice: "start feedfall again")
    case EMFILE, ENFILE:
      self.init(
        .temporary, "\(name) could not be opened: \(error.message)", advice: "raise the limit with ulimit -n")
    default:
      self.init(.permanent, "\(name) could not be opened: \(error.message)", advice: "check the file and its disk")
    }
  }

  private init(_ fault: SourceFailure.ProgramFault, of program: SourceFailure.Program) {
    let name = program.rawValue
    switch fault {
    case .notInstalled:
      self.init(.permanent, "\(name) is not installed", advice: "install it: apt install \(program.package)")
    case .notStarted(let reason):
      self.init(.permanent, "\(name) could not be started: \(reason)", advice: "check its installation")
    case .timedOut(let seconds): self.init(.temporary, "\(name) gave no answer in \(seconds) s")
    case .tooLargeOutput(let limit):
      self.init(.permanent, "\(name) printed more than \(limit >> 20) MB", advice: program.inputAdvice)
    case .noVideos: self.init(.permanent, "\(name) found no videos", advice: program.inputAdvice)
    case .failed(_, let words?, _, let cure?):
      self.init(cure.isLasting ? .permanent : .temporary, "\(name) failed: \(words)", advice: cure.advice)
    case .failed(let status, let words, let isFinal, _):
      let reason = words.map { "failed: \($0)" } ?? "ended with status \(status) without a message"
      self.init(isFinal ? .permanent : .temporary, "\(name) \(reason)", advice: isFinal ? program.inputAdvice : nil)
    }
  }
}
