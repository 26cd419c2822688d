import FeedfallScreen
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

/// Pictures as servers send them: turned, cut, transparent, hostile. Made by hand, with zeros as checksums.
enum PictureCases {
  static let red = RGB(red: 255, green: 0, blue: 0)
  static let blue = RGB(red: 0, green: 0, blue: 255)
  static let wide = Size(width: 64, height: 32)

  static func decode(_ bytes: [UInt8]) throws -> PixelBuffer {
    try PictureDecoder.decode(bytes, to: .within(Size(width: 4096, height: 4096)))
  }

  // MARK: - Files

  private static func number(_ value: Int, bigEndian: Bool = true) -> [UInt8] {
    let digits = (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return bigEndian ? digits.reversed() : digits
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
  }

  /// A PNG of red, green, blue and opacity, whose bytes are not compressed.
  static func png(
    _ size: Size, before: [UInt8] = [], after: [UInt8] = [], isInterlaced: Bool = false,
    _ pixel: (Int, Int) -> [UInt8]
  ) -> [UInt8] {
    // The passes of Adam7: first column, first row, distances.
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    var rows: [UInt8] = []
    for (left, top, columns, lines) in isInterlaced ? passes : [(0, 0, 1, 1)] where left < size.width {
      for y in stride(from: top, to: size.height, by: lines) {
        rows.append(0)
        for x in stride(from: left, to: size.width, by: columns) { rows += pixel(x, y) }
      }
    }
    let blocks = stride(from: 0, to: rows.count, by: 65_535).flatMap { start -> [UInt8] in
      let block = rows[start..<min(start + 65_535, rows.count)]
      let count = [UInt8(block.count & 255), UInt8(block.count >> 8)]
      return [start + 65_535 >= rows.count ? 1 : 0] + count + count.map { ~$0 } + block
    }
    return head(size, isInterlaced: isInterlaced) + before + chunk("IDAT", [0x78, 1] + blocks + [0, 0, 0, 0]) + after
      + chunk("IEND", [])
  }

  /// - Parameter type: the bits for each sample, then the kind of samples: 6 is color with opacity, 0 is gray.
  static func head(_ size: Size, _ type: [UInt8] = [8, 6], isInterlaced: Bool = false) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", number(size.width) + number(size.height) + type + [0, 0, isInterlaced ? 1 : 0])
  }

  /// A picture whose left half is red and whose right half is blue.
  static func halves(before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    png(wide, before: before, after: after) { x, _ in x < 32 ? [255, 0, 0, 255] : [0, 0, 255, 255] }
  }

  /// Exif data with one number, of two or of four bytes.
  static func exif(_ orientation: Int, isLong: Bool = false) -> [UInt8] {
    let value: [UInt8] = isLong ? [0, 0, 0, UInt8(orientation)] : [0, UInt8(orientation), 0, 0]
    return Array("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0".utf8) + [isLong ? 4 : 3, 0, 0, 0, 1] + value
  }

