import TestSupport
import Testing

/// What servers, files and pictures of the world look like, each as a check by name. The helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct ServerCaseTable {
  @Test(arguments: connections) func `redirects, names and slow lines`(_ row: Case) async throws {
    try await row.check()
  }
  @Test(arguments: bodies) func `bodies and names of downloads`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: files) func `files and paths`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pages) func `pages and streams`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: loads) func `loading of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: candidates) func `choice of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pictures) func `decoding of pictures`(_ row: Case) async throws { try await row.check() }

  static let connections: [Case] = []

  static let bodies: [Case] = []

  static let files: [Case] = [
    Case("paths that VLC has encoded name the files that exist, and names with %20 stay names") {
      try await FileCases.expect(
        "my%20film.mp4", "a%20b.mp4", "sub%20dir/%C3%A4.mp4", "100%.mp4",
        with: ["my film.mp4", "a%20b.mp4", "sub dir/ä.mp4", "100%.mp4"],
        are: ["my film.mp4", "a%20b.mp4", "sub dir/ä.mp4", "100%.mp4"])
    },
    Case("where both readings exist, the name is the one that is written") {
      try await FileCases.expect("a%20b.mp4", with: ["a b.mp4", "a%20b.mp4"], are: ["a%20b.mp4"])
      try await FileCases.expect("file:ROOT/a%20b.mp4", with: ["a b.mp4", "a%20b.mp4"], are: ["a b.mp4"])
    },
    Case("the file addresses of all programs name the same file") {
      try await FileCases.expect(
        "#EXTINF:1,1", "file:ROOT/a%20b.mp4", "#EXTINF:1,2", "file://ROOT/a%20b.mp4", "#EXTINF:1,3",
        "FILE://LocalHostROOT/a b.mp4", with: ["a b.mp4"],
        are: ["a b.mp4", "a b.mp4", "a b.mp4"])
    },
    Case("a list of Windows with relative paths names files, one with drives or servers does not") {
      try await FileCases.expect(
        #"sub dir\my film.mp4"#, #".\sub dir/my film.mp4"#, #"C:\film.mp4"#, #"\\nas\film.mp4"#, "D:/film.mp4",
        with: ["sub dir/my film.mp4"], are: ["sub dir/my film.mp4", "./sub dir/my film.mp4"])
    },
    Case("a file whose name has a backslash is still found") {
      try await FileCases.expect(#"a\b.mp4"#, with: [#"a\b.mp4"#], are: [#"a\b.mp4"#])
    },
    Case("a percent sign in the folder of a playlist is part of its name") {
      try await FileCases.expect(
        "a%20b.mp4", "ROOT/c.mp4", with: ["a b.mp4", "c.mp4"], in: "/100%25 live", are: ["a b.mp4", "c.mp4"])
    },
    Case("encoded paths on standard input are relative to the current folder") {
      try await FileCases.expect("a%20b.mp4", with: ["a b.mp4"], input: true, are: ["a b.mp4"])
    },
    Case("an encoded slash separates folders if no file has that name") {
      try await FileCases.expect(
        "sub%2Fa.mp4", "%2E%2E/x.mp4", with: ["sub/a.mp4"], are: ["sub/a.mp4", "%2E%2E/x.mp4"])
    },
    Case("a plus is a plus, and encoded zeros and breaks are harmless") {
      try await FileCases.expect(
        "a+b%20c.mp4", "a%00b.mp4", "a%0Ab.mp4", with: ["a+b c.mp4", "a\nb.mp4"],
        are: ["a+b c.mp4", "a%00b.mp4", "a\nb.mp4"])
    },
    Case("an entry of an encoded list has the record of its file", FileCases.sameIDs),
    Case("a file address of another spelling goes into the queue", FileCases.queued),
    Case("no spelling lets a document from a server name a file", FileCases.serverNamesNoFile),
    Case("a recorded web radio without an extension is a sound") {
      try await FileCases.expectCard("radio", FileCases.radio)
    },
    Case("a clip of a camera is a video, whatever its name") {
      try await FileCases.expectCard("00001", FileCases.camera)
    },
    Case("a sound that begins in the middle of a frame is one by its name") {
      try await FileCases.expectCard("cut.mp3", Array(FileCases.radio.dropFirst(100)))
      try await FileCases.expectRefusal("cut.bin", Array(FileCases.radio.dropFirst(100)))
    },
    Case("a text with the name of a film says that it is none") {
      try await FileCases.expectRefusal("film.mp4", Array("404 Not Found".utf8))
    },
    Case("a folder of TypeScript has no videos, but recordings in it are shown", FileCases.folderOfCode),
    Case("the pixels of DVDs, cameras and phones are square before the picture is turned", FileCases.squarePixels),
    Case("absurd numbers of ffprobe are read to their end", FileCases.absurdProbe),
  ]

  static let pages: [Case] = []

  static let loads: [Case] = []

  static let candidates: [Case] = []

  static let pictures: [Case] = []
}
