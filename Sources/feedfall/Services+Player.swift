import FeedfallCore
import FeedfallPlayer
import FeedfallPlaying
import FeedfallRuntime

extension Services {
  /// The same with a player of films, and a file that keeps where they were left off.
  func withPlayer(_ player: MPVProcess, _ resumed: ResumeFile?) -> Services {
    var services = self
    services.player = { player.perform($0) }
    services.awaitPlayer = { player.awaitOrders() }
    services.keepRecords = { resumed?.update($0) }
    services.writeRecords = { resumed?.write() }
    return services
  }
}

extension VideoPort {
  /// The pictures of a player.
  init(_ player: MPVProcess) {
    self.init(
      descriptor: player.frameDescriptor < 0 ? nil : player.frameDescriptor, takeFrame: { player.takeFrame() })
  }
}
