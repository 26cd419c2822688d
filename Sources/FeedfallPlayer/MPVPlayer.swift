import FeedfallApp
import FeedfallScreen
import FeedfallSystem
import FeedfallText

/// A player that uses mpv, as a process that starts with the first video and stays for the next ones.
///
/// One thread communicates with mpv, a second one reads its frames.
public final class MPVPlayer: Sendable {
  private let options: MPVOptions
  private let proxies: @Sendable (WebAddress) -> Proxies
  private let routes: FileRoutes?
  private let report: @Sendable (PlayerReport) -> Void
  private let frames = FrameBox()
  private let inbox = MPVInbox()

  /// Creates a player; `report` is called on the player's thread, in the order of events.
  ///
  /// - Parameters:
  ///   - proxies: returns the rules for proxies of an address.
  ///   - routes: where films lead; nil to let all leave https.
  public init(
    _ options: MPVOptions = MPVOptions(), proxies: @escaping @Sendable (WebAddress) -> Proxies = { _ in Proxies() },
    routes: FileRoutes? = nil, report: @escaping @Sendable (PlayerReport) -> Void
  ) {
    self.options = options
    (self.proxies, self.routes) = (proxies, routes)
    self.report = report
  }

  /// Readable while a frame waits.
  public var frameDescriptor: Int32 { frames.descriptor }

  /// Returns and removes the newest frame, two rows of pixels for each row of cells; nil if there is no new one.
  public func dequeueFrame() -> PixelBuffer? { frames.dequeue() }

  /// Carries out an order; never blocks.
  public func perform(_ order: PlayerOrder) {
    guard inbox.enqueue(order) == .startsReader else { return }
    let isStarted = DetachedThread.start { [options, proxies, routes, report, frames, inbox] in
      MPVThread(options, proxies, routes, frames, inbox, report).run()
      inbox.close()
    }
    if !isStarted {
      inbox.close()
      report(.unavailable(.notStarted(reason: "no thread could be created")))
    }
  }

  /// Waits until all orders have been sent to mpv, at most 50 ms.
  public func flush() {
    inbox.waitUntilSent(milliseconds: 50)
  }

  /// Ends mpv; waits at most 500 ms for that.
  public func shutDown() {
    inbox.shutDown(milliseconds: 500)
  }
}
