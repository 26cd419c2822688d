import FeedfallScreen
import Glibc
import Testing

/// Screens as text files: the characters, then the role of every cell. `RECORD=1 swift test` records them.
enum Golden {
  static func expect(_ name: String, _ canvas: Canvas, sourceLocation: SourceLocation = #_sourceLocation) {
    let path = folder + name + ".txt"
    let screen = canvas.text + "\n" + String(repeating: "=", count: canvas.size.width) + "\n" + canvas.roles + "\n"
    if getenv("RECORD") != nil {
      write(screen, to: path)
      return
    }
    guard let golden = read(path) else {
      Issue.record("\(path) is missing; RECORD=1 swift test writes it", sourceLocation: sourceLocation)
      return
    }
    #expect(screen == golden, "the screen differs from \(name).txt", sourceLocation: sourceLocation)
  }

  private static var folder: String {
    var path = #filePath
    while path.last != "/" { path.removeLast() }
    return path + "Golden/"
  }

  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
      let byte = fgetc(file)
      if byte == EOF { break }
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}
