/// Cuts bytes that come in pieces into lines; lines that are too long are left out.
struct LineSplitter {
  private var rest: [UInt8] = []
  private var isSkipping = false

  static let maximumLineLength = 1 << 20

  /// Takes the next bytes; gives the lines that are complete with them, without their ends.
  mutating func take(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var lines: [[UInt8]] = []
    for part in parts.dropLast() {
      keep(part)
      if !isSkipping { lines.append(rest) }
      rest = []
      isSkipping = false
    }
    if let start = parts.last { keep(start) }
    return lines
  }

  private mutating func keep(_ part: some Collection<UInt8>) {
    guard !isSkipping, rest.count + part.count <= Self.maximumLineLength else {
      rest = []
      isSkipping = true
      return
    }
    rest += part
  }
}
