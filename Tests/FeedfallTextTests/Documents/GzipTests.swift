import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct GzipTests {
  /// 200 lines, compressed by gzip with dynamic codes.
  private static let lines = """
    H4sIAAAAAAACA43ZQW5cIRAE0H1O8Q+QBTQ00MeJ5IliaeyRPJZy/SgnmLdH/Kaorqrm398/b1e7Hr+v7z+36/7+/P55/fp8u56Pj9v19/H19v \
    xx/7+kv14yXy8p+NB6vSby9ZoB+0yoZ8GxDqDTm6AcstOcAqNgXQK2oB0pOx2oacSUyxU+CuJzyk4HasqA0+UGnJYgvmSnLTVtOd0RnEoQL7q7 \
    DeztAYs2IBDzAOe6sLegprngdCldvmLA/bYpJICazobTVQrnROdWiPCIFyQpAd2K9K/stKWmI6crwamAA9EEyw69MgfwMgWBJT62S3SnQ02iTf \
    2QWmyhHOyUki62xKaTgEBPWSNuXyUIiLOWIDCln2QnUecI6Lkh3pMDOLAEyyM6ID0Xwt1xlrS4KOGQ7hVt6rIoJO7MJRFM2veIFE5YE0OiRZDI \
    iVj0LiondYv5yk5rSFAdMtRJKNxidDLS7CYGLU3XpZ+GTAZZkvdCHPqIF6QMUJJTJREJdUOS3DySr8ULakmLy7g2t8AkDwm1xQzEoWdR4hXPlM \
    wvLp7ytUNppw1pOmkV0abqciuN2Cu5KSV/QElDXgiW9Hg1kWcZx7MdmR7kqUyYMuXqdpN8KW8NgygH5C3JoCFCn1tsRQaoEKakNNSRaaWXnE44 \
    d6Y8S8nEmhIJjvhYyMNcClUO2X0ImDJnlTRwiCMuubtaS/pOFFOCoQwZUzLY3hQeRTHlc0diUWyK9PKWIgNEE68TonR55Ez5dVTSBkMSz6acIr \
    NfdnomEfvp9PYs2ktS/yLR/gO+nHaYyRwAAA==
    """

  private static var packedLines: [UInt8] { Base64.decode(lines) ?? [] }

  private func text(_ bytes: [UInt8], limit: Int = 1 << 20) throws(Gzip.Fault) -> String {
    String(decoding: try Gzip.unpacked(bytes, limit: limit).bytes, as: UTF8.self)
  }

  @Test func `a block with dynamic codes is unpacked`() throws {
    let expected = (0..<200).map { "line \($0 * $0 % 977) of the list, and some words\n" }.joined()
    #expect(try text(Self.packedLines) == expected)
    #expect(try text(Self.packedLines, limit: expected.utf8.count) == expected)
    #expect(throws: Gzip.Fault.tooLarge) { try text(Self.packedLines, limit: expected.utf8.count - 1) }
  }

  @Test func `fixed codes, a header with all its parts and several members are unpacked`() throws {
    let fixed: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 132, 129, 164, 228, 68, 36, 54, 0, 251, 216, 28, 63, 24, 0, 0, 0,
    ]
    let named: [UInt8] = [
      31, 139, 8, 31, 0, 0, 0, 0, 0, 3, 3, 0, 97, 98, 99, 110, 97, 109, 101, 0, 110, 111, 116, 101, 0, 0, 0, 203, 72,
      205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
    ]
    #expect(try text(fixed) == "aaaaaaaaaabcaaaaaaaaaabc")
    #expect(try text(named) == "hello")
    #expect(try text(named + fixed + [0, 0]) == "helloaaaaaaaaaabcaaaaaaaaaabc")
    #expect(try text(named + [0, 0] + fixed) == "helloaaaaaaaaaabcaaaaaaaaaabc")
    #expect(try text(named + [1]) == "hello")
  }

  @Test func `bytes after the first member that are no whole member are ignored`() throws {
    let member = stored(Array("content".utf8), by: 100)
    let mark: [UInt8] = [0x1F, 0x8B, 8]
    let zeros = [UInt8](repeating: 0, count: 999)
    for rest in [[0, 0, 0], Array("<!-- cached -->".utf8), Array(mark.dropLast()), [0, 0x1F], zeros] {
      let unpacked = try Gzip.unpacked(member + rest, limit: 100)
      #expect(unpacked == Gzip.Unpacked(bytes: Array("content".utf8), isCut: false), "\(rest)")
    }
    for rest in [mark, mark + [0xFF], Array(member.prefix(20)), Array(member.prefix(10)) + [7]] {
      let unpacked = try Gzip.unpacked(member + rest, limit: 100)
      #expect(unpacked.bytes.starts(with: "content".utf8) && unpacked.isCut, "\(rest)")
    }
  }

  @Test func `a member without the rest of its end is whole, and one without the end of its content is cut`() throws {
    let content = (0..<100).map { UInt8($0) }
    let file = stored(content, by: 30)
    for count in 0..<file.count {
      let start = Array(file.prefix(count))
      guard count >= 3 else {
        #expect(throws: Gzip.Fault.damaged) { try Gzip.unpacked(start, limit: 100) }
        continue
      }
      let unpacked = try Gzip.unpacked(start, limit: 100)
      #expect(content.starts(with: unpacked.bytes) && unpacked.isCut == (count < file.count - 8), "\(count) bytes")
      #expect(unpacked.isCut || unpacked.bytes == content, "\(count) bytes")
    }
  }

  @Test func `ten thousand members are read once, and the limit applies to their sum`() throws {
    let members = [[UInt8]](repeating: stored([7], by: 1), count: 10_000).flatMap(\.self)
    let unpacked = try Gzip.unpacked(members, limit: 10_000)
    #expect(unpacked == Gzip.Unpacked(bytes: .init(repeating: 7, count: 10_000), isCut: false))
    #expect(throws: Gzip.Fault.tooLarge) { try Gzip.unpacked(members, limit: 9_999) }
    var (readCount, written) = (0, 0)
    let isCut = try Gzip.unpack(limit: 10_000) {
      defer { readCount += 1 }
      return Array(members.dropFirst(readCount * 1_000).prefix(1_000))
    } write: {
      written += $0.count
      return true
    }
    #expect(!isCut && written == 10_000 && readCount <= members.count / 1_000 + 20)
  }

  @Test func `a file that is read in pieces of any size has the content of the whole one`() throws {
    let expected = try Gzip.unpacked(Self.packedLines, limit: 1 << 20).bytes
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      var rest = Self.packedLines[...]
      var content: [UInt8] = []
      let isCut = try Gzip.unpack(limit: 1 << 20) {
        let piece = rest.prefix(Int.random(in: 1...90, using: &random))
        rest = rest.dropFirst(piece.count)
        return Array(piece)
      } write: {
        content += $0
        return true
      }
      #expect(content == expected && !isCut)
    }
  }

  @Test func `a large file is written in pieces that continue each other`() throws {
    let content = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    let file = stored(content, by: 0xFFFF)
    var (isRead, written, pieceCount) = (false, [UInt8](), 0)
    let isCut = try Gzip.unpack(limit: content.count) {
      defer { isRead = true }
      return isRead ? [] : file
    } write: {
      written += $0
      pieceCount += 1
      return true
    }
    #expect(written == content && !isCut && pieceCount < 10)
  }

  @Test func `a reader that refuses a piece ends the work`() throws {
    let file = stored([UInt8](repeating: 1, count: 4_000_000), by: 0xFFFF)
    var (isRead, pieceCount) = (false, 0)
    #expect(throws: Gzip.Fault.tooLarge) {
      try Gzip.unpack(limit: 1 << 30) {
        defer { isRead = true }
        return isRead ? [] : file
      } write: { _ in
        pieceCount += 1
        return false
      }
    }
    #expect(pieceCount == 1)
  }

  @Test func `deflated data are unpacked with and without the header of zlib, and other data are not`() throws {
    let lines = Array(Self.packedLines[10...].dropLast(8))
    let expected = try Gzip.unpacked(Self.packedLines, limit: 1 << 20).bytes
    for data in [lines, [0x78, 0x9C] + lines + [1, 2, 3, 4], [0x78, 0xDA] + lines] {
      #expect(try Gzip.inflated(data, limit: 1 << 20) == Gzip.Unpacked(bytes: expected, isCut: false))
    }
    let cut = try Gzip.inflated([0x78, 0x9C] + lines.dropLast(50), limit: 1 << 20)
    #expect(cut?.isCut == true)
    for text in [
      "", "x", "x^", "{\"a\": 1}", "[1, 2]", "<?xml version=\"1.0\"?><rss/>", "#EXTM3U\n", "\u{FEFF}<rss/>",
      "{\n  \"a\": 1\n}",
    ] {
      let content = try Gzip.inflated(Array(text.utf8), limit: 1 << 20)
      #expect(content == nil, "\(text)")
    }
  }

  /// A file whose blocks are stored as they are.
  private func stored(_ content: [UInt8], by size: Int) -> [UInt8] {
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var start = 0
    repeat {
      let part = content[start..<min(start + size, content.count)]
      start += part.count
      file.append(start == content.count ? 1 : 0)
      let count = UInt16(part.count)
      for number in [count, ~count] { file += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      file += part
    } while start < content.count
    return file + [0, 0, 0, 0] + (0..<4).map { UInt8(content.count >> (8 * $0) & 0xFF) }
  }

  @Test func `stored blocks are unpacked, and no damage crashes`() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<300 {
      let content = (0..<Int.random(in: 0...400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let file = stored(content, by: Int.random(in: 1...200, using: &random))
      #expect(try Gzip.unpacked(file, limit: 400) == Gzip.Unpacked(bytes: content, isCut: false))
      var damaged = Bool.random(using: &random) ? file : Self.packedLines
      for _ in 0..<3 {
        damaged[Int.random(in: 3..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      damaged = Array(damaged.prefix(Int.random(in: 3...damaged.count, using: &random)))
      if let unpacked = try? Gzip.unpacked(damaged, limit: 10_000) { #expect(unpacked.bytes.count <= 10_000) }
    }
  }

  @Test func `a file that unpacks to a thousand times its size is refused at the limit`() throws {
    var bomb = stored([0], by: 1).dropLast(8)
    bomb[10] = 0
    // A fixed block: one literal, then copies of 258 bytes.
    let bits =
      [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
      + [[Int]](repeating: [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0], count: 10_000).flatMap(\.self)
    for start in stride(from: 0, to: bits.count - 8, by: 8) {
      bomb.append((0..<8).reduce(0) { $0 | UInt8(bits[start + $1]) << UInt8($1) })
    }
    #expect(throws: Gzip.Fault.tooLarge) { try Gzip.unpacked(Array(bomb), limit: 1 << 20) }
    #expect(try Gzip.unpacked(Array(bomb), limit: 1 << 24).isCut)
  }
}
