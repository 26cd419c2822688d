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

  static let files: [Case] = []

  static let pages: [Case] = []

  static let loads: [Case] = []

  static let candidates: [Case] = [
    Case("the counter at the start of a text is not the cover, and its photo is") {
      try CandidateCases.expect(
        ["photo.jpg"], inText: "<img src='/stat?event=view' width=1 height=1><p><img src='photo.jpg' alt='a > b'></p>")
    },
    Case("an emoji before the photo of a text is not the cover") {
      let emoji = "<img src='https://s.w.org/images/core/emoji/14.0.0/72x72/1f600.png' class='wp-smiley' alt='x'>"
      try CandidateCases.expect(["photo.jpg"], inText: emoji + "<img src='photo.jpg'>")
      try CandidateCases.expect([], inText: emoji)
    },
    Case("a lazily loaded photo has the address that its script uses") {
      try CandidateCases.expect(
        ["b.jpg"], inText: "<img src='data:image/svg+xml,%3Csvg%3E' data-lazy-src='b.jpg' class='lazyload'>")
    },
    Case("of a set of photos, one of at least 640 pixels is the cover") {
      try CandidateCases.expect(
        ["w_848,c_limit/b.jpg"],
        inText: "<img src='/dot.gif' srcset='w_424,c_limit/b.jpg 424w, w_848,c_limit/b.jpg 848w, w_1456/b.jpg 1456w'>")
    },
    Case("a picture element in a format that is not decoded has its fallback as the cover") {
      try CandidateCases.expect(
        ["b.jpg"],
        inText: "<picture><source type='image/avif' srcset='b.avif 640w'><img src='b.jpg' loading=lazy></picture>")
    },
    Case("a portrait of the author comes after the photo of the text") {
      try CandidateCases.expect(
        ["photo.jpg", "avatars/1.png"], inText: "<img src='/avatars/1.png' width=96 height=96><img src='photo.jpg'>")
    },
    Case("a text with a thousand pictures gives three covers") {
      let pictures = (0..<1_000).map { "<img src='\($0).jpg'>" }.joined()
      try CandidateCases.expect(["0.jpg", "1.jpg", "2.jpg"], inText: pictures)
    },
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

  static let pictures: [Case] = []
}
