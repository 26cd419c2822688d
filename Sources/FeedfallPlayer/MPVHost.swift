import CFeedfall
import FeedfallSystem

/// The process that runs mpv as a library. It is the program itself, started with a word that no user types.
public enum MPVHost {
  /// The first argument of the process.
  public static let word = "--mpv-host"

  /// Whether libmpv is installed. Loads it, which takes a tenth of a second.
  public static var isAvailable: Bool { mpv_host_is_available() }

  /// Runs mpv with the arguments after the word, each as `name=value`, until its client closes the connection.
  public static func run(_ arguments: some Collection<String>) -> Never {
    withArguments(arguments.map { Array($0.utf8) }) { options in
      mpv_host_run(
        UnsafeRawPointer(options).assumingMemoryBound(to: UnsafePointer<CChar>?.self), Int32(arguments.count))
    }
  }
}
