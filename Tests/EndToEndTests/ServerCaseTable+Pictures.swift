import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCovers

extension ServerCaseTable {
  static let pictures: [Case] = [
    Case("a PNG is turned by the Exif data before its pixels") {
      let chunk = PictureCases.chunk("eXIf", PictureCases.exif(6))
      try PictureCases.expectTurned(PictureCases.halves(before: chunk), to: Size(width: 32, height: 64))
    },
    Case("a PNG is turned by the Exif data behind its pixels") {
      let chunk = PictureCases.chunk("eXIf", PictureCases.exif(6))
      try PictureCases.expectTurned(PictureCases.halves(after: chunk), to: Size(width: 32, height: 64))
    },
    Case("an orientation of four bytes instead of two turns a picture") {
      let chunk = PictureCases.chunk("eXIf", PictureCases.exif(6, isLong: true))
      try PictureCases.expectTurned(PictureCases.halves(before: chunk), to: Size(width: 32, height: 64))
    },
    Case("a WebP is turned by its Exif data, with or without the prefix of JPEG") {
      for prefix in ["", "Exif\0\0"] {
        let exif = Array(prefix.utf8) + PictureCases.exif(6)
        try PictureCases.expectTurned(
          PictureCases.webP(PictureCases.webPChunk(exif)), to: Size(width: 2, height: 4))
      }
    },
    Case("a WebP with Exif data behind its pixels has no size before they arrive") {
      let bytes = PictureCases.webP(PictureCases.webPChunk(PictureCases.exif(6)))
      for count in 0..<bytes.count { #expect((try? PictureDecoder.size(of: Array(bytes.prefix(count)))) == nil) }
    },
    Case("a WebP whose Exif data is missing, cut or nonsense is shown as it is") {
      let exif = PictureCases.exif(6)
      for chunk in [
        [], PictureCases.webPChunk([]), PictureCases.webPChunk(Array(exif.prefix(12)), length: 0xFFFF_FFFF),
        PictureCases.webPChunk(Array("MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]), PictureCases.webPChunk([1, 2, 3]),
      ] { try PictureCases.expectUpright(PictureCases.webP(chunk)) }
    },
    Case("Exif directories that point to themselves, or have 65,535 entries, end") {
      let loop = Array("MM\0*\0\0\0\u{8}\0\0\0\0\0\u{8}".utf8)
      let long = Array("MM\0*\0\0\0\u{8}".utf8) + [UInt8](repeating: 0xFF, count: 2 + 65_535 * 12)
      for exif in [loop, long] {
        try PictureCases.expectUpright(PictureCases.halves(before: PictureCases.chunk("eXIf", exif)))
      }
    },
    Case("a JPEG with fill bytes before its Exif data is turned") {
      let pixels = (0..<64 * 32).flatMap { $0 % 64 < 32 ? [255, 0, 0] as [UInt8] : [0, 0, 255] }
      let jpeg = try #require(PixelBuffer(size: PictureCases.wide, bytes: pixels)?.jpeg(quality: 90))
      let exif = Array("Exif\0\0".utf8) + PictureCases.exif(6)
      let segment = [0xFF, 0xFF, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
      try PictureCases.expectTurned(
        Array(jpeg.prefix(2) + segment + jpeg.dropFirst(2)), to: Size(width: 32, height: 64))
    },
    Case("a PNG of less than 8 kB that is cut shows its rows") {
      let bytes = PictureCases.png(Size(width: 40, height: 40), PictureCases.noise)
      #expect(bytes.count < 8_192)
      try PictureCases.expectTop(bytes, share: 0.5, rows: 18...20)
      try PictureCases.expectTop(bytes, share: 0.9, rows: 35...36)
    },
    Case("a PNG cut within its last bytes lacks its last row only") {
      let bytes = PictureCases.png(Size(width: 100, height: 100), PictureCases.noise)
      let cut = Double(bytes.count - 12 - 4 - 8) / Double(bytes.count)
      try PictureCases.expectTop(bytes, share: cut, rows: 99...99)
    },
    Case("an interlaced PNG cut in its first pass shows the top, and cut later all of it") {
      let bytes = PictureCases.png(Size(width: 64, height: 64), isInterlaced: true) { _, y in [UInt8(y), 9, 9, 255] }
      let whole = try PictureCases.decode(bytes)
      let top = try PictureCases.decode(Array(bytes.prefix(200)))
      #expect(top[0, 0] == whole[0, 0] && top[0, 63] == PictureDecoder.defaultBackground)
      let coarse = try PictureCases.decode(Array(bytes.prefix(2_000)))
      #expect((0..<64).allSatisfy { coarse[63, $0].green == 9 })
    },
    Case("a cut WebP shows the rows that are there") {
      try PictureCases.expectTop(PictureCases.losslessWebP, share: 0.8, rows: 1...31)
      try PictureCases.expectTop(PictureCases.lossyWebP, share: 0.8, rows: 1...63)
    },
    Case("a picture cut before its first row is damaged, in each format") {
      PictureCases.expectDamaged(Array(PictureCases.halves().prefix(8 + 25 + 8 + 20)))
      let interlaced = PictureCases.png(PictureCases.wide, isInterlaced: true) { _, _ in [9, 9, 9, 255] }
      PictureCases.expectDamaged(Array(interlaced.prefix(8 + 25 + 8 + 9)))
      PictureCases.expectDamaged(Array(PictureCases.losslessWebP.prefix(60)))
      PictureCases.expectDamaged(
        Array("GIF89a".utf8) + [64, 0, 64, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 64, 0, 64, 0, 0, 2])
    },
    Case("a cut PNG without transparent pixels is no logo") {
      let bytes = PictureCases.png(Size(width: 320, height: 180), PictureCases.noise)
      try PictureCases.expectBackdrop(Array(bytes.prefix(bytes.count / 3)), [nil])
      try PictureCases.expectBackdrop(bytes, [nil])
    },
    Case("wide logos of any colors are shown whole, with a contrast of at least 3") {
      let (white, black) = (RGB.white, RGB.black)
      for colors in [
        [white], [black], [PictureCases.red], [RGB(red: 255, green: 220, blue: 0)], [PictureCases.blue],
        [RGB(red: 128, green: 128, blue: 128)], [white, black],
        [RGB(red: 255, green: 0, blue: 200), PictureCases.blue],
      ] { try PictureCases.expectReadable(colors) }
    },
    Case("an icon with round corners is shown whole in a wide card") {
      let icon = PictureCases.png(Size(width: 200, height: 200)) { x, y in
        (x - 100) * (x - 100) + (y - 100) * (y - 100) < 10_000 ? [255, 0, 0, 255] : [0, 0, 0, 0]
      }
      let (fresh, _, _) = try PictureCases.cover(icon)
      let (middle, height) = (fresh.size.width / 2, fresh.size.height)
      #expect(fresh[middle, 0] == fresh[0, 0] && fresh[middle, height - 1] == fresh[0, 0])
      #expect(fresh[middle, height / 8] == PictureCases.red && fresh[middle, height * 7 / 8] == PictureCases.red)
    },
    Case("a logo that touches its corners is readable too") {
      let cross = PictureCases.png(Size(width: 160, height: 90)) { x, y in
        abs(x * 9 - y * 16) < 160 || abs(x * 9 + y * 16 - 1_440) < 160 ? [0, 0, 0, 255] : [0, 0, 0, 0]
      }
      try PictureCases.expectBackdrop(cross, [.light])
    },
    Case("a banner of 9:2 without transparent pixels is shown whole, a film of 21:9 fills its card") {
      func picture(_ size: Size) -> [UInt8] {
        PixelBuffer(
          size: size,
          bytes: (0..<size.width * size.height).flatMap {
            $0 % size.width < size.width / 2 ? [255, 0, 0] as [UInt8] : [0, 0, 255]
          })?.jpeg(quality: 95) ?? []
      }
      try PictureCases.expectBackdrop(picture(Size(width: 900, height: 200)), Backdrop.allCases)
      try PictureCases.expectBackdrop(picture(Size(width: 200, height: 900)), Backdrop.allCases)
      try PictureCases.expectBackdrop(picture(Size(width: 840, height: 360)), [nil])
    },
    Case("a PNG with 10,000 chunks before its pixels is shown") {
      let chunks = Array(repeatElement(PictureCases.chunk("teST", [1]), count: 10_000).joined())
      try PictureCases.expectUpright(PictureCases.halves(before: chunks))
    },
    Case("a PNG that claims 10,000 by 10,000 pixels is refused before its first row") {
      let bytes = PictureCases.head(Size(width: 10_000, height: 10_000)) + PictureCases.chunk("IDAT", [0x78, 1])
      #expect(throws: PictureError.tooMuchWork) { try PictureDecoder.size(of: bytes) }
    },
    Case("a JPEG of 100 bytes that claims 100 million pixels is damaged, or too large with several scans") {
      func head(_ marker: UInt8) -> [UInt8] {
        let table = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        // 10,000 by 10,000 pixels of one channel.
        return [0xFF, 0xD8] + table + [0xFF, marker, 0, 11, 8, 0x27, 0x10, 0x27, 0x10, 1, 1, 0x11, 0]
          + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, marker == 0xC2 ? 0 : 63, 0]
      }
      PictureCases.expectDamaged(head(0xC0))
      #expect(throws: PictureError.tooLarge) { try PictureCases.decode(head(0xC2)) }
    },
  ]
}
