/// An entry of terminfo: what a terminal is, has and understands.
struct TerminalEntry: Equatable {
  /// A capability by terminfo's name for it.
  struct Capability<Value: Equatable>: Equatable {
    var name: String
    var value: Value
  }

  /// The terminal's names, `|` between them.
  var names: String
  // The capabilities that terminfo defines, all of them and in its order; -1 and nil stand for those that are missing.
  var flags: [Capability<Bool>]
  var numbers: [Capability<Int32>]
  var strings: [Capability<[UInt8]?>]
  // Those that were added later, in any order.
  var addedFlags: [String] = []
  var addedNumbers: [Capability<Int32>] = []

  mutating func set(_ name: String, to flag: Bool) {
    for index in flags.indices where flags[index].name == name { flags[index].value = flag }
  }

  mutating func set(_ name: String, to number: Int32) {
    for index in numbers.indices where numbers[index].name == name { numbers[index].value = number }
  }

  mutating func set(_ name: String, to string: String?) {
    for index in strings.indices where strings[index].name == name {
      strings[index].value = string.map { Array($0.utf8) }
    }
  }
}

extension TerminalEntry {
  /// The entry in the form that curses reads, with numbers of 32 bits (term(5), "Extended number format").
  var compiled: [UInt8] {
    var table: [UInt8] = []
    var offsets: [Int] = []
    for string in strings {
      offsets.append(string.value == nil ? -1 : table.count)
      if let value = string.value { table += value + [0] }
    }
    let names = Array(names.utf8) + [0]
    var bytes: [UInt8] = []
    for number in [0o1036, names.count, flags.count, numbers.count, strings.count, table.count] {
      bytes.appendShort(number)
    }
    bytes += names + flags.map { $0.value ? 1 : 0 }
    bytes.padToEven()
    for number in numbers { bytes.appendLong(number.value) }
    for offset in offsets { bytes.appendShort(offset) }
    bytes += table
    bytes.padToEven()
    return bytes + compiledAdditions
  }

  private var compiledAdditions: [UInt8] {
    let names = addedFlags + addedNumbers.map(\.name)
    var table: [UInt8] = []
    var offsets: [Int] = []
    for name in names {
      offsets.append(table.count)
      table += Array(name.utf8) + [0]
    }
    var bytes: [UInt8] = []
    for number in [addedFlags.count, addedNumbers.count, 0, names.count, table.count] { bytes.appendShort(number) }
    bytes += addedFlags.map { _ in 1 }
    bytes.padToEven()
    for number in addedNumbers { bytes.appendLong(number.value) }
    for offset in offsets { bytes.appendShort(offset) }
    return bytes + table
  }
}

extension [UInt8] {
  fileprivate mutating func appendShort(_ number: Int) {
    let bits = UInt16(truncatingIfNeeded: number)
    append(UInt8(truncatingIfNeeded: bits))
    append(UInt8(truncatingIfNeeded: bits >> 8))
  }

  fileprivate mutating func appendLong(_ number: Int32) {
    appendShort(Int(number))
    appendShort(Int(number >> 16))
  }

  fileprivate mutating func padToEven() {
    if !count.isMultiple(of: 2) { append(0) }
  }
}
