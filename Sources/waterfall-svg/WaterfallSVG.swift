import ArgumentParser
import Glibc
import WaterfallEngine

/// `waterfall-svg` reads sizes and writes a picture of their layout. It is an example of a front end for
/// `WaterfallEngine` and uses only its public interface.
@main
struct WaterfallSVG: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waterfall-svg",
    abstract: "Lay cards out and write the picture as an SVG.",
    discussion: """
      Reads a line for each card from standard input: WIDTH HEIGHT, or WIDTH HEIGHT SPAN, where SPAN is a number of \
      columns or full. A card keeps its shape and is scaled to its column. An empty line begins a new section.

      printf '%s\\n' '16 9' '4 3' '1 1' '21 9 full' | waterfall-svg --width 400 > cards.svg
      """)

  @OptionGroup var arrangement: ArrangementArguments
  @OptionGroup var view: ViewArguments

  /// Writes help to standard output with status 0, and usage errors to standard error with status 2.
  static func main() {
    do {
      try parse().draw()
    } catch {
      let message = fullMessage(for: error)
      guard exitCode(for: error) == .success else { end(message, status: 2) }
      do { try write(message + "\n") } catch { end("waterfall-svg: \(error)", status: 1) }
    }
  }

  private func draw() {
    do {
      let sections = try CardReader.readStandardInput()
      let layout = try arrangement.layout(of: sections, viewportLength: view.viewport)
      try write(view.picture(of: layout).svg)
    } catch let error as InputError {
      end("waterfall-svg: \(error)", status: error.isData ? 2 : 1)
    } catch {
      end("waterfall-svg: \(error)", status: 2)
    }
  }
}

/// Writes a message to standard error and ends the program.
func end(_ message: String, status: Int32) -> Never {
  let line = message.hasSuffix("\n") ? message : message + "\n"
  _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  exit(status)
}

/// Writes a text to standard output.
private func write(_ text: String) throws(InputError) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count >= 0 {
      bytes.removeFirst(count)
    } else if errno == EAGAIN {
      var room = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      poll(&room, 1, -1)
    } else if errno != EINTR {
      throw .system("cannot write to standard output", errno)
    }
  }
}
