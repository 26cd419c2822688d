import FeedfallScreen
import FeedfallText
import WaterfallEngine

struct KittyGraphics {
  var isInTmux = false

  /// The maximum of Base64 letters in one sequence.
  private static let chunk = 4096

  /// `placeholders`: the size in cells. `top` makes corners transparent. Only text may be sent between the parts.
  func transmission(
    of pixels: PixelBuffer, number: UInt32, placeholders: Size? = nil, top: PlacedPicture.RoundedTop? = nil
  ) -> OutputParts {
    let shape = placeholders.map { "a=T,U=1,c=\($0.width),r=\($0.height)" } ?? "a=t"
    let format = top == nil ? 24 : 32
    return parts(
      of: Base64.encode(top?.transparent(pixels) ?? pixels.bytes),
      keys: "\(shape),q=2,i=\(number),f=\(format),s=\(pixels.size.width),v=\(pixels.size.height),", continued: "q=2,",
      ending: transmissionEnd)
  }

  /// Ends an incomplete transmission: the terminal drops a picture with too few pixels.
  var transmissionEnd: [UInt8] { command("q=2,m=0") }

  private func parts(of letters: [UInt8], keys: String, continued: String, ending: [UInt8]) -> OutputParts {
    var keys = keys
    var parts = OutputParts(ending: ending, isInterruptible: true)
    parts.bytes.reserveCapacity(letters.count + letters.count / 64 + 256)
    for start in stride(from: 0, to: letters.count, by: Self.chunk) {
      let end = min(start + Self.chunk, letters.count)
      parts.bytes += command("\(keys)m=\(end < letters.count ? 1 : 0)", payload: letters[start..<end])
      parts.ends.append(parts.bytes.count)
      keys = continued
    }
    return parts
  }

  /// Asks whether the terminal can read an object of shared memory with one pixel.
  func sharedQuery(_ name: String, number: Int) -> [UInt8] {
    command("a=q,i=\(number),f=24,s=1,v=1,t=s", payload: Base64.encode(Array(name.utf8))[...])
  }

  /// Transmits a video frame in an object of shared memory, which the terminal removes: as a new picture, or in place
  /// of another one's pixels, whose placements stay. The terminal answers only if the command fails.
  func frame(of size: Size, number: UInt32, sharedName name: String, replaces: Bool) -> [UInt8] {
    let action = replaces ? "a=f,i=\(number),r=1" : "a=t,i=\(number)"
    return command(
      "\(action),f=24,s=\(size.width),v=\(size.height),t=s,q=1", payload: Base64.encode(Array(name.utf8))[...])
  }

  /// The same as text, in sequences between which it may be cut.
  func frame(_ pixels: PixelBuffer, number: UInt32, replaces: Bool) -> OutputParts {
    let action = replaces ? "a=f,i=\(number),r=1," : ""
    return parts(
      of: Base64.encode(pixels.bytes),
      keys: "\(replaces ? action : "a=t,i=\(number),")q=1,f=24,s=\(pixels.size.width),v=\(pixels.size.height),",
      continued: "\(action)q=1,", ending: command("\(action)q=2,m=0"))
  }

  /// Shows a part of a picture over cells, or moves the existing placement. The cursor does not move.
  func placement(of number: UInt32, placement: Int, source: Rect, cells: Rect) -> [UInt8] {
    let keys =
      "a=p,i=\(number),p=\(placement),x=\(source.minX),y=\(source.minY),w=\(source.width),h=\(source.height),"
      + "c=\(cells.width),r=\(cells.height),C=1,z=1,q=2"
    return Array("\u{1B}7\u{1B}[\(cells.minY + 1);\(cells.minX + 1)H".utf8) + command(keys) + Array("\u{1B}8".utf8)
  }

  /// Removes a placement; the terminal keeps the pixels.
  func removal(of number: UInt32, placement: Int) -> [UInt8] {
    command("a=d,d=i,i=\(number),p=\(placement),q=2")
  }

  func deletion(of number: UInt32) -> [UInt8] { command("a=d,d=I,i=\(number),q=2") }

  private func command(_ keys: String, payload: ArraySlice<UInt8> = []) -> [UInt8] {
    let escape: [UInt8] = isInTmux ? [0x1B, 0x1B] : [0x1B]
    var bytes = escape + Array("_G\(keys)".utf8)
    if !payload.isEmpty { bytes += [UInt8(ascii: ";")] + payload }
    bytes += escape + [UInt8(ascii: "\\")]
    return isInTmux ? TerminalProfile.passthroughStart + bytes + stringTerminator : bytes
  }
}
