import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

/// Pictures that only ffmpeg decodes.
@Suite(.hangLimit, .serialized) struct ForeignPicturesTests {
  private static let svg = Array("<?xml version='1.0'?><!-- a --><svg viewBox='0 0 4 3'/>".utf8)

  @Test(arguments: [
    ("....ftypavif....mif1", ForeignPicture.Format.avif), ("....ftypmif1....avif", .avif), ("....ftypheic....", .heic),
    ("....ftypmif1....heic", .heic), ("....ftypmp42....isom", nil), ("<svg>", .svg), ("\u{FEFF} \n<svg:svg>", .svg),
    ("<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a '>'>]>\n<svg>", .svg), ("<html><svg>", nil), ("<!-- <svg>", nil),
    ("<!DOCTYPE svg [ <!ENTITY a ']>'>\n<!-- don't ]> --> ] >\n<svg>", .svg), ("<!DOCTYPE a [ <!-- ] > <svg>", .svg),
    ("<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'a>b'><svg/>", .svg), ("<ns0:svg xmlns:ns0='a'>", .svg),
    ("<svg-like>", nil), ("<!DOCTYPE html><html>", nil), ("<", nil), ("<?", nil), ("BM", nil), ("II*\u{0}", .tiff),
    ("MM\u{0}*", .tiff),
    ("", nil),
  ]) func `the first bytes name the format`(text: String, format: ForeignPicture.Format?) {
    var bytes = Array(text.utf8)
    if text.hasPrefix("....ftyp") { bytes.replaceSubrange(0..<4, with: [0, 0, 0, UInt8(bytes.count)]) }
    #expect(ForeignPicture.Format(firstBytes: bytes) == format)
  }

  @Test func `binary headers name the format`() {
    let bmp = Array("BM".utf8) + Array(repeating: 9, count: 12) + [40, 0, 0, 0]
    #expect(ForeignPicture.Format(firstBytes: bmp) == .bmp)
    #expect(ForeignPicture.Format(firstBytes: Array("BM is a text about BM.".utf8)) == nil)
    #expect(ForeignPicture.Format(firstBytes: [0, 0, 1, 0, 2, 0, 16, 16]) == .ico)
    #expect(ForeignPicture.Format(firstBytes: [0, 0, 1, 0, 0, 0, 16, 16]) == nil)
    #expect(ForeignPicture.Format(firstBytes: [0xFF, 0x0A, 1]) == .jpegXL)
    #expect(ForeignPicture.Format(firstBytes: [0, 0, 0, 12] + "JXL \r\n".utf8 + [0x87, 0x0A]) == .jpegXL)
  }

