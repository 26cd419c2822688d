/// A terminal that prints some sequences, because it does not know them.
struct SequencePrinter {
  /// Whether the terminal prints a sequence, which is given without its ESC.
  let prints: (String) -> Bool
  private(set) var sequences: [String] = []
  private var rest: [UInt8] = []

  init(prints: @escaping (String) -> Bool) { self.prints = prints }

  /// Returns the bytes with the ESC of printed sequences removed. An incomplete sequence waits for more bytes.
  mutating func process(_ bytes: [UInt8]) -> [UInt8] {
    rest += bytes
    var result: [UInt8] = []
    while let first = rest.first {
      guard first == 0x1B else {
        result.append(rest.removeFirst())
        continue
      }
      guard let count = Self.length(of: rest) else { return result }
      let sequence = String(decoding: rest[1..<count], as: UTF8.self)
      sequences.append(sequence)
      result += prints(sequence) ? Array(sequence.utf8.filter { $0 >= 0x20 }) : Array(rest[..<count])
      rest.removeFirst(count)
    }
    return result
  }

  private static func length(of bytes: [UInt8]) -> Int? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["): return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
      return bytes.dropFirst(2).firstRange(of: [0x1B, UInt8(ascii: "\\")])?.upperBound
    case UInt8(ascii: "("), UInt8(ascii: ")"): return bytes.count > 2 ? 3 : nil
    default: return 2
    }
  }
}
