import FeedfallDocuments
import FeedfallText
import TestSupport
import Testing

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

  private func text(_ bytes: [UInt8], limit: Int = 1 << 20) throws(GzipFault) -> String {
    String(decoding: try Gzip.unpacked(bytes, limit: limit), as: UTF8.self)
  }

  @Test func `a block with dynamic codes is unpacked`() throws {
    let expected = (0..<200).map { "line \($0 * $0 % 977) of the list, and some words\n" }.joined()
    #expect(try text(Self.packedLines) == expected)
    #expect(try text(Self.packedLines, limit: expected.utf8.count) == expected)
    #expect(throws: GzipFault.tooLarge) { try text(Self.packedLines, limit: expected.utf8.count - 1) }
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
    #expect(throws: GzipFault.damaged) { try text(named + [1]) }
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
      #expect(try Gzip.unpacked(file, limit: 400) == content)
      var damaged = Bool.random(using: &random) ? file : Self.packedLines
      for _ in 0..<3 {
        damaged[Int.random(in: 3..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      damaged = Array(damaged.prefix(Int.random(in: 3...damaged.count, using: &random)))
      if let unpacked = try? Gzip.unpacked(damaged, limit: 10_000) { #expect(unpacked.count <= 10_000) }
      #expect(throws: GzipFault.damaged) { try Gzip.unpacked(Array(file.dropLast()), limit: 400) }
    }
  }

  @Test func `a file that unpacks to a thousand times its size is refused at the limit`() {
    var bomb = stored([0], by: 1).dropLast(8)
    bomb[10] = 0
    // A fixed block: one literal, then copies of 258 bytes.
    let bits =
      [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
      + [[Int]](repeating: [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0], count: 10_000).flatMap(\.self)
    for start in stride(from: 0, to: bits.count - 8, by: 8) {
      bomb.append((0..<8).reduce(0) { $0 | UInt8(bits[start + $1]) << UInt8($1) })
    }
    #expect(throws: GzipFault.tooLarge) { try Gzip.unpacked(Array(bomb), limit: 1 << 20) }
    #expect(throws: GzipFault.damaged) { try Gzip.unpacked(Array(bomb), limit: 1 << 24) }
  }
}
