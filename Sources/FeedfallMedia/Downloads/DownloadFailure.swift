import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Glibc

package enum DownloadFailure: Error, Equatable, Sendable {
  case cancelled
  /// `host` is that of the address.
  case web(WebFailure, host: String)
  /// The file is not encrypted, and the user has not allowed that.
  case leavesHTTPS(UnencryptedRedirect)
  /// The server sent a page or a text, with this content type.
  case notMedia(type: String)
  case empty
  case changing
  case contradictory
  case tinyPieces
  /// The server, which is that of the address, sends so few bytes that the download would never end.
  case tooSlow(host: String)
  /// A stream without some of its parts, by the message of the program; nil if it is only shorter than its list.
  case incompleteStream(words: String?)
  case noSpace(neededByteCount: Int?, freeByteCount: Int, folder: String)
  case busy
  case folder(SystemError, path: String)
  case file(SystemError, path: String)
  /// A folder whose disk is missing, so that it would be created on another one.
  case notMounted(path: String)
  case noLogin(source: String?)
  case neverComplete(receivedByteCount: Int)
  case list(SystemError)
  case unreadableList(SystemError, path: String)
  case damagedList(path: String)
  case replaced(path: String)
  case program(String, ProgramFault)

  package enum ProgramFault: Equatable, Sendable {
    case notInstalled(package: String)
    case notStarted(reason: String)
    case timedOut(hours: Int)
    case notUsable(YtDlp.Obstacle)
    case failed(status: Int, words: String?, cure: YtDlpCure? = nil)
    case noFile
  }

  /// Whether another address of the video may succeed.
  var concernsAddress: Bool {
    switch self {
    case .web(let failure, _): failure != .cancelled && failure != .noLibrary
    case .leavesHTTPS, .notMedia, .empty, .changing, .contradictory, .tinyPieces, .tooSlow, .neverComplete,
      .incompleteStream, .program:
      true
    case .cancelled, .noSpace, .busy, .folder, .file, .notMounted, .noLogin, .list, .unreadableList, .damagedList,
      .replaced:
      false
    }
  }

  init(_ failure: WebFailure, of request: FileRequest) {
    switch failure {
    case .redirect(.notEncrypted(let redirect)) where !request.hasLogin: self = .leavesHTTPS(redirect)
    case .cancelled: self = .cancelled
    default: self = .web(failure, host: request.address.host)
    }
  }

  var isForUser: Bool { if case .leavesHTTPS = self { true } else { false } }

  /// Whether a request in a few seconds may get the rest.
  var isTransient: Bool {
    switch self {
    case .web(let failure, _): failure.retry != .permanent && failure.scope != .machine
    case .tinyPieces, .tooSlow: true
    default: false
    }
  }

  /// The obstacle for which the download waits; nil for a failure of its address, which ends it.
  var obstacle: Obstacle? {
    switch self {
    case .web(let failure, let host):
      switch failure.scope {
      case .address: nil
      case .host: .host(host)
      case .machine: .machine
      }
    case .tooSlow(let host): .host(host)
    case .leavesHTTPS, .notMedia, .empty, .changing, .contradictory, .tinyPieces, .neverComplete, .incompleteStream: nil
    case .replaced, .damagedList: nil
    case .file(let error, _): error.isOfPlace || [EEXIST, ENAMETOOLONG, EFBIG].contains(error.number) ? nil : .machine
    case .cancelled, .noSpace, .folder, .list, .unreadableList: .machine
    case .busy: .lock
    case .notMounted, .noLogin: .own
    case .program(_, let fault):
      switch fault {
      case .notInstalled, .notStarted, .notUsable: .own
      case .timedOut, .failed, .noFile: nil
      }
    }
  }

  /// In seconds, before another attempt.
  var pause: Int? {
    guard case .web(let failure, _) = self else { return nil }
    if case .wait(let seconds) = failure.retry { return seconds }
    // Servers lock out those that send wrong passwords.
    return failure == .loginRefused ? DownloadQueue.longestPause : nil
  }

  enum Obstacle: Equatable, Sendable {
    /// The server; other downloads from it wait as well.
    case host(String)
    /// The network or the disk; all downloads wait.
    case machine
    case lock
    /// A program, an authorization or a disk that only this download needs.
    case own
  }
}

