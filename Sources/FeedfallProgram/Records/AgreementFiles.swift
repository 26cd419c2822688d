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

  /// A damaged file is renamed. The first contact is stored before the result can be shown: otherwise a change that the
  /// user makes at once, and whose sending a crash prevents, would look older than the contact. It is not begun with
  /// records that lack a log, whose marks would be sent later.
  func read(_ scope: FeedScope, of server: MarkServer?, _ records: UserData, _ ticket: Ticket) -> AppEvent {
    let path = path(of: scope)
    let empty = MarkSync(scope: scope, device: log.device, batchCount: server?.batchCount ?? 1)
    var (sync, copy): (MarkSync, String?) = (empty, nil)
    do throws(SystemError) {
      switch Files.stored(path.utf8, limit: MarkSync.maximumTextLength) {
      case .none: break
      case .unreadable(let error): throw error
      case .value(let bytes):
        if !sync.read(String(decoding: bytes, as: UTF8.self)) { (sync, copy) = (empty, try Files.setAside(path)) }
      }
    } catch {
      return .agreementsUnreadable(ticket, reason: "\(cleanedLine(path, limit: 200)): \(error.message)")
    }
    if !sync.hasContact {
      if let failure = log.loadingFailure { return .agreementsUnreadable(ticket, reason: failure) }
      sync.beginContact(records)
      write(sync)
    }
    return .agreementsRead(ticket, sync, damagedCopy: copy)
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
    // A failure is reported by the first write of a record.
    _ = try? Files.makeFolder(log.folder, mode: 0o700)
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
