import FeedfallScreen
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

extension ServerCaseTable {
  static let loads: [Case] = [
    Case("r requests a missing cover again, and shows it") { try await LoadCases.refreshInProgram() },
    Case("a server that is down does not hide the cover on another server") {
      try await LoadCases.with { _ in
        .answer(TestAnswer(LoadCases.black))
      } _: { world in
        let closed = try TestServer { _ in .silence }
        closed.stop()
        #expect(await world.load([closed.origin + "/a", closed.origin + "/b", closed.origin + "/c", "/d"]) == .black)
      }
    },
    Case("10,000 loads of one missing cover share its request") {
      try await LoadCases.with { _ in
        .answer(TestAnswer("", status: 404))
      } _: { world in
        let loader = world.loader()
        await withTaskGroup { group in
          for _ in 0..<10_000 { group.addTask { _ = await world.load(["/a"], by: loader) } }
        }
        // A load may begin while the answer to the others is being recorded.
        #expect(world.requests().count < 20)
      }
    },
    Case("the Referer is the origin of the page, with its port and without its user, path and query") {
      try await LoadCases.referrer(
        of: "http://anna:secret@Films.example:8080/watch?token=1", expecting: "http://films.example:8080/")
      try await LoadCases.referrer(of: "http://films.example/", expecting: "http://films.example/")
    },
    Case("an encrypted page is not named to a server without encryption") {
      try await LoadCases.referrer(of: "https://films.example/watch", expecting: nil)
    },
    Case("only a 403 causes a second request with a Referer") {
      for status in [400, 401, 404, 410, 451, 500] {
        try await LoadCases.referrer(of: "http://films.example/", expecting: nil, refusal: status)
      }
    },
    Case("a cover behind a redirect is confirmed at its target, without the secrets of the address") {
      try await LoadCases.with { request in
        if request.path == "/a" { return .answer(.redirect(to: "/b?X-Amz-Signature=123")) }
        return request.headers["if-none-match"] == "\"1\""
          ? .answer(TestAnswer("", status: 304)) : .answer(TestAnswer(LoadCases.black, headers: ["ETag": "\"1\""]))
      } _: { world in
        _ = await world.load("/a")
        try world.pass(seconds: 31 * 86_400)
        #expect(await world.load("/a") == .black)
        let target = "/b?X-Amz-Signature=123"
        #expect(world.requests("if-none-match") == ["/a -", "\(target) -", "/a -", "\(target) \"1\""])
      }
    },
  ]