extension FeedFailure {
  package init(_ failure: DownloadFailure) {
    switch failure {
    case .cancelled: self.init(.temporary, "it was cancelled")
    case .web(let failure, _):
      self.init(failure.retry == .permanent ? .permanent : .temporary, failure.reason, advice: failure.advice)
    case .leavesHTTPS(let redirect):
      self.init(
        .permanent, redirect.reason, advice: "write allow-http = true in the source's table of config.toml")
      self.redirect = redirect
    case .notMedia(let type):
      self.init(.permanent, "the server sent \(type) in place of a video", advice: "open the page to see why")
    case .empty: self.init(.permanent, "the file is empty", advice: "check the address")
    case .changing: self.init(.temporary, "the file on the server keeps changing", advice: "retry later")
    case .contradictory: self.init(.temporary, "the server sent contradictory lengths", advice: "retry later")
    case .tinyPieces: self.init(.temporary, "the server sends the file in tiny pieces", advice: "retry later")
    case .tooSlow(let host):
      self.init(
        .temporary,
        "\(host) sends less than \(DownloadPart.Trickle.leastByteCount.asByteCount) in \(DownloadPart.Trickle.seconds) s",
        advice: "retry later")
    case .incompleteStream(let words):
      let words = words.map { " (\($0))" } ?? ""
      self.init(.temporary, "parts of the stream are missing\(words)", advice: "retry later")
    case .noSpace(let needed, let free, let folder):
      let words = needed.map { "\($0.asByteCount) are needed and " } ?? ""
      self.init(
        .temporary, "\(words)\(free.asByteCount) are free in \(cleanedLine(folder, limit: 200))",
        advice: "delete files there, or choose another download-folder")
    case .busy: self.init(.temporary, "another program is downloading it", advice: "wait for it")
    case .folder(let error, let path):
      self.init(
        .permanent, "\(cleanedLine(path, limit: 200)): \(error.message)",
        advice: "check the folder, or choose another download-folder")
    case .file(let error, let path):
      self.init(
        .temporary, "\(cleanedLine(path, limit: 200)) could not be written: \(error.message)", advice: "check the disk")
    case .notMounted(let path):
      self.init(
        .temporary, "the disk of \(cleanedLine(path, limit: 200)) is missing",
        advice: "mount it, or request the download again")
    case .noLogin(let source):
      self.init(
        .temporary, "the server requires the login of \(source.map { cleanedLine($0, limit: 80) } ?? "its source")",
        advice: "open that source")
    case .neverComplete(let count):
      self.init(
        .temporary, "each attempt broke off before the end, after \(count.asByteCount) in total",
        advice: "retry later")
    case .unreadableList(let error, let path):
      self.init(
        .temporary, "the list of downloads, \(cleanedLine(path, limit: 200)), could not be read: \(error.message)",
        advice: "check its permissions")
    case .damagedList(let path):
      self.init(
        .temporary, "the list of downloads was damaged; its readable entries were kept",
        advice: "find the rest in \(cleanedLine(path, limit: 200))")
    case .list(let error):
      self.init(
        .temporary, "the list of downloads could not be saved: \(error.message)", advice: "check the state folder")
    case .replaced(let path):
      self.init(
        .permanent, "\(cleanedLine(path, limit: 200)) has been changed or replaced since", advice: "delete it yourself")
    case .program(let name, let fault): self.init(name, fault)
    }
  }

  private init(_ name: String, _ fault: DownloadFailure.ProgramFault) {
    switch fault {
    case .notInstalled(let package):
      self.init(.permanent, "\(name) is not installed", advice: "install it: apt install \(package)")
    case .notStarted(let reason):
      self.init(.permanent, "\(name) could not be started: \(reason)", advice: "check its installation")
    case .timedOut(let hours): self.init(.temporary, "\(name) did not end in \(hours) h")
    case .notUsable(let obstacle): self.init(.permanent, obstacle.reason, advice: obstacle.advice)
    case .failed(_, let words?, let cure?):
      self.init(cure.isLasting ? .permanent : .temporary, "\(name) failed: \(words)", advice: cure.advice)
    case .failed(let status, let words, _):
      self.init(.temporary, words.map { "\(name) failed: \($0)" } ?? "\(name) ended with status \(status)")
    case .noFile: self.init(.permanent, "\(name) found no video", advice: "check the address")
    }
  }
}
