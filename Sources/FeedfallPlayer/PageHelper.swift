import FeedfallSystem
import Glibc

/// Passes the address of a page with a secret to yt-dlp by a pipe, because mpv would pass it as an argument, which all
/// users of the machine can read. mpv starts this program in place of yt-dlp; its environment has the address.
public enum PageHelper {
  private static let helper = "FEEDFALL_PAGE_HELPER"
  private static let address = "FEEDFALL_PAGE_ADDRESS"

  static func variables(path: String, page: String) -> [String: String] { [helper: path, address: page] }

  /// Replaces this process by yt-dlp if mpv has started it in its place. The last argument is the address.
  public static func runIfRequested(_ arguments: [String]) {
    guard let path = Environment.process[helper], let page = Environment.process[address] else { return }
    // Neither yt-dlp nor its children need these variables.
    unsetenv(helper)
    unsetenv(address)
    guard arguments.count >= 2, arguments[arguments.count - 2] == "--", let pipe = makePipe() else { return }
    let line = Array((page + "\n").utf8)
    // An address is shorter than the capacity of a pipe.
    guard write(pipe.writing, line, line.count) == line.count, dup2(pipe.reading, STDIN_FILENO) == STDIN_FILENO else {
      exit(EXIT_FAILURE)
    }
    close(pipe.writing)
    let words = [path] + arguments.dropLast(2) + ["--batch-file", "-"]
    _ = withArguments(words.map { Array($0.utf8) }) { execv(path, $0) }
    exit(EXIT_FAILURE)
  }
}
