import ArgumentParser
import WaterfallEngine

enum LayoutChoice: String, CaseIterable, ExpressibleByArgument {
  case waterfall, grid, list, carousel, rows
}

extension ItemOrder: ExpressibleByArgument {
  public init?(argument: String) {
    switch argument {
    case "shortest": self = .shortest
    case "left-to-right": self = .leftToRight
    case "right-to-left": self = .rightToLeft
    default:
      guard let tolerance = number(in: argument, after: "tolerance=") else { return nil }
      self = .tolerance(tolerance)
    }
  }

  public var defaultValueDescription: String { "shortest" }
}

extension SpanPacking: ExpressibleByArgument {
  public init?(argument: String) {
    switch argument {
    case "in-order": self = .inOrder
    case "dense": self = .dense
    default:
      guard let places = number(in: argument, after: "reordering="), places <= 9 else { return nil }
      self = .reordering(within: places)
    }
  }

  public var defaultValueDescription: String { "reordering=9" }
}

/// A card and the row of the viewport on which it starts, as in `12:40` or, with its section, `1.12:40`.
struct AnchorChoice: ExpressibleByArgument {
  let anchor: ScrollAnchor

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let row = Int(parts[1]) else { return nil }
    let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(path.count), let item = path.last ?? nil, let section = path.count == 2 ? path[0] : 0,
      item >= 0, section >= 0
    else { return nil }
    anchor = ScrollAnchor(path: ElementPath(section: section, item: item), screenRow: row)
  }
}

/// The number behind a name, if it is a valid length.
private func number(in argument: String, after name: String) -> Int? {
  guard argument.hasPrefix(name), let number = Int(argument.dropFirst(name.count)),
    (0...LayoutLimits.length).contains(number)
  else { return nil }
  return number
}

/// Throws a message that names the valid values of an option.
func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws {
  guard range.contains(value) else {
    throw ValidationError("\(name) is \(value). Write a value from \(range.lowerBound) to \(range.upperBound).")
  }
}