  static let candidates: [Case] = [
    Case("the photo in XHTML has its whole address, and a pixel there is none") {
      try CandidateCases.expect(
        ["photo.jpg"], inXHTML: "<img src='t.png' width='1' height='1'/><p><img src='photo.jpg' width='800'/></p>")
      try CandidateCases.expect(["b.jpg"], inXHTML: "<img src='/blank.gif' data-src='b.jpg?x=1&amp;copy=2'/>")
    },
    Case("the covers of an item precede those in its text, and the channel's is last") {
      try CandidateCases.expectOrder(
        [.video, .text, .channel],
        of: "<media:thumbnail url='v.jpg'/><description>&lt;img src='t.jpg'&gt;</description>",
        channel: CandidateCases.channel)
      try CandidateCases.expectRequested(
        ["v.jpg", "t.jpg", "c.png"],
        of: "<media:thumbnail url='v.jpg'/><content:encoded>&lt;img src='t.jpg'&gt;</content:encoded>",
        channel: CandidateCases.channel)
    },
    Case("a picture that is in the text and of the item is requested once") {
      try CandidateCases.expectRequested(
        ["v.jpg", "c.png"],
        of: "<media:thumbnail url='v.jpg'/><description>&lt;img src='v.jpg'&gt;&lt;img src='c.png'&gt;</description>",
        channel: CandidateCases.channel)
    },
    Case("an item with many thumbnails still has the channel's picture as its last resort") {
      let thumbnails = (0..<9).map { "<media:thumbnail url='\($0).jpg'/>" }.joined()
      try CandidateCases.expectRequested(
        ["0.jpg", "1.jpg", "2.jpg", "3.jpg", "c.png"], of: thumbnails, channel: CandidateCases.channel)
    },
    Case("a pixel that states no size is passed over once it has arrived") {
      try await CandidateCases.expectLoaded(
        ["/pixel", "/gone", "/photo", "/unused"], ["/pixel": CandidateCases.pixel, "/photo": [], "/unused": []],
        requests: ["/pixel", "/gone", "/photo"])
    },
    Case("a drawing is shown only if no photo is there") {
      let drawing = Array("<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><rect/></svg>".utf8)
      try await CandidateCases.expectLoaded(
        ["/drawing", "/photo"], ["/drawing": drawing, "/photo": []], requests: ["/drawing", "/photo"])
      try await CandidateCases.expectLoaded(
        ["/drawing", "/gone"], ["/drawing": drawing], requests: ["/drawing", "/gone"],
        isFound: CandidateCases.ffmpeg != nil)
    },
    Case("a drawing of 100,000 pixels is drawn as small as others", CandidateCases.hugeDrawing),
    Case("a drawing of a megabyte is read to its end", CandidateCases.longDrawing),
    Case("a drawing reads no file and no server that it names", CandidateCases.foreignReferences),
    Case("an entity of a drawing reads no file", CandidateCases.foreignEntity),
    Case("a drawing that never ends is ended", CandidateCases.endlessDrawing),
    Case("a bitmap is shown, and one that promises 10 GB is refused", CandidateCases.bitmap),
  ]

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
    Case("a PNG cut within its last bytes lacks its last row at most") {
      let bytes = PictureCases.png(Size(width: 100, height: 100), PictureCases.noise)
      // The last chunk has 12 bytes, and the pixels are followed by two checksums of 4.
      for (missing, rows) in [(12 + 4 + 4 + 8, 99...99), (12 + 4 + 4, 100...100), (12 + 2, 100...100), (8, 100...100)] {
        try PictureCases.expectTop(
          bytes, share: (Double(bytes.count - missing) + 0.5) / Double(bytes.count), rows: rows)
      }
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
    Case("the missing rows of a cut logo are transparent, and those of a cut photo are not") {
      let size = Size(width: 120, height: 90)
      let logo = PictureCases.png(size) { x, y in
        (30..<90).contains(x) && y > 20 ? [255, 255, 255, 255] : [0, 0, 0, 0]
      }
      for (bytes, backdrop) in [(logo, Backdrop.dark), (PictureCases.png(size, PictureCases.noise), nil)] {
        for share in [0.4, 0.6, 0.9] {
          let cut = Array(bytes.prefix(Int(Double(bytes.count) * share)))
          let picture = try PictureCases.decode(cut)
          let ground = backdrop?.color ?? PictureDecoder.defaultBackground
          #expect((0..<size.width).allSatisfy { picture[$0, size.height - 1] == ground })
          #expect(try PictureCases.cover(cut).thumbnail.backdrop == backdrop)
        }
      }
    },
    Case("a PNG with 10,000 chunks before its pixels is shown") {
      let chunks = Array(repeatElement(PictureCases.chunk("teST", [1]), count: 10_000).joined())
      try PictureCases.expectUpright(PictureCases.halves(before: chunks))
    },
    Case("a PNG of 65,535 by 1 pixels is decoded whole, and one of 65,535 by 8 is a cover") {
      func line(_ height: Int) -> [UInt8] {
        PictureCases.png(Size(width: 65_535, height: height)) { x, _ in [UInt8(x >> 8), 0, 0, 255] }
      }
      let thin = try PictureDecoder.decode(line(1), to: .within(Size(width: 320, height: 180)))
      #expect(thin.size == Size(width: 320, height: 1) && thin[0, 0].red < 3 && thin[319, 0].red > 252)
      #expect(throws: PictureError.tooSmall) { try PictureCases.cover(line(1)) }
      let (fresh, _, _) = try PictureCases.cover(line(8))
      #expect(fresh.size.width <= 320 && fresh[0, 0] == fresh[fresh.size.width - 1, fresh.size.height - 1])
    },
    Case("a PNG that claims 10,000 by 10,000 pixels is refused before its first row") {
      let bytes = PictureCases.head(Size(width: 10_000, height: 10_000)) + PictureCases.chunk("IDAT", [0x78, 1])
      #expect(throws: PictureError.tooMuchWork) { try PictureDecoder.size(of: bytes) }
    },
    Case("an interlaced PNG of one bit a pixel is limited by its memory, not by its bytes") {
      func head(_ height: Int, isInterlaced: Bool) -> [UInt8] {
        PictureCases.head(Size(width: 8_000, height: height), [1, 0], isInterlaced: isInterlaced)
          + PictureCases.chunk("IDAT", [0x78, 1])
      }
      #expect(throws: PictureError.tooLarge) { try PictureDecoder.size(of: head(8_000, isInterlaced: true)) }
      for (height, isInterlaced) in [(2_000, true), (8_000, false)] {
        let size = try PictureDecoder.size(of: head(height, isInterlaced: isInterlaced))
        #expect(size == Size(width: 8_000, height: height))
      }
    },
  ]
}
