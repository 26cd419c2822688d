/// Splits the output of a program into lines, each of which ends with a newline or a carriage return.
package struct LineSplitter: Sendable {
  private let maximumLength: Int
  private var line: [UInt8] = []

  /// - Parameter maximumLength: in bytes; the rest of a longer line is ignored.
  package init(maximumLength: Int) { self.maximumLength = maximumLength }

  package mutating func lines(in output: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in output {
      if byte == 0x0A || byte == 0x0D {
        lines.append(line)
        line = []
      } else if line.count < maximumLength {
        line.append(byte)
      }
    }
    return lines
  }
}