  @Test func `random beginnings are never read beyond their end, and are linear`() {
    let parts = [
      "<!--", "-->", "<?", "?>", "<!", "[", "]>", ">", " ", "<svg", "<", "ftyp", "avif", "BM", "\u{0}", "\u{1}",
    ]
    var random = SeededGenerator(seed: 5)
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...12, using: &random)
      let text = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
      if ForeignPicture.Format(firstBytes: Array(text.utf8)) == .svg { #expect(text.contains("<svg")) }
    }
    for part in ["<!-- -->", "<?a?>", "<!a>", "<!a[", " ", "<!a[<?", "<!a[<!--", "<!a'", "'"] {
      let bytes = Array(String(repeating: part, count: 1_000_000 / part.utf8.count).utf8)
      #expect(ForeignPicture.Format(firstBytes: bytes + "<svg>".utf8) == nil)
    }
  }

  /// Loads covers with a script in place of ffmpeg; `$F` is a folder.
  private func withScript(
    _ script: String, timeLimitSeconds: Int = 600, answering: @escaping TestServer.Answering = Self.answering,
    _ body: (CoverWorld, _ loader: () -> CoverLoader, _ folder: String) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try Data(Sample.blueJPEG).write(to: URL(filePath: "\(folder)/blue"))
      let path = try writeScript("F='\(folder)'; cd \"$F\"\n" + script, to: "\(folder)/ffmpeg")
      try await withCovers(answering) { world in
        func loader() -> CoverLoader {
          CoverLoader(
            cache: AnswerCache(folder: world.folder), userAgent: "test",
            foreignPictures: ForeignPictures(timeLimitSeconds: timeLimitSeconds) { path })
        }
        try await body(world, loader, folder)
      }
    }
  }

  private static let answering: TestServer.Answering = { request in
    switch request.path {
    case "/svg", "/svg2": .picture(svg)
    case "/gone": .noPicture
    case let path where path.hasPrefix("/long"):
      .picture(svg + [UInt8](repeating: UInt8(ascii: " "), count: PictureLimits.webByteCount / 5 * 2))
    default: .picture(Sample.blueJPEG)
    }
  }

  @Test func `ffmpeg gets the whole picture as a file, once, and its answer is cached`() async throws {
    try await withScript("echo run >> runs; cat > given; printf '%s|' \"$@\" > words; cat blue") {
      world, loader, folder in
      #expect(await world.cover("/gone", "/svg", by: loader()).average?.isNear(Sample.blue) == true)
      #expect(try fileBytes(of: "\(folder)/given") == Self.svg)
      #expect(await world.cover("/svg", by: loader()).average?.isNear(Sample.blue) == true)
      let runs = try fileBytes(of: "\(folder)/runs")
      #expect(runs == Array("run\n".utf8))
      let words = String(decoding: try fileBytes(of: "\(folder)/words"), as: UTF8.self)
      #expect(words.contains("-protocol_whitelist|file|-codec_whitelist|librsvg|-f|svg_pipe|"))
      #expect(words.contains("|-i|file:/dev/stdin|"))
    }
  }

  @Test func `a known format comes before a foreign one`() async throws {
    try await withScript("echo run >> runs; cat blue") { world, loader, folder in
      #expect(await world.cover("/svg", "/blue", by: loader()).average?.isNear(Sample.blue) == true)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/runs"))
      #expect(world.requestedPaths == ["/svg", "/blue"])
      // The cached cover costs no request, also in the next run.
      #expect(await world.cover("/svg", "/blue", by: loader()).average?.isNear(Sample.blue) == true)
      #expect(world.requestedPaths == ["/svg", "/blue"])
    }
  }

  @Test func `a stale cover that was converted is converted again, and stays if that fails`() async throws {
    let isThere = Mutex(false)
    let red = PixelBuffer.plain(RGB(red: 200, green: 30, blue: 20), Size(width: 64, height: 36)).jpeg(quality: 90)!
    try await withScript("echo run >> runs; test -e broken || cat blue") { request in
      request.path == "/late" ? isThere.withLock { $0 } ? .picture(red) : .noPicture : .picture(Self.svg)
    } _: { world, loader, folder in
      let addresses = ["/svg", "/late"].map(world.address)
      #expect(await loader().cover(addresses).average?.isNear(Sample.blue) == true)
      isThere.withLock { $0 = true }
      for count in 2...4 {
        try Database(path: world.folder + "/covers.sqlite", timeoutMilliseconds: 1000).run(
          script: "DELETE FROM missing; UPDATE cover SET got_at = got_at - 3000000, fresh_until = 1, kept_until = 1")
        if count == 3 { try Data().write(to: URL(filePath: "\(folder)/broken")) }
        // Larger than the thumbnail.
        let size = count == 4 ? Size(width: 100, height: 50) : Size(width: 8, height: 4)
        for use in [CoverUse.always, .whileFresh] {
          let cover = await loader().cover(addresses, on: CoverLoader.Terms(use: use), size: size, wantsPixels: true)
          #expect(
            cover.average?.isNear(count < 4 || use == .always ? Sample.blue : RGB(red: 200, green: 30, blue: 20))
              == true)
        }
        let runs = try fileBytes(of: "\(folder)/runs").count { $0 == UInt8(ascii: "\n") }
        #expect(runs == count)
      }
      #expect(world.requestedPaths == ["/svg", "/late", "/svg", "/svg", "/svg", "/late"])
    }
  }

  @Test func `a retry that converts a cover ends the record of its absence`() async throws {
    try await withScript("test -e there && cat blue") { world, loader, folder in
      let (loader, address) = (loader(), world.address("/svg"))
      #expect(await loader.cover([address]).failure?.kind == .permanent)
      try Data().write(to: URL(filePath: "\(folder)/there"))
      #expect(await loader.cover([address], on: CoverLoader.Terms(use: .retried(press: 1))).average != nil)
      // Larger than the thumbnail.
      #expect(await loader.cover([address], size: Size(width: 100, height: 50), wantsPixels: true).average != nil)
      #expect(world.requestedPaths == ["/svg", "/svg", "/svg"])
    }
  }

  @Test func `the pictures that wait for ffmpeg are bounded in memory`() async throws {
    try await withScript("echo run >> runs; exit 1") { world, loader, folder in
      let paths = (0..<8).map { "/long\($0)" }
      _ = await loader().cover(paths.map(world.address))
      #expect(world.requestedPaths == paths)
      let runs = try fileBytes(of: "\(folder)/runs")
      #expect(runs.count { $0 == UInt8(ascii: "\n") } == 2)
    }
  }

  @Test func `without ffmpeg, the failure names the format and the program`() async throws {
    try await withCovers(Self.answering) { world in
      let loader = CoverLoader(
        cache: AnswerCache(folder: world.folder), userAgent: "test", foreignPictures: ForeignPictures { nil })
      let failure = await world.cover("/svg", "/gone", by: loader).failure
      #expect(failure?.reason == "the cover is an SVG picture, which needs ffmpeg" && failure?.isMissing == true)
      #expect(failure?.advice == "install it: apt install ffmpeg")
    }
  }

  @Test(arguments: ["exit 1", "cat blue; exit 1", "exit 0", "yes", "echo text", "printf '<svg>'"])
  func `after a failure of ffmpeg the picture is missing, and ffmpeg does not run again`(script: String) async throws {
    try await withScript("echo run >> runs\n" + script) { world, loader, folder in
      let loader = loader()
      for _ in 0..<2 {
        let failure = await world.cover("/svg", by: loader).failure
        #expect(failure?.reason == "ffmpeg could not decode the cover, an SVG picture" && failure?.isMissing == true)
      }
      let runs = try fileBytes(of: "\(folder)/runs")
      #expect(runs == Array("run\n".utf8))
      #expect(await world.cover("/svg", "/blue", by: loader).average?.isNear(Sample.blue) == true)
    }
  }

  @Test func `a picture that takes too much processor time is missing`() async throws {
    try await withScript("kill -KILL $$") { world, loader, _ in
      let failure = await world.cover("/svg", by: loader()).failure
      #expect(failure?.reason == "ffmpeg took more than 2 s for the cover, an SVG picture")
      #expect(failure?.isMissing == true && failure?.kind == .permanent)
    }
  }

  @Test func `a picture that takes too long is missing`() async throws {
    try await withScript("exec tail -f /dev/null", timeLimitSeconds: 1) { world, loader, _ in
      let failure = await world.cover("/svg", by: loader()).failure
      #expect(failure?.reason == "ffmpeg took more than 1 s for the cover, an SVG picture")
      #expect(failure?.isMissing == true && failure?.kind == .temporary)
    }
  }

  @Test func `one picture is converted at a time`() async throws {
    let script =
      "mkdir run$$; ls -d run* | wc -l >> counts; until test -e go; do sleep 0.01; done; rmdir run$$; cat blue"
    try await withScript(script) { world, loader, folder in
      let loader = loader()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for path in ["/svg", "/svg2"] {
          group.addTask { await world.cover(path, by: loader).average?.isNear(Sample.blue) == true }
        }
        try await eventually("a run") { (try? fileBytes(of: "\(folder)/counts"))?.isEmpty == false }
        try Data().write(to: URL(filePath: "\(folder)/go"))
        var blueCount = 0
        for try await isBlue in group where isBlue { blueCount += 1 }
        #expect(blueCount == 2)
      }
      let counts = String(decoding: try fileBytes(of: "\(folder)/counts"), as: UTF8.self)
      #expect(counts.filter { !$0.isWhitespace } == "11")
    }
  }

  @Test(arguments: [Size(width: 1, height: 1), Size(width: 7, height: 400), Size(width: 400, height: 7)])
  func `a dot is no cover, and its size is not reported`(size: Size) async throws {
    let dot = try #require(PixelBuffer.plain(Sample.blue, size).jpeg(quality: 90))
    try await withCovers { request in
      .picture(request.path == "/dot" ? dot : Sample.blueJPEG)
    } _: { world in
      #expect(await world.cover("/dot", "/blue").average?.isNear(Sample.blue) == true)
      let loader = world.loader()
      let failure = await world.cover("/dot", by: loader).failure
      #expect(failure?.isMissing == true)
      #expect(loader.sizes(of: [world.address("/dot")]) == [nil])
    }
  }
}
