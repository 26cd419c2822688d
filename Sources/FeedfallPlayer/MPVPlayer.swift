import CFeedfallGuard
import FeedfallPlaying
import FeedfallScreen
import FeedfallSystem
import Glibc
import Synchronization

/// A player made of mpv, as a process of its own that is started with the first film and kept for the next ones.
///
/// One thread speaks with mpv, and a second reads its pictures.
public final class MPVPlayer: Sendable {
  private let options: MPVOptions
  private let report: @Sendable (PlayerReport) -> Void
  private let box = FrameBox()
  private let inbox: MPVInbox

  /// The closure is called on a thread of the player's own, in the order in which things happen.
  public init(_ options: MPVOptions = MPVOptions(), report: @escaping @Sendable (PlayerReport) -> Void) {
    self.options = options
    self.report = report
    inbox = MPVInbox()
  }

  public var frameDescriptor: Int32 { box.descriptor }

  public func takeFrame() -> PixelBuffer? { box.take() }

  public func perform(_ order: PlayerOrder) {
    guard box.descriptor >= 0, inbox.descriptor >= 0 else {
      if case .load = order { report(.unavailable(.notStarted(reason: "no more files can be opened"))) }
      return
    }
    let isFirst = inbox.put(order)
    guard isFirst else { return }
    let isStarted = DetachedThread.start { [options, report, box, inbox] in
      MPVConversation(options, box, inbox, report).run()
      inbox.close()
    }
    if !isStarted {
      inbox.close()
      report(.unavailable(.notStarted(reason: "there is no thread to speak with it")))
    }
  }

  public func awaitOrders() {
    inbox.awaitPassingOn(milliseconds: 50)
  }

  public func shutDown() {
    inbox.shutDown(waitingMilliseconds: 500)
  }
}
