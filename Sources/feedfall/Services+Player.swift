import FeedfallCore
import FeedfallPlayer
import FeedfallPlaying
import FeedfallRuntime

extension Services {
  /// Returns these services with a player and a file of resume positions.
  func withPlayer(_ player: MPVPlayer, _ resumeFile: ResumeFile?) -> Services {
    var services = self
    services.player = { player.perform($0) }
    services.flushPlayer = { player.flush() }
    services.updateRecords = { resumeFile?.update($0) }
    services.writeRecords = { resumeFile?.write() }
    return services
  }
}

extension VideoPort {
  /// Creates a port for the frames of a player.
  init(_ player: MPVPlayer) {
    self.init(descriptor: player.frameDescriptor, dequeueFrame: { player.dequeueFrame() })
  }
}
