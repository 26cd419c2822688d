/// The numbers of the addresses that cells are links to (OSC 8).
final class Links {
  private var numbers: [String: UInt16] = [:]
  private var sequences: [[UInt8]] = [Links.end]

  static let end = Array("\u{1B}]8;;\u{1B}\\".utf8)

  private static let maximumLength = 2048
  private static let maximumCount = 4096
  private static let schemes = ["https://", "http://", "file://"]

  /// Whether `removeAll` is due. Cells that the terminal shows with a link must be forgotten then.
  var isFull: Bool { sequences.count > Self.maximumCount }

  func removeAll() { (numbers, sequences) = ([:], [Self.end]) }

  func number(of address: String) -> UInt16 {
    if let known = numbers[address] { return known }
    guard Self.isSafe(address), sequences.count < Int(UInt16.max) else { return 0 }
    let number = UInt16(sequences.count)
    numbers[address] = number
    // Parts with the same number are one link.
    sequences.append(Array("\u{1B}]8;id=\(number);\(address)\u{1B}\\".utf8))
    return number
  }

  /// Returns the sequence that starts a link; for 0, the one that ends it.
  func sequence(_ number: UInt16) -> [UInt8] { sequences[Int(number)] }

  /// Whether the address cannot end its sequence, and a terminal may open it.
  private static func isSafe(_ address: String) -> Bool {
    address.utf8.count <= maximumLength && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && schemes.contains { address.hasPrefix($0) }
  }
}
