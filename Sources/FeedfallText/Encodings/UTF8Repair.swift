/// Telling valid UTF-8 from other bytes (Unicode 16, table 3-7).
package enum UTF8Repair {
  /// How many characters beyond ASCII are well formed, and how many bytes belong to none.
  package static func census(_ bytes: ArraySlice<UInt8>) -> (characters: Int, strays: Int) {
    var (characters, strays) = (0, 0)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let length = sequenceLength(bytes, at: index)
      if length > 1 { characters += 1 } else if length == 0 { strays += 1 }
      index += max(1, length)
    }
    return (characters, strays)
  }

  /// The same bytes, where one belongs to no character read as windows-1252: most such texts were put together from
  /// both.
  package static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    var copied = index
    while index < bytes.endIndex {
      let length = sequenceLength(bytes, at: index)
      if length == 0 {
        result += bytes[copied..<index]
        Windows1252.append(bytes[index], to: &result)
        copied = index + 1
      }
      index += max(1, length)
    }
    return result + bytes[copied...]
  }

  /// How long the character at this place is; 0 where there is none.
  @inline(__always)
  static func sequenceLength(_ bytes: ArraySlice<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    if first < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { second = 0xA0...0xBF } else if first == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { second = 0x90...0xBF } else if first == 0xF4 { second = 0x80...0x8F }
    default: return 0
    }
    guard index + length <= bytes.endIndex, second.contains(bytes[index + 1]) else { return 0 }
    for place in (index + 2)..<(index + max(2, length)) where bytes[place] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
