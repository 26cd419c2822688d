import FeedfallScreen
import WaterfallEngine

/// The numbers by which terminals tell what a mouse did.
enum MouseCode {
  /// The event for a button's code and a position that counts from 1; nil when the program has no use for it.
  static func event(code: Int, x: Int, y: Int, isRelease: Bool) -> MouseEvent? {
    guard x >= 1, y >= 1, code >= 0 else { return nil }
    let position = Point(x: x - 1, y: y - 1)
    // Shift, Alt and Control are bits 4, 8 and 16; movement is 32, the wheel 64.
    switch code & ~0b1_1100 {
    case 0: return MouseEvent(isRelease ? .release : .press, at: position)
    // Older protocols do not tell which button it was.
    case 3: return MouseEvent(.release, at: position)
    case 32: return isRelease ? nil : MouseEvent(.drag, at: position)
    case 64: return isRelease ? nil : MouseEvent(.wheelUp, at: position)
    case 65: return isRelease ? nil : MouseEvent(.wheelDown, at: position)
    default: return nil
    }
  }
}
