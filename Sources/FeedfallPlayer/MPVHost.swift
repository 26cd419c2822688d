import CFeedfallMPV
import Glibc

/// The process that runs mpv as a library. It is the program itself, started with a word that no user types.
public enum MPVHost {
  /// The first argument of the process.
  public static let word = "--mpv-host"

  /// Runs mpv with the arguments after the word, each as `name=value`, until its client closes the connection.
  public static func run(_ arguments: some Collection<String>) -> Never {
    var options = arguments.map { UnsafePointer(strdup($0)) }
    mpv_host_run(&options, Int32(options.count))
  }
}
