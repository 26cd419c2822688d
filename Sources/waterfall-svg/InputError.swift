import Glibc

/// What ends the program: where it is, what is wrong, what to do.
enum InputError: Error, Hashable {
  /// A line that cannot be drawn; lines count from 1.
  case line(Int, String)
  case system(String, Int32)

  /// Whether the data is at fault, not the machine.
  var isData: Bool {
    if case .line = self { true } else { false }
  }
}

extension InputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .line(let number, let sentence): "line \(number): \(sentence)"
    case .system(let what, let number): "\(what): \(String(cString: strerror(number)))"
    }
  }
}
