import FeedfallScreen
import Glibc
import WaterfallEngine

/// A terminal's part of kitty's graphics protocol, with objects of shared memory.
struct KittyModel {
  struct Image: Equatable {
    var size: Size
    var bytes: [UInt8]
    var placements: [Int: Placement] = [:]
  }

  struct Placement: Equatable {
    var source: Rect
    var cells: Rect
  }

  var images: [Int: Image] = [:]
  private(set) var faults: [String] = []
  /// The number of frames that replaced the pixels of an image.
  private(set) var replacementCount = 0
  /// Whether objects of shared memory are read and removed.
  var readsObjects = true
  /// The answer to queries; nil for none.
  var answer: String? = "OK"
  /// Whether commands that fail are answered, if they ask for it.
  var reportsErrors = true
  private var answers: [String] = []
  /// The images that were removed without a command of the program.
  private var lost: Set<Int> = []

  mutating func drainAnswers() -> [String] {
    defer { answers = [] }
    return answers
  }

  /// Removes the placements, as the terminal does when the screen is cleared.
  mutating func clear() {
    for number in images.keys { images[number]?.placements = [:] }
  }

  /// Loses all images, as after a command of another program.
  mutating func loseImages() {
    lost.formUnion(images.keys)
    images = [:]
  }

  /// Carries out a command: the text between `ESC _ G` and `ESC \`.
  mutating func process(_ text: String, at cursor: Point) {
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for key in parts[0].split(separator: ",") {
      keys[String(key.prefix { $0 != "=" })] = String(key.drop { $0 != "=" }.dropFirst())
    }
    func number(_ key: String) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
    let image = number("i")
    switch keys["a"] {
    case "q":
      if readsObjects, pixels(keys, parts) == nil { faults.append("query \(text)") }
      if let answer { answers.append("\u{1B}_Gi=\(image);\(answer)\u{1B}\\") }
    case "t":
      guard images[image] == nil else {
        return faults.append("image \(image) is transmitted again")
      }
      if let (size, bytes) = pixels(keys, parts) { images[image] = Image(size: size, bytes: bytes) }
    case "f" where lost.contains(image):
      if reportsErrors, number("q") < 2 { answers.append("\u{1B}_Gi=\(image);ENOENT:no such image\u{1B}\\") }
    case "f":
      guard let (size, bytes) = pixels(keys, parts) else { return }
      guard images[image]?.size == size, number("r") == 1 else {
        return faults.append("frame \(text)")
      }
      images[image]?.bytes = bytes
      replacementCount += 1
    case "p":
      guard let size = images[image]?.size else {
        return faults.append("placement of the unknown image \(image)")
      }
      let source = Rect(x: number("x"), y: number("y"), width: number("w"), height: number("h"))
      guard !source.isEmpty, source.maxX <= size.width, source.maxY <= size.height, number("c") > 0,
        number("r") > 0
      else { return faults.append("placement \(text)") }
      let cells = Rect(origin: cursor, size: Size(width: number("c"), height: number("r")))
      images[image]?.placements[number("p")] = Placement(source: source, cells: cells)
    case "d":
      guard images[image] != nil else {
        return faults.append("deletion of the unknown image \(image)")
      }
      if keys["d"] == "I" {
        images[image] = nil
      } else {
        images[image]?.placements[number("p")] = nil
      }
    default: faults.append("command \(text)")
    }
  }

  /// Reads and removes an object, which must have exactly the pixels that the command declares.
  private mutating func pixels(_ keys: [String: String], _ parts: [Substring]) -> (Size, [UInt8])? {
    let name = parts.count > 1 ? Self.decoded(parts[1]) : ""
    guard readsObjects else { return nil }
    let size = Size(
      width: keys["s"].flatMap { Int($0) } ?? 0, height: keys["v"].flatMap { Int($0) } ?? 0)
    let file = shm_open(name, O_RDONLY, 0)
    guard keys["t"] == "s", keys["f"] == "24", file >= 0 else {
      faults.append("object \(name): \(keys)")
      return nil
    }
    defer {
      close(file)
      shm_unlink(name)
    }
    let count = size.width * size.height * 3
    var bytes = [UInt8](repeating: 0, count: count + 1)
    guard count > 0, read(file, &bytes, bytes.count) == count else {
      faults.append("object \(name) does not have \(size)")
      return nil
    }
    return (size, Array(bytes.prefix(count)))
  }

  private static func decoded(_ base64: Substring) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for letter in base64.utf8 {
      guard let value = letters.firstIndex(of: letter) else { break }
      (bits, count) = ((bits << 6 | value) & 0xFFFF, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
