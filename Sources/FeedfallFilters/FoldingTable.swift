/// The scalars beyond ASCII that folding changes.
struct FoldingTable: Sendable {
  static let shared = FoldingTable()

  /// The page number of each block of 256 scalars; 0 for a block without changes.
  private var pageNumbers = [UInt8](repeating: 0, count: Self.end >> 8)
  /// For each scalar of a page, the index of its text in `texts`; 0 for a scalar that is not changed.
  private var places = [UInt16](repeating: 0, count: 256)
  /// The distinct texts, each preceded by its length in bytes.
  private var texts: [UInt8] = [0]

  private static let end = 0x30000
  /// Variation selectors and tags, which are removed.
  private static let selectors: ClosedRange<UInt32> = 0xE0000...0xE01EF

  subscript(value: UInt32) -> ArraySlice<UInt8>? {
    guard value < Self.end else { return Self.selectors.contains(value) ? [] : nil }
    let page = Int(pageNumbers[Int(value >> 8)])
    guard page > 0 else { return nil }
    let place = Int(places[page << 8 | Int(value & 0xFF)])
    return place > 0 ? texts[place + 1..<place + 1 + Int(texts[place])] : nil
  }

  private init() {
    var (placesOfTexts, text) = ([ArraySlice<UInt8>: UInt16](), ArraySlice<UInt8>())
    var value = 0
    let words = UnsafeBufferPointer(start: Self.words.utf8Start, count: Self.words.utf8CodeUnitCount)
    for word in words.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) {
      if word.first == UInt8(ascii: "@") {
        value = Self.number(word.dropFirst(), radix: 16)
      } else if word.first == UInt8(ascii: "\\"), let sign = word.dropFirst().first, let run = Self.runs[sign] {
        for _ in 0..<Self.number(word.dropFirst(2), radix: 10) {
          text = Self.text(at: run.distance, from: text)
          set(text, for: value + run.step - 1, &placesOfTexts)
          value += run.step
        }
      } else {
        text = Self.text(of: word)
        set(text, for: value, &placesOfTexts)
        value += 1
      }
    }
  }

  /// The signs of runs, with the distances between their scalars and between the texts of these.
  private static let runs: [UInt8: (step: Int, distance: UInt32)] = [
    UInt8(ascii: "-"): (1, 1), UInt8(ascii: "="): (2, 2), UInt8(ascii: "*"): (1, 0),
  ]

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>, radix: Int) -> Int {
    Int(String(decoding: digits, as: UTF8.self), radix: radix) ?? 0
  }

  private static func text(at distance: UInt32, from text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let first = distance > 0 ? String(decoding: text, as: UTF8.self).unicodeScalars.first : nil
    let scalar = first.flatMap { Unicode.Scalar($0.value + distance) }
    return scalar.map { Array(String($0).utf8)[...] } ?? text
  }

  private mutating func set(_ text: ArraySlice<UInt8>, for value: Int, _ known: inout [ArraySlice<UInt8>: UInt16]) {
    let place = known[text] ?? UInt16(texts.count)
    if known[text] == nil {
      known[text] = place
      texts.append(UInt8(text.count))
      texts += text
    }
    if pageNumbers[value >> 8] == 0 {
      pageNumbers[value >> 8] = UInt8(places.count >> 8)
      places += [UInt16](repeating: 0, count: 256)
    }
    places[Int(pageNumbers[value >> 8]) << 8 | value & 0xFF] = place
  }

  /// The text of a word in which `\s` is a blank, `\a` an @ sign, and `\0` nothing.
  private static func text(of word: Slice<UnsafeBufferPointer<UInt8>>) -> ArraySlice<UInt8> {
    var text: [UInt8] = []
    var isEscaped = false
    for byte in word {
      switch (isEscaped, byte) {
      case (false, UInt8(ascii: "\\")):
        isEscaped = true
        continue
      case (true, UInt8(ascii: "s")): text.append(UInt8(ascii: " "))
      case (true, UInt8(ascii: "a")): text.append(UInt8(ascii: "@"))
      case (true, UInt8(ascii: "0")): break
      default: text.append(byte)
      }
      isEscaped = false
    }
    return text[...]
  }

  /// The vowels and final consonants of decomposed Hangul syllables, and the marks of voiced kana.
  static let (vowels, finals) = (UInt32(0x1161)...0x1175, UInt32(0x11A8)...0x11C2)
  private static let voicedMarks: [UInt32] = [0x3099, 0x309B, 0xFF9E]
  private static let halfVoicedMarks: [UInt32] = [0x309A, 0x309C, 0xFF9F]

  /// Whether a scalar may combine with the scalar before it.
  static func joins(_ value: UInt32) -> Bool {
    switch value {
    case 0x1161...0x11C2: vowels.contains(value) || finals.contains(value)
    case 0x3099...0x309C, 0xFF9E...0xFF9F: true
    default: false
    }
  }

  static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    switch first {
    case 0x1100...0x1112 where vowels.contains(second):
      return 0xAC00 + ((first - 0x1100) * 21 + second - vowels.lowerBound) * 28
    case 0xAC00...0xD7A3 where finals.contains(second) && (first - 0xAC00) % 28 == 0:
      return first + second - finals.lowerBound + 1
    case 0x306F...0x307B where (first - 0x306F) % 3 == 0:
      return voicedMarks.contains(second) ? first + 1 : halfVoicedMarks.contains(second) ? first + 2 : nil
    // From か to ち, then つ, て, と and the iteration mark.
    case 0x304B...0x3061 where first % 2 == 1, 0x3064, 0x3066, 0x3068, 0x309D:
      return voicedMarks.contains(second) ? first + 1 : nil
    case 0x3046: return voicedMarks.contains(second) ? 0x3094 : nil
    default: return nil
    }
  }
}
