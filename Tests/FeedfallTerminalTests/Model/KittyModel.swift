import FeedfallScreen
import FeedfallText
import Glibc
import WaterfallEngine

/// A terminal's part of kitty's graphics protocol. Pixels come in objects of shared memory, or as text.
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
  /// The number of transmissions as text that ended with too few pixels.
  private(set) var droppedCount = 0
  var replacesPixels = true
  /// Whether deleting an image also deletes all images without placements.
  var deletesHidden = false
  /// Whether objects of shared memory are read and removed.
  var readsObjects = true
  /// The answer to queries; nil for none.
  var answer: String? = "OK"
  /// Whether commands that fail are answered, if they ask for it.
  var reportsErrors = true
  private var answers: [String] = []
  /// The images that were removed without a command of the program.
  private var lost: Set<Int> = []
  /// A transmission in several commands that has not ended.
  private var pending: (keys: [String: String], letters: Substring)?

  /// Whether the first part of a transmission was read, but not its last.
  var isWithinTransmission: Bool { pending != nil }

  mutating func drainAnswers() -> [String] {
    defer { answers = [] }
    return answers
  }

  /// Removes the placements, as the terminal does when the screen is cleared.
  mutating func clear() {
    for number in images.keys { images[number]?.placements = [:] }
  }

  /// Loses all images, as after a command of another program.
  mutating func loseImages(where isLost: (Image) -> Bool = { _ in true }) {
    lost.formUnion(images.filter { isLost($0.value) }.keys)
    images = images.filter { !isLost($0.value) }
  }

  /// Carries out a command: the text between `ESC _ G` and `ESC \`.
  mutating func process(_ text: String, at cursor: Point) {
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for key in parts[0].split(separator: ",") {
      keys[String(key.prefix { $0 != "=" })] = String(key.drop { $0 != "=" }.dropFirst())
    }
    var letters = parts.count > 1 ? parts[1] : ""
    if letters.utf8.count > 4096 { faults.append("a command of \(letters.utf8.count) letters") }
    if let (first, before) = pending {
      let isContinued = Set(keys.keys).isSubset(of: ["a", "i", "r", "m", "q"])
      if !isContinued || keys["a"].map({ $0 != first["a"] }) ?? (first["a"] == "f") {
        faults.append("\(text.prefix(80)) within a transmission")
      }
      letters = Substring(before + letters)
      pending = keys["m"] == "1" ? (first, letters) : nil
      keys = first
    } else if keys["m"] == "1" {
      pending = (keys, letters)
    }
    guard pending == nil else { return }
    func number(_ key: String) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
    let image = number("i")
    switch keys["a"] {
    case "q":
      if readsObjects, pixels(keys, letters) == nil { faults.append("query \(text)") }
      if let answer { answers.append("\u{1B}_Gi=\(image);\(answer)\u{1B}\\") }
    case "t", "T":
      guard images[image] == nil else {
        return faults.append("image \(image) is transmitted again")
      }
      if let (size, bytes) = pixels(keys, letters) {
        images[image] = Image(size: size, bytes: bytes)
        lost.remove(image)
      } else {
        lost.insert(image)
      }
    case "p" where lost.contains(image): break
    case "f" where lost.contains(image):
      if reportsErrors, number("q") < 2 { answers.append("\u{1B}_Gi=\(image);ENOENT:no such image\u{1B}\\") }
    case "f":
      guard let (size, bytes) = pixels(keys, letters) else { return }
      guard replacesPixels, images[image]?.size == size, number("r") == 1 else {
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
    case "d" where lost.contains(image): break
    case "d":
      guard images[image] != nil else {
        return faults.append("deletion of the unknown image \(image)")
      }
      if keys["d"] == "I" {
        images[image] = nil
        // As in kitty before 0.28.
        if deletesHidden { loseImages { $0.placements.isEmpty } }
      } else {
        images[image]?.placements[number("p")] = nil
      }
    // An end without a transmission is refused, because it has no size.
    case nil where keys["m"] == "0" && letters.isEmpty: break
    default: faults.append("command \(text)")
    }
  }

  /// Returns the pixels that the command declares. Reads and removes an object, which must have exactly these.
  private mutating func pixels(_ keys: [String: String], _ letters: Substring) -> (Size, [UInt8])? {
    let size = Size(
      width: keys["s"].flatMap { Int($0) } ?? 0, height: keys["v"].flatMap { Int($0) } ?? 0)
    let decoded = Base64.decode(String(letters)) ?? []
    if keys["t"] == nil {
      let count = size.width * size.height * (keys["f"] == "32" ? 4 : 3)
      // A command that is cut off before its size is refused too.
      if count > 0, decoded.count == count { return (size, decoded) }
      droppedCount += 1
      return nil
    }
    guard readsObjects else { return nil }
    let name = String(decoding: decoded, as: UTF8.self)
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
}
