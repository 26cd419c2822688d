import FeedfallScreen
import Glibc
import WaterfallEngine

@testable import FeedfallTerminal

/// A terminal that has answered like kitty.
func kittyTerminal(
  _ name: String = "kitty(0.26.5)", answers: Bool = true, _ change: (inout KittyModel) -> Void = { _ in }
) throws -> ModelTerminal {
  let shown = try ModelTerminal(answers: answers, pictures: .auto)
  shown.changeKitty(change)
  shown.type("\u{1B}P>|\(name)\u{1B}\\")
  shown.settle()
  shown.type("\u{1B}[?62c")
  return shown
}

/// A picture that differs from those of other levels.
func testPicture(_ level: UInt8, size: Size = Size(width: 192, height: 144)) -> PixelBuffer {
  let bytes = (0..<size.width * size.height * 3).map { UInt8(truncatingIfNeeded: $0 &* 7) &+ level }
  guard let picture = PixelBuffer(size: size, bytes: bytes) else { fatalError("no picture of \(size)") }
  return picture
}

func videoCanvas(
  _ frame: Rect?, lines: Int = 0, brightness: Int = 50, alert: Rect? = nil, size: Size = Size(width: 60, height: 20)
) -> Canvas {
  var canvas = Canvas(size: size)
  for y in 0..<canvas.size.height {
    // Rows are shifted, become shorter or end early, so that the ends of rows are cleared and moved.
    let text = "\(y + lines) is the row's number, and this goes on and on for all of the row's width"
    canvas.write(text, at: Point(x: lines & 3, y: y), maxWidth: (y + lines) * 7 & 63, style: .plain)
    guard lines % 3 != 0 else { continue }
    canvas.write("end \(y + lines)", at: Point(x: canvas.size.width - 6, y: y), style: Style(.dim))
  }
  if let frame { canvas.reserve(frame, brightness: brightness) }
  if let alert {
    canvas.fill(alert, style: Style(.alert))
    canvas.write("an alert", at: alert.origin, maxWidth: alert.width, style: Style(.alert))
  }
  return canvas
}

func randomPicture(_ size: Size, _ random: inout some RandomNumberGenerator) -> PixelBuffer {
  let bytes = (0..<size.width * size.height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
  guard let picture = PixelBuffer(size: size, bytes: bytes) else { fatalError("no picture of \(size)") }
  return picture
}

/// The shared memory objects of this process.
func sharedObjects() -> [String] {
  guard let folder = opendir("/dev/shm") else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: entry.pointee.d_name) {
      String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
    }
    if name.hasPrefix("feedfall-\(getpid())-") { names.append(name) }
  }
  return names
}
