import FeedfallText

@testable import FeedfallFeeds

// Documents of all formats, from the web, from files and from programs.

extension FuzzTarget {
  /// A document of any format has clean videos or a clean failure.
  static func feed(_ bytes: [UInt8]) {
    do {
      check(try FeedDecoder.decode(bytes, from: base))
    } catch {
      check(error)
    }
  }

  static func details(_ bytes: [UInt8]) {
    var video = Video(id: "1", title: "One", playback: .details(base, page: nil))
    video.pageURL = base
    for address in [base] + services {
      guard let completed = try? FeedDecoder.decodeDetails(bytes, completing: video, from: address) else { continue }
      check(completed)
      expect(completed.id == video.id, "details changed the id")
      expect(completed.pageURL != nil, "details removed the page")
    }
    checkLine(ProblemDetails.summary(bytes))
    _ = FeedDecoder.isPeerTubeConfig(bytes)
  }

  /// An object as the answer of each service, and as an item of each.
  static func answers(_ bytes: [UInt8]) {
    guard let object = JSONObject(document: bytes) else { return }
    for service in Service.all {
      var shared = SharedTexts()
      service.decode(object, from: .web(base), &shared)?.forEach(check)
    }
    for address in services.map(Optional.some) + [nil] {
      guard let answer = Service.answer(object, from: address) else { continue }
      answer.videos.forEach(check)
      checkLine(answer.title)
      checkAddress(answer.nextPage?.address)
      answer.parts.forEach(checkAddress)
      if let failure = answer.failure { check(failure) }
      expect(answer.videos.isEmpty || answer.failure == nil, "videos and a failure")
    }
  }

  /// A document of which some videos are read at a time, their number is its first byte, has the videos of the whole.
  static func pieces(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let body = Array(bytes.dropFirst())
    let (parts, all) = (videos(body, .web(base), by: Int(first) + 1), videos(body, .web(base), by: .max))
    expect(parts == all, "\(parts.count) videos in pieces, \(all.count) as a whole")
  }

  private static func videos(_ body: [UInt8], _ address: MediaAddress?, by count: Int = 7) -> [Video] {
    var reader = FeedDocumentReader(body, from: address)
    var all: [Video] = []
    while let more = try? reader.nextVideos(count), !more.isEmpty { all += more }
    return all
  }

  /// Only a local document may refer to files.
  static func references(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let folder = "/films/"
    for spelling in [MediaAddress.Spelling.address, .path] {
      for document in [.web(base), nil] as [MediaAddress?] {
        let address = MediaAddress(reference: text, in: document, spelling)
        expect(address?.file == nil, "a reference from the web to a file: \(address?.text ?? "")")
        checkAddress(address?.web)
      }
      guard let list = FileAddress(path: (folder + "list.m3u").utf8) else { return }
      let named = MediaAddress(reference: text, in: .file(list), spelling)
      checkAddress(named?.web)
      guard let file = named?.file else { continue }
      expect(
        file.text.hasPrefix("file:///") && file.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "unclean: \(file)")
      expect(FileAddress(path: file.path) == file, "a file address that changes when parsed again: \(file)")
    }
    for document in [.web(base), nil] as [MediaAddress?] { videos(bytes, document).forEach(check) }
  }

  /// The output of yt-dlp and ffprobe.
  static func programs(_ bytes: [UInt8]) {
    if let list = FeedDecoder.decodeYtDlp(bytes) {
      for part in [list] + list.lists {
        part.videos.forEach(check)
        checkLine(part.title)
        checkAddress(part.address)
        expect(part.lists.count + part.videos.count + part.skippedCount == part.entryCount, "entries were lost")
        expect(part.total ?? 0 >= 0, "a negative total")
      }
    }
    let video = Video(id: "1", title: "One", playback: .page(base))
    if let facts = try? FileFacts(bytes) { check(facts.completing(video)) }
  }

  /// A list of feeds has the same addresses after it is written.
  static func subscriptions(_ bytes: [UInt8]) {
    guard let list = try? SubscriptionList(document: bytes) else { return }
    for feed in list.feeds {
      checkLine(feed.name)
      checkAddress(feed.address)
    }
    expect(Set(list.feeds.map(\.address)).count == list.feeds.count, "a duplicate address")
    guard let again = try? SubscriptionList(opml: Array(list.opml.utf8)) else {
      return expect(false, "the written list is not OPML")
    }
    let isUsual = list.feeds.allSatisfy { cleanedLine($0.address.text, limit: 8_192) == $0.address.text }
    // Feeds with tags follow the others, in their folders.
    let isSame = Set(again.feeds.map(\.address)) == Set(list.feeds.map(\.address))
    expect(!isUsual || isSame, "the feeds differ when read back")
  }

  static func links(_ bytes: [UInt8]) {
    let header = String(decoding: bytes, as: UTF8.self)
    for relation in ["next", "prev-archive"] {
      for address in [base, nil] { checkAddress(LinkHeader.target(of: relation, in: header, from: address)) }
    }
  }

  static func html(_ bytes: [UInt8]) {
    for address in FeedLinks.alternates(inHTML: bytes, from: base) { checkAddress(address) }
    if HTMLPage.isStarted(by: bytes) { check(FeedFailure.webPage(bytes)) }
  }

  static func encodings(_ bytes: [UInt8]) {
    for charset in [nil, "windows-1252", "shift_jis", "utf-7", "iso-2022-jp"] {
      let text = DocumentText.utf8Bytes(bytes, charset: charset)
      expect(String(validating: text, as: UTF8.self) != nil, "the converted text is not valid UTF-8")
    }
  }
}
