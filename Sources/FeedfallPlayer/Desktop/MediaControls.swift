import FeedfallApp
import FeedfallSystem
import Glibc
import Synchronization

/// Shows the video that plays to the desktop and receives its media keys, as an MPRIS player on the session bus.
/// A thread connects to the bus with the first video. Without a bus or libdbus publishing has no effect; the next video
/// tries again, as it does after a flood of messages.
public final class MediaControls: Sendable {
  fileprivate struct State {
    var player: MediaPlayer?
    var isRunning = false
    var attemptedTrack = 0
    var commands: [RemoteCommand] = []

    fileprivate mutating func update(_ now: NowPlaying, at time: ContinuousClock.Instant) -> MediaControls.Next {
      let isChanged = player?.update(now, at: time) ?? true
      if player == nil { player = MediaPlayer(now, at: time) }
      guard isChanged else { return .nothing }
      guard !isRunning else { return .wakes }
      guard let track = player?.track, track != attemptedTrack else { return .nothing }
      (attemptedTrack, isRunning) = (track, true)
      return .starts
    }
  }

  fileprivate enum Next { case nothing, wakes, starts }

  private let state = Mutex(State())
  private let changed = WakeUp.required()
  private let commanded = WakeUp.required()

  /// Calls beyond that fail until the main loop has handled the pending ones.
  private static let maximumCommandCount = 64
  /// Messages per second, and in a burst: far more than desktops and their widgets send.
  private static let maximumMessageRate = (steady: 200, burst: 2_000)

  private let environment: Environment
  /// The last part of the name on the bus, which distinguishes programs that run at the same time.
  private let instance: String

  public convenience init() { self.init(.process, instance: "instance\(getpid())") }

  init(_ environment: Environment, instance: String) { (self.environment, self.instance) = (environment, instance) }

  /// Readable while a command waits.
  public var descriptor: Int32 { commanded.descriptor }

  /// Returns and removes the oldest command; nil if there is none.
  public func dequeueCommand() -> RemoteCommand? {
    state.withLock { state in
      guard !state.commands.isEmpty else { return nil }
      if state.commands.count == 1 { commanded.drain() }
      return state.commands.removeFirst()
    }
  }

  /// Publishes the state of playback; never blocks.
  public func publish(_ now: NowPlaying) {
    let time = ContinuousClock.now
    switch state.withLock({ $0.update(now, at: time) }) {
    case .nothing: return
    case .wakes: changed.post()
    case .starts: start()
    }
  }

  private func start() {
    let isStarted = DetachedThread.start { self.run() }
    if !isStarted { state.withLock { $0.isRunning = false } }
  }

  private func run() {
    defer { state.withLock { $0.isRunning = false } }
    guard let connection = BusConnection(environment) else { return }
    connection.requestName("\(MediaPlayer.Interface.root.rawValue).feedfall.\(instance)")
    var gauge = FloodGauge()
    while connection.wait(for: changed.descriptor) {
      changed.drain()
      while connection.handleNext(reply) {
        let rate = Self.maximumMessageRate
        guard gauge.accepts(1, rate: rate.steady, burst: rate.burst, at: .now) else { return }
      }
      for signal in state.withLock({ $0.player?.drainSignals(at: .now) ?? [] }) { connection.send(signal: signal) }
    }
  }

  private func reply(to message: BusConnection.Received) -> BusReply? {
    guard case .call(let call) = message else { return nil }
    return state.withLock { state in
      guard let (reply, command) = state.player?.handle(call, at: .now) else { return nil }
      guard let command else { return reply }
      guard state.commands.count < Self.maximumCommandCount else {
        return .failure(.tooManyCalls, "earlier calls are still pending")
      }
      state.commands.append(command)
      commanded.post()
      return reply
    }
  }
}
