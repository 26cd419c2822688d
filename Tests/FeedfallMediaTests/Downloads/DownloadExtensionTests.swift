import FeedfallText
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct DownloadExtensionTests {
  private static let mp4 = [0, 0, 0, 24] + Array("ftypisom".utf8)

  @Test(arguments: [
    ("attachment; filename=film.mkv", "mkv"), ("attachment; filename=\"my film; part 2.mkv\"", "mkv"),
    ("attachment; filename=\"a.mp4\"; filename*=UTF-8''h%C3%B6liday.webm", "webm"),
    ("attachment; filename*=UTF-8'en'h%C3%B6liday.webm; filename=a.mp4", "webm"),
    ("attachment; FileName*=iso-8859-1''x%2Emkv", "mkv"), ("inline;filename=Film.MKV", "mkv"),
    ("filename=x.mkv", "mkv"),
    ("attachment; filename=C:\\dir\\film.mkv", "mkv"), ("attachment; filename=\"C:\\dir.x\\film.mkv\"", "mkv"),
    ("attachment; filename=\"5\\\" disk; side 1.mkv\"", "mkv"),
    ("attachment; filename='film.mkv'", "mkv"), ("attachment; filename=film.mkv.", "mkv"),
    ("attachment; filename=my film.mkv; size=3", "mkv"), ("attachment; filename=\"film.mkv", "mkv"),
    ("attachment; filename = \"film.mkv\" ; x=y", "mkv"), ("attachment; filename=a%20b.mkv", "mkv"),
    ("attachment; filename=\"=?UTF-8?B?ZmlsbS5ta3Y=?=\"", "mkv"),
    ("attachment; filename=\"=?utf-8?Q?film.mkv?=\"", "mkv"),
    ("attachment; filename*0=\"long \"; filename*1=\"film.mkv\"", "mkv"),
    ("attachment; filename*0*=UTF-8''long%20; filename*1*=film%2Emkv", "mkv"),
    ("attachment; filename=film.mkv, attachment; filename=b.avi", "mkv"),
    ("attachment; filename=film.exe; filename=film.mkv", "mkv"),
  ])
  func `a name in a Content-Disposition header has an extension`(header: String, expected: String) {
    #expect(DownloadExtension.ContentDisposition.names(in: header).firstNonNil(DownloadExtension.ofMedia) == expected)
  }

  @Test(arguments: [
    "", ";", "=", "attachment", "attachment; filename", "attachment; filename=", "attachment; filename*=UTF-8''",
    "attachment; filename=.", "attachment; filename=mkv", "attachment; filename=film.txt",
    "attachment; filename*='", "attachment; filename=\"", "attachment; filename=\"=?UTF-8?B?%%%?=\"",
    "attachment; name=film.mkv", "\u{0}\u{FFFD};filename=\u{1}",
  ])
  func `other headers have none`(header: String) {
    #expect(DownloadExtension.ContentDisposition.names(in: header).firstNonNil(DownloadExtension.ofMedia) == nil)
  }

  @Test func `a header of any length is read up to its limit`() {
    let long = "attachment; " + String(repeating: "filename=a.avi; ", count: 100_000)
    #expect(DownloadExtension.ContentDisposition.names(in: long).count <= 1_000)
    #expect(DownloadExtension.ContentDisposition.names(in: String(repeating: "\"", count: 100_000)) == [])
  }

  /// The first bytes of a file at a place, and the extensions with and without those that its server names.
  @Test(arguments: [
    (0, "\u{1A}Eß£", ["mp4"], "mkv"), (4, "ftypisom", ["mkv", "mov"], "mov"), (4, "ftypqt  ", [], "mov"),
    (4, "ftypqt  ", ["mp4"], "mp4"), (4, "ftypM4A ", [], "m4a"), (4, "ftyp3gp5", [], "3gp"), (4, "moov", [], "mov"),
    (0, "OggS", ["mp3"], "ogg"), (0, "OggS", ["ogv"], "ogv"), (0, "FLV\u{1}", [], "flv"), (0, "fLaC", ["mp3"], "flac"),
    (0, "ID3", [], "mp3"), (0, "ID3", ["flac"], "flac"), (8, "AVI ", ["mp4"], "avi"), (8, "WAVE", [], "wav"),
    (0, "?", ["webm", "mp4"], "webm"), (0, "?", [], "mp4"), (0, "", [], "mp4"),
  ])
  func `the first bytes decide, and the server among those that they permit`(
    offset: Int, mark: String, declared: [String], expected: String
  ) {
    let start = [UInt8](repeating: 1, count: offset) + mark.unicodeScalars.map { UInt8($0.value) }
    #expect(DownloadExtension.of(start: start, declared: declared) == expected)
  }

  @Test func `WebM, Opus, transport streams and headers of frames are distinguished`() {
    let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82]
    let packets = [0x47] + [UInt8](repeating: 0, count: 187) + [0x47]
    let rows: [([UInt8], [String], String)] = [
      (matroska + [0x84] + Array("webm".utf8), ["mp4"], "webm"),
      (matroska + [0x88] + Array("matroska".utf8), ["webm"], "mkv"),
      (Array("OggS...........OpusHead".utf8), ["mp4"], "opus"), (Array("OggS....\u{80}theora".utf8), [], "ogv"),
      (packets, ["mp4"], "ts"), ([0, 0, 0, 1] + packets, ["ts"], "ts"),
      ([0, 0, 0, 1, 0x47] + [UInt8](repeating: 0, count: 191) + [0x47], [], "m2ts"),
      ([0xFF, 0xFB, 0x90], [], "mp3"), ([0xFF, 0xF1, 0x50], [], "aac"), ([0xFF, 0xFB, 0x90], ["ogg"], "ogg"),
      ([0x0B, 0x77], [], "ac3"), ([0xFF, 0xD8], [], "mp4"),
    ]
    for (start, declared, expected) in rows {
      #expect(DownloadExtension.of(start: start, declared: declared) == expected)
    }
  }

  @Test(arguments: [
    ("video/mp4", "https://a.example/get?file=film.webm", "mp4"), ("", "https://a.example/get?file=film.webm", "webm"),
    ("application/octet-stream", "https://a.example/get.php?x=1.php&f=dir%2Ffilm.MKV&y=a.avi", "mkv"),
    ("", "https://a.example/film.avi?file=x.mkv", "avi"), ("video/MP2T; x=y", "https://a.example/", "ts"),
    ("audio/mp3", "https://a.example/", "mp3"),
  ])
  func `the type comes before the path, and the path before the query`(type: String, address: String, expected: String)
    throws
  {
    let address = try #require(WebAddress(address))
    #expect(DownloadExtension.declared(contentType: type, address).first == expected)
  }

  @Test func `random headers and starts have an extension of media`() {
    var random = SeededGenerator(seed: 5)
    let words = [
      "filename", "*", "=", "\"", ";", "'", "UTF-8", "%2E", ".mkv", "?", "=?", "B", " ", "\\", "é", ",", "0",
    ]
    for _ in 0..<2_000 {
      let header = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        words[Int.random(in: 0..<words.count, using: &random)]
      }.joined()
      let declared = DownloadExtension.ContentDisposition.names(in: header).compactMap(DownloadExtension.ofMedia)
      let start = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let name = DownloadExtension.of(start: start, declared: declared)
      #expect(FileExtension.isMedia(name) && declared.allSatisfy(FileExtension.isMedia))
    }
  }
}