  /// 4 by 2 pixels, red at the left and blue at the right, with chunks behind the pixels.
  static func webP(_ chunks: [UInt8]) -> [UInt8] {
    let plain = bytes("UklGRiIAAABXRUJQVlA4TBYAAAAvA0AAAA8Q87//8x8OFAIIgIImov/x")
    let content = Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 1, 0, 0] + plain.dropFirst(12) + chunks
    return Array("RIFF".utf8) + number(content.count, bigEndian: false) + content
  }

  static func webPChunk(_ content: [UInt8], length: Int? = nil) -> [UInt8] {
    Array("EXIF".utf8) + number(length ?? content.count, bigEndian: false) + content
      + (content.count % 2 == 0 ? [] : [0])
  }

  /// Noise of 32 by 32 pixels, and of 64 by 64 with losses.
  static let losslessWebP = bytes(
    "UklGRsYDAABXRUJQVlA4TLkDAAAvH8AHAAVtAQDIRsw/7NG2be/su9p2k6ZIlaSNardhr6t7tobjbHtv+6qI/kc2OF/HLieXCa3IjtHnNVNgAFe58qbNSk7Z4nORoGt0c0w50PMb0G0yW83JdDtNt88ZIGxfOTbNpUrQGdF40bquYpLWmRNmM3aToTdyT966fANlqi7jYGBa7TrZnY9jbthjWielG61VhgoDW5iMLgplBRjMf1wGi9lroPcxbfBU7g+RkZ3SXTG2n8k4v43KYy76LExQ4gBfHdE1qvdeOSSOJBOhmxqpDwuBylYznNu56PwFpRewOBOjtHATBAhktsFGewVKO4mxvGHIT9I4v4Ji64W2mxIMsWrKZgq6+gU5rkqiB0HtO0JuyZ7UTS08AcYP5uPOxefJ2ut40T0HY6nxvQh4PsQAMsCe5kqL4jUpSf1bDvG4bvI07TjhX3sXCpNHF8AAG/YLXj6mGlRS5UK01zWI/0EvZmvVpfcCifwl7TbD/UY1j44+2FgJI1fDpD58ki/gu2humZ55U2fWM+14RhVAA+HH8WHv9Gt/wt0ki6Q+WIgrNXHkTcSKZmOEz+NHyJQ45S3bQivAHkuU63ZeZpdx1uzy0hdlE4AUqunh2GMJVltvg7iia3bW8GgFqrq2MKgeqnaGmRfhWjgp6Ryxwu64MoACrdebqYUWRHm/qehG6ZxZYxpad+2ebbWO3ZLUJG1w52DfI48HkGRC+itsvmiMIhVuV2Suh3vn0Zy1aP48P23csSWLdlO0iOL0F+cMBEjzlTaX/v/lqWMooIYKFZhTfFLGNlEcfw1+HXzaVQGmULVCBB7MyZWEALgFu6JV+qmxRelQMY7LfNWpd5mtFj+0YyHnwsQW1DtewMJP6d1+p1iyvGchJS3veL4+FWo58RrACh74LOsB12MOvEEqnPQJ1/i8K3EfEUqTob89+x01hShFtf1A4IqIL8ech4BQ5iSEdJoASvT9ZCO2sKJTj8p+MkdYhNhaCe/k8YO9cdDKDdbxueR+EutZrPKSxIKsG0w+l9CJ2iufE9UVlJu8BRlnvuiMEbGQ+wiWTSKugDDaaOJyWx9xOWpmY9CjLEEYs+dcOo+74Pf3d7eGi/S3TD2th1ObXupy2vbSzqkUKzSnFa7DdD6VyU7Nrg/UbfsSZC0Ez3tGypEYfOMMhCpCeWzMNGtsSKe3gQkISOD6V9SJvDEybvssU1TxzGQQaHlRvC1m6h1qjjwi55mUxdK9An29RiA4g7fb+i/tcrWvBkfJpMR2zha2a7i9DQA="
  )
  static let lossyWebP = bytes(
    "UklGRvYIAABXRUJQVlA4IOoIAADQHgCdASpAAEAAAoBCJaQAUYH1t/efAHwdeXvb71HMAfjX6r/tfQD6Xfr/7N5m94Pvv1AvUfj1egdgVjH9T/0PqBeqf0L/f9+XqBd3f9p7gH8m/nv/D84/6h/rvEG+Rf1T9gPgA/lX88/2n+A/Ln6Jf03/i/3D/Oegj8h/ov+w/u/+G+QH+P/zz/bf272SvVT+m/sTfqb9/6A3Nf8v8cNHrqV5OLsghsUb47ga++zlczXP62ODRGIey1HtW+oicziZv1v/Z19M6U30jwkqK35BePLaAKIlZCkrfa0hIzOrbGRYeCazRFqQQdLWRNfjh1hXP7pZJsd6WbMZUXdXJwAA/m/4sBRDNyNhP/V0LuZBFVu/daJPTR6EH+tNqVs96s3MSNFRQMwCICODoxR7QNp6ulGes3pdWsv2jMfXhpfHXi+gm/B7/NsclDgCU7tsPGtVWuwbKnKgpARwJyJzOA7iL0D5jm01JygF1yIzsnIA+YVAS+B9I6IFT1HsVFcjzxCBIuDoXt0q/P47Sz7ngHMcTTKkse0Fhdj/PfecWGK8k7lqNbw+6jynVFTp44Uh4gIvbXfVwhWvrYPhSEvZEAF+HFcBPreWHKzTSmukBg4IsOrtQWCYqshlHBO6akL93mb9VkRcmJFbJvzod1vHwNexU9SLqaCgWm/xgDAIH2pNBeacATiS+JKn1eGV+Hr7qj6ID/KBbGix+k7agPK2ZCCDctKOp6XwnSt6o5Go10Mx4drFKfcx6JcUgPusdixsYixe4zyfdXrjxf5hYhzdT7ws5NX3dUQXTF3wY+kwe6WVeL7VOHMugcXWGcam74G7/XK/7yl7wY7sC409lCQFAi+Shx55c7VzZuqghwPLNi+CWS60hzdRHmB1N2XkMm9I9g/RyQD4lS0XdKGSszDpRXnIpfOWQBnW6q3xjGGL4rtLpPSEFK14K+0QixDRQbhdPVC3Ga7Tm1Pz7zaKCoX/fmeQxHzm1J0KnJNugjeqy/JP0oruKmX7euzrjGZL5SwyPMEL9OfKPZtvaHi+cDKF/XTZiWicd/olVZUBW0OGcbzZo8+TjkJbT27YVvd+eTTiuZrp652UX4eKTby+cBv21S3rS4k7poDrbyoal08aHSkM/zuWyA3seebZ1i3ySyxbdQFWp9KcViT6HrJr021oTSWDjvsOozmSoz85PA8UFmTuisJGuNvsLHeoev7l8TM9+FZh6z6PSan4l6L5B6oGDcq8QLTngTzrF1U2JHUUnf0aVRe1AsrEzHg4zvc3GyRb5Kd//DVFdIiUoh7WbW0OVX19oMZO5HfQpcjGv8RHlDelcqzZ9QCQ38KnQvVcGwVZ+58NHjN8CWDWnWT47SgmzEEX6wp1p9MfVa+Ur0YdA2rqv9luUuyID881U+jCND/0l8BjYNT1jZW40CHzolZd5ibjjG5R880+oL9HrzJm3a5Gj9RPY3fMVeQajb4kwVxfia2Hys5x/OY4ZRJt/YNnAKh1SBwqD9NTULR0QMCKBeXc8S+m8B5/Bl3mEA4kUNa0YZbDUbowIYsuUhRDuz/qER0G4wo+j10CdaA+X8Bn+hg69sItlA0sP8lwsowb4X5crS3eLL93pEHg2bJ0T9eBcmnPwXv0R5dRTJoB7RNvCO4TrUgmKNcOmqzWP1Et5Rj8ZPSb7I9ON/ePka6eus0t6SADkPm3eUmxhPJoVGeR9ba+bBYABxRjFN3SL7riLzX17zfyB6DOkDOYFudBzGFpGRjt4vUTXCwx+TIBh031ZXK6ZGq2FnPmIKjGos5Jt8cbN3naKq9hmETPDbECAQhwBKUHqA68Lfv2oO4nrhKZIGeUS6K51hxmJ4gChq0ZLC24sd8hhV93bBwMm9AqJ8LPfV7n7uLN3Px7y5jma1c0mldtJK9fZ6UWyfD6DjW0G/CpOz+1Mg2iDBq+p0bUVwTrDgSP3W4czgDP1eh6mcQ6sEr5UzU1JQVoXIaB8BOEqwP4S4OHUcndPDrU8I8TcqP1LPb8bGuZyviXl5IwF0zET6S7YaM38t4zyy4u+9B8zNBggPE8v1ulDPlHw9z0b2BMLgoskWcYt0kozKb3TzQGdyNpLqyvupKLM4e+ygzWbZcD+zSMxPXabX0zP0fSL1dVMKsF4UFatgTb/c+/kygE5HoqA3MEH7yQbUNmt1hjifB5nN1KcT5RnwlcFhAUeuJ83Y4wQMpcuxw8aXR+6PsWi9RC/GbeNWTBHqXdBpi11+gY4YrIItLO9FdnUIy7QE6Y6QrP5XQPqldRxuLkPRZKr3s06SgoAX+fAgdA41EPdp3e0f3lnfYjuu8u15tPHmK76yTIIWNBfQMZIuAARSh8/K7vt1R4qTI9fXn3mrnqtC0KU2qhhuAn1VbYlMRrv3fHTuPiEvyMmbDQbFtg5dLnUtM2vcpGPeUDbJQu8glNbdbaP8r/8ucDRFQEcoqab3pb3ERVFMF4oS1qqvhrJfNtN/ie6UEzzf9tUofhRNAy23bby/2Ybio6p+Zg98/DVU1fZJ2uK97pz5yLh2xaNnbY7GL3clA/2WCSAjMNOxm1SbWxnoglq+eJPVR/jEMw+R1F+Oz4EaUAjXroMkO5iSo/7pGOWCrL64g0XH0lcSwQOy38N05i+GmveUKgtPqcFXF6E2QP45tzKFePLmEUQMdlzO+QNW9xgNvfi35uJ4ZiQ8gVqMvXX4olubqx0Izzczi1BwFOgMTx69pY/ZGn+ed2Cjv9Cc47fak24R6O/lSpmuSmpieIzRmoWNFuLOshGKDTOro2ge/5n4gM2JUr5GpViiOMKGXrRWXzuId/rd2xuzdjAzRuOsUmvzN8Frh2uGsKoP2UIhrMeqNY2xQcJp+GrV0TNjdgQZRoiR2ydbVJpV4LZ1uK447qXTLULlQRGOzEmmZTuQ8af9Sw4ndNvYIfo47VsDNnoLAgLUNbW4C2kavtBJi0GU2G1+/T+p9+wTgmSw3AjSsXclhaHBIAB6t520N/KPRJGwFcQp8dj1BvbB5iKpOPhIEMEwMC1VgNyNfHNTsJaKjvFlvED+qAAA=="
  )

  private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }

  // MARK: - Turned

  static func expectTurned(_ bytes: [UInt8], to size: Size) throws {
    let picture = try decode(bytes)
    #expect(picture.size == size)
    let (top, bottom) = (picture[size.width / 2, 0], picture[size.width / 2, size.height - 1])
    #expect(top.isNear(red) && bottom.isNear(blue), "\(top), \(bottom)")
    #expect(try PictureDecoder.size(of: bytes) == size)
  }

  static func expectUpright(_ bytes: [UInt8]) throws {
    let picture = try decode(bytes)
    #expect(picture.size.width == picture.size.height * 2)
    #expect(picture[0, 0] == red && picture[picture.size.width - 1, 0] == blue)
    #expect(try PictureDecoder.size(of: bytes, isWhole: true) == picture.size)
  }

  // MARK: - Cut

  static func noise(_ x: Int, _ y: Int) -> [UInt8] {
    let value = (x &* 7919 &+ y &* 104_729) % 200
    return [UInt8(value + 50), UInt8(value), UInt8(250 - value), 255]
  }

  /// Expects the first rows of a cut picture as they are in the whole one, and the color of missing rows below.
  static func expectTop(_ whole: [UInt8], share: Double, rows: ClosedRange<Int>) throws {
    let (all, cut) = (try decode(whole), try decode(Array(whole.prefix(Int(Double(whole.count) * share)))))
    #expect(cut.size == all.size)
    let ground = PictureDecoder.defaultBackground
    func missingRows(_ picture: PixelBuffer) -> [Bool] {
      (0..<picture.size.height).map { y in (0..<picture.size.width).allSatisfy { picture[$0, y] == ground } }
    }
    #expect(!missingRows(all).contains(true))
    let isMissing = missingRows(cut)
    let count = isMissing.firstIndex(of: true) ?? cut.size.height
    #expect(rows.contains(count) && isMissing[count...].allSatisfy(\.self), "\(count)")
    for y in 0..<count / 2 { #expect((0..<cut.size.width).allSatisfy { cut[$0, y] == all[$0, y] }) }
  }

  static func expectDamaged(_ bytes: [UInt8]) {
    #expect(throws: PictureError.damaged) { try decode(bytes) }
  }

  // MARK: - Logos

  static func cover(
    _ bytes: [UInt8], cells: Size = Size(width: 40, height: 12)
  ) throws -> (fresh: PixelBuffer, stored: PixelBuffer, thumbnail: Thumbnail) {
    let format = CoverFormat(size: cells, cellSize: Size(width: 8, height: 16), glyphs: .halves, wantsPixels: true)
    let (picture, thumbnail) = try CoverPicture.decode(bytes, in: format)
    let kept = try #require(thumbnail)
    return (try #require(picture.pixels), try #require(CoverPicture(kept, in: format).pixels), kept)
  }

  static func expectBackdrop(_ bytes: [UInt8], _ allowed: [Backdrop?]) throws {
    let backdrop = try cover(bytes).thumbnail.backdrop
    #expect(allowed.contains(backdrop), "\(String(describing: backdrop))")
  }

  /// A wide sign: a bar of a color from end to end, with transparent rows above and below.
  static func sign(_ colors: [RGB], _ size: Size = Size(width: 512, height: 98)) -> [UInt8] {
    png(size) { x, y in
      guard (20..<size.height - 20).contains(y) else { return [0, 0, 0, 0] }
      let color = colors[x * colors.count / size.width]
      return [color.red, color.green, color.blue, 255]
    }
  }

  /// Expects all parts of a sign within a margin of one color, from which each has a contrast of at least 3.
  static func expectReadable(_ colors: [RGB]) throws {
    let (fresh, stored, _) = try cover(sign(colors))
    for picture in [fresh, stored] {
      let (right, middle) = (picture.size.width - 1, picture.size.height / 2)
      let ground = picture[0, 0]
      #expect([picture[right, 0], picture[0, middle], picture[right, middle]].allSatisfy { $0.isNear(ground) })
      for (number, color) in colors.enumerated() {
        let inner = picture.size.width * 5 / 6
        let shown = picture[picture.size.width / 12 + inner * (2 * number + 1) / (2 * colors.count), middle]
        #expect(shown.isNear(color), "\(shown) for \(color)")
        #expect(color.contrast(with: ground) >= 3, "\(color) on \(ground)")
      }
    }
  }
}

extension RGB {
  fileprivate func isNear(_ other: RGB) -> Bool {
    zip([red, green, blue], [other.red, other.green, other.blue]).allSatisfy { abs(Int($0) - Int($1)) < 16 }
  }
}
