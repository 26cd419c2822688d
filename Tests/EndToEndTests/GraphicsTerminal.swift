import CFeedfallPty
import Foundation
import TestSupport

/// Kitty's side of the graphics protocol for a program in a pseudo terminal: it answers the queries, reads and removes
/// the objects of shared memory, and knows which images are on the screen.
final class GraphicsTerminal {
  struct Placement: Equatable {
    /// From 0.
    var row, column: Int
    /// In cells.
    var width, height: Int

    func union(_ other: Placement) -> Placement {
      let (top, left) = (min(row, other.row), min(column, other.column))
      return Placement(
        row: top, column: left, width: max(column + width, other.column + other.width) - left,
        height: max(row + height, other.row + other.height) - top)
    }
  }

  /// Whether libmpv and FFmpeg are installed.
  static let hasLibrary: Bool = {
    let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
    let architectures = folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
    }
    return FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
      && (folders + architectures).contains { FileManager.default.fileExists(atPath: "\($0)/libmpv.so.2") }
  }()

  private let terminal: ScriptedTerminal
  /// Bytes of a sequence that is not complete.
  private var rest = ""
  private var cursor = (row: 0, column: 0)
  /// The images that were transmitted in shared memory, by number.
  private(set) var videos: [Int: [Int: Placement]] = [:]
  /// The number of frames with the declared number of pixels.
  private(set) var frameCount = 0
  private(set) var faults: [String] = []

  private static let cellWidth = 9
  private static let cellHeight = 20

  init(_ arguments: String..., environment: [String: String]) throws {
    let command = ([Feedfall.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    terminal = try ScriptedTerminal("/bin/sh", "-c", "exec \(command)", environment: environment)
    terminal.resize(rows: 40, columns: 120)
  }

  var process: pid_t { terminal.process }

  /// The cells of the only video; nil if there is not exactly one. Text over it divides it into several placements.
  var placement: Placement? {
    guard videos.count == 1, let parts = videos.first?.value.values, let first = parts.first else { return nil }
    return parts.dropFirst().reduce(first) { $0.union($1) }
  }

  /// The objects of shared memory that the program has not removed.
  var objects: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    return names.filter { $0.hasPrefix("feedfall-\(process)-") }
  }

  func type(_ text: String) { terminal.type(text) }

  func processUntil(_ description: String, _ holds: () throws -> Bool) throws {
    try blockUntil("\(description); videos: \(videos), frames: \(frameCount), faults: \(faults)") {
      process(terminal.drain())
      return try holds()
    }
  }

  private func process(_ text: String) {
    var text = rest + text
    rest = ""
    while let start = text.firstIndex(of: "\u{1B}") {
      text.removeSubrange(..<start)
      guard let end = sequenceEnd(in: text) else {
        rest = text
        return
      }
      handle(text[..<end])
      text.removeSubrange(..<end)
    }
  }

  /// The end of the sequence at the start of a text; nil if it is incomplete.
  private func sequenceEnd(in text: String) -> String.Index? {
    let second = text.dropFirst().first
    switch second {
    case nil: return nil
    case "[": return text.dropFirst(2).firstIndex { ("@"..."~").contains($0) }.map(text.index(after:))
    case "_", "P", "]":
      return text.range(of: "\u{1B}\\", range: text.index(text.startIndex, offsetBy: 2)..<text.endIndex)?.upperBound
    default: return text.index(text.startIndex, offsetBy: 2)
    }
  }

  private func handle(_ sequence: Substring) {
    switch sequence {
    case "\u{1B}[c": terminal.type("\u{1B}[?62;c")
    case "\u{1B}[5n": terminal.type("\u{1B}[0n")
    case "\u{1B}[16t": terminal.type("\u{1B}[6;\(Self.cellHeight);\(Self.cellWidth)t")
    case "\u{1B}[>q": terminal.type("\u{1B}P>|kitty(0.26.5)\u{1B}\\")
    case "\u{1B}[?2026$p": terminal.type("\u{1B}[?2026;2$y")
    default:
      if sequence.hasPrefix("\u{1B}_G") {
        handleGraphics(sequence.dropFirst(3).dropLast(2))
      } else if sequence.hasPrefix("\u{1B}["), sequence.hasSuffix("H") {
        let numbers = sequence.dropFirst(2).dropLast().split(separator: ";").compactMap { Int($0) }
        cursor = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
      }
    }
  }

  private func handleGraphics(_ command: Substring) {
    let parts = command.split(separator: ";", maxSplits: 1)
    let pairs = (parts.first ?? "").split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
    let keys = Dictionary(pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }) { $1 }
    func number(_ key: Substring) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
    let image = number("i")
    switch (keys["a"], keys["t"]) {
    case ("q", "s"):
      let isRead = readObject(parts.last, byteCount: 3)
      terminal.type("\u{1B}_Gi=\(image);\(isRead ? "OK" : "EBADF")\u{1B}\\")
    case ("t", "s"), ("f", "s"):
      let isNew = keys["a"] == "t"
      if isNew == (videos[image] != nil) { faults.append(String(command)) }
      guard readObject(parts.last, byteCount: number("s") * number("v") * 3) else { return }
      if isNew { videos[image] = [:] }
      frameCount += 1
    case ("p", _) where videos[image] != nil:
      videos[image]?[number("p")] = Placement(
        row: cursor.row, column: cursor.column, width: number("c"), height: number("r"))
    case ("d", _) where keys["d"] == "I": videos[image] = nil
    case ("d", _): videos[image]?[number("p")] = nil
    default: break
    }
  }

  /// Reads and removes an object. Returns whether it has this size.
  private func readObject(_ name: Substring?, byteCount: Int) -> Bool {
    guard let name, let decoded = Data(base64Encoded: String(name)) else { return false }
    let path = "/dev/shm" + String(decoding: decoded, as: UTF8.self)
    let count = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? -1
    unlink(path)
    if count != byteCount { faults.append("\(path) has \(count) bytes, not \(byteCount)") }
    return count == byteCount
  }
}
