import FeedfallPlayer
import FeedfallPlaying
import FeedfallScreen
import Synchronization
import WaterfallEngine

/// A player for tests that plays nothing: it keeps the orders, and says in answer to them what it is told to say.
public final class ScriptedPlayer: MediaPlayer, Sendable {
  private let answer: @Sendable (PlayerOrder) -> [PlayerReport]
  private let report: @Sendable (PlayerReport) -> Void
  private let kept = Mutex<[PlayerOrder]>([])
  private let box = FrameBox()

  /// The reports of an answer are made before `perform` returns.
  public init(
    answering answer: @escaping @Sendable (PlayerOrder) -> [PlayerReport] = ScriptedPlayer.playing,
    report: @escaping @Sendable (PlayerReport) -> Void
  ) {
    self.answer = answer
    self.report = report
  }

  /// All orders so far.
  public var orders: [PlayerOrder] { kept.withLock { $0 } }

  /// Says something unasked.
  public func say(_ report: PlayerReport) { self.report(report) }

  /// Has a new picture, where it is of the size that was ordered.
  public func show(_ picture: PixelBuffer) { box.put(picture) }

  public func perform(_ order: PlayerOrder) {
    if case .setPresentation(.cells(let size, _, _)) = order { box.size = size }
    kept.withLock { $0.append(order) }
    for next in answer(order) { report(next) }
  }

  public func awaitOrders() {}

  public var frameDescriptor: Int32 { box.descriptor }

  public func takeFrame() -> PixelBuffer? { box.take() }

  public func shutDown() {}

  /// Answers as a player does to which every film is a minute long and at once there.
  @Sendable public static func playing(_ order: PlayerOrder) -> [PlayerReport] {
    guard case .load(let request) = order else { return [] }
    let news: [PlayNews] = [
      .duration(seconds: 60), .ready, .paused(request.isPaused), .time(seconds: request.startSeconds),
    ]
    return news.map { .playing(request.id, $0) }
  }
}
