import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Synchronization

/// The files with the marks that this device and a server had last, one for each account.
final class AgreementFiles: Sendable {
  let log: UserLog
  private let written = Mutex<[String: String]>([:])

  init(_ log: UserLog) { self.log = log }

  /// A damaged file is renamed. Without a file, the first contact is stored before the result can be shown: otherwise
  /// a change that the user makes at once, and whose sending a crash prevents, would look older than the contact.
  func read(_ scope: FeedScope, of server: MarkServer?, _ records: UserData, _ ticket: Ticket) -> AppEvent {
    let path = path(of: scope)
    var empty = MarkSync(scope: scope, device: log.device, batchCount: server?.batchCount ?? 1)
    do throws(SystemError) {
      switch Files.stored(path.utf8, limit: MarkSync.maximumTextLength) {
      case .none:
        empty.beginContact(records)
        write(empty)
        return .agreementsRead(ticket, empty)
      case .unreadable(let error): throw error
      case .value(let bytes):
        var sync = empty
        guard !sync.read(String(decoding: bytes, as: UTF8.self)) else { return .agreementsRead(ticket, sync) }
        let copy = try Files.setAside(path)
        empty.beginContact(records)
        write(empty)
        return .agreementsRead(ticket, empty, damagedCopy: copy)
      }
    } catch {
      return .agreementsUnreadable(ticket, reason: "\(cleanedLine(path, limit: 200)): \(error.message)")
    }
  }

  /// Writes the user's changes first: without their events, the next program must adopt the marks again. A failure of
  /// the agreements is harmless, because the next program only knows earlier ones.
  @Sendable func save(_ sync: MarkSync) -> String? {
    let reason = log.write()
    if log.pendingCount == 0 { write(sync) }
    return reason
  }

  private func write(_ sync: MarkSync) {
    let (path, text) = (path(of: sync.scope), sync.text)
    written.withLock { written in
      guard text != written[path], (try? Files.replace(path, with: Array(text.utf8), mode: 0o600)) != nil else {
        return
      }
      written[path] = text
    }
  }

  private func path(of scope: FeedScope) -> String {
    let name = scope.text.utf8.map { $0.isASCIILetter || $0.isASCIIDigit || ".-#".utf8.contains($0) ? $0 : 0x5F }
    return "\(log.folder)/\(log.device).marks-\(String(decoding: name, as: UTF8.self))"
  }
}
