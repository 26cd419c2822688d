import TestSupport

/// The Markdown of the manual: headings, paragraphs, code, and tables of two columns.
struct Markdown {
  enum Block {
    case heading(String)
    case paragraph(String)
    case code([String])
    case table([(term: String, meaning: String)])
  }

  /// Without the title.
  let blocks: [Block]

  init(_ text: String) {
    var blocks: [Block] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    func run(_ holds: (String) -> Bool) -> [String] {
      let run = lines.prefix(while: holds)
      lines.removeFirst(run.count)
      return Array(run)
    }
    while let line = lines.first {
      if line.hasPrefix("```") {
        lines.removeFirst()
        blocks.append(.code(run { $0 != "```" }))
        lines.removeFirst()
      } else if line.hasPrefix("|") {
        blocks.append(.table(run { $0.hasPrefix("|") }.dropFirst(2).map(Self.row)))
      } else if line.hasPrefix("#") {
        lines.removeFirst()
        if line.hasPrefix("## ") { blocks.append(.heading(String(line.dropFirst(3)))) }
      } else if line.isEmpty {
        lines.removeFirst()
      } else {
        let isText = { (line: String) in !line.isEmpty && !["```", "|", "#"].contains(where: line.hasPrefix) }
        blocks.append(.paragraph(run(isText).joined(separator: " ")))
      }
    }
    self.blocks = blocks
  }

  private static func row(_ line: String) -> (term: String, meaning: String) {
    let cells = line.replacing("\\|", with: "\0").split(separator: "|").map { cell in
      cell.split(separator: " ").joined(separator: " ").replacing("\0", with: "|")
    }
    return (cells[0], cells[1])
  }

  /// Before the first heading.
  var introduction: [Block] {
    Array(blocks.prefix { if case .heading = $0 { false } else { true } })
  }

  /// Each heading with its blocks.
  var sections: [(title: String, blocks: [Block])] {
    var sections: [(title: String, blocks: [Block])] = []
    for block in blocks {
      if case .heading(let title) = block {
        sections.append((title, []))
      } else if !sections.isEmpty {
        sections[sections.count - 1].blocks.append(block)
      }
    }
    return sections
  }

  func section(_ title: String) throws -> [Block] {
    guard let section = sections.first(where: { $0.title == title }) else {
      throw TestFailure("there is no heading “\(title)”")
    }
    return section.blocks
  }
}
