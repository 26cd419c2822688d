import ArgumentParser
import FeedfallFeeds
import FeedfallMedia
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText

struct VideoArguments: ParsableArguments {
  static let discussion = """
    An ID is the recordID that feedfall list --json, queue --json and history --json print. An address names \
    the loaded video that has it, if there is one. With -, lines are read from standard input: addresses, IDs, or the \
    lines that feedfall list, find, queue and history print.
    """

  @Argument(help: ArgumentHelp("The IDs or addresses of videos, or -.", valueName: "id"))
  var ids: [String] = []

  /// In bytes.
  private static let maximumInputLength = 64 << 20
  /// Further faults of one kind are only counted.
  static let maximumFaultCount = 20

  func requireIDs() throws {
    if ids.isEmpty { throw ValidationError("Missing expected argument. Write the IDs of videos, or -.") }
  }

  func named(in records: UserData) throws(FeedFailure) -> [VideoFinder.Named] {
    var finder = VideoFinder(records: records)
    for id in ids {
      guard id == "-" else {
        finder.add(id, isArgument: true)
        continue
      }
      let bytes: [UInt8]
      do { bytes = try Files.bytes(ofArgument: "-", limit: Self.maximumInputLength) } catch {
        throw FeedFailure(.permanent, "standard input could not be read", advice: "pass at most 64 MB")
      }
      for line in bytes.split(whereSeparator: { [0x0A, 0x0D].contains($0) }) { finder.add(line: Array(line)) }
    }
    return finder.videos
  }
}

/// Finds videos by the user's records, by the videos that were ever loaded, or else by an address alone.
struct VideoFinder {
  struct Named {
    /// For messages.
    var text: String
    /// Rather than a line of standard input.
    var isArgument: Bool
    var key: VideoKey?
    var video: Video?
    /// Whether it has a record, or was loaded before.
    var isKnown = false
    /// The position at which its address says that it starts, in seconds.
    var startSeconds: Int?

    fileprivate init(_ text: String, isArgument: Bool) {
      self.text = cleanedLine(text.hidingPassword, limit: 80)
      self.isArgument = isArgument
    }
  }

  private var records: UserData
  private let index: VideoIndex
  private let downloads: [DownloadRequest]
  private var found: [Named] = []
  /// The addresses to find together: the place in `found`, and the video to use if no known one has the address.
  private var addresses: [(place: Int, address: WebAddress, alone: Video)] = []

  init(records: UserData, index: VideoIndex = .ofUser(executor: Worker())) {
    (self.records, self.index) = (records, index)
    let loaded = DownloadList.ofUser().load()
    downloads = loaded.requests
    self.records.mark(loaded.states)
  }

  /// The original of a downloaded copy, or else the video itself.
  private func described(_ video: Video) -> Video? {
    guard let key = records.original(of: video) else { return video }
    return index.video(withKey: key)?.video ?? downloads.first { $0.key == key }?.video
  }

  /// - Parameter line: an object of `list --json`, the columns of `list`, or what an argument may be.
  mutating func add(line: [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    if let listed = StoredVideo.listed(line) {
      var name = Named(text, isArgument: false)
      (name.key, name.video) = (listed.key, described(listed.video))
      found.append(name)
      return
    }
    // An object that is no video, such as a list.
    guard JSONObject(document: line) == nil else { return found.append(Named(text, isArgument: false)) }
    // The title, the length, the channel and the address.
    let columns = text.split(separator: "\t", omittingEmptySubsequences: false)
    guard columns.count == 4 else { return add(text, isArgument: false) }
    guard !columns[3].isEmpty else { return found.append(Named(String(columns[0]), isArgument: false)) }
    add(String(columns[3]), isArgument: false) { video in
      video.title = cleanedLine(String(columns[0])).nonEmpty ?? video.title
      video.channel = cleanedLine(String(columns[2])).nonEmpty
    }
  }

  /// - Parameter complete: adds facts to a video that is known only by its address.
  mutating func add(_ text: String, isArgument: Bool, complete: (inout Video) -> Void = { _ in }) {
    var name = Named(text, isArgument: isArgument)
    defer { found.append(name) }
    let text = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    let lasting = text.lastingAddress
    name.startSeconds = FeedSources.startSeconds(text)
    let key = VideoKey(text: lasting)
    guard key.isValid else { return }
    if records.hasRecord(of: key) {
      (name.key, name.isKnown) = (key, true)
    } else if let known = index.video(withKey: key)?.video {
      (name.key, name.video, name.isKnown) = (records.key(of: known), known, true)
    } else if !lasting.contains(" ") || lasting.hasPrefix("/"), var video = SingleVideo.video(named: lasting) {
      complete(&video)
      if let address = video.playbackURL?.web {
        addresses.append((found.count, address, video))
      } else {
        (name.key, name.video) = (records.key(of: video), described(video))
      }
    } else if key.isUnique {
      name.key = key
    }
  }

  /// The known video of an address and the source that has listed it, whatever was added; nil if there is none.
  func known(_ address: String) -> (key: VideoKey, video: Video?, source: String?)? {
    var finder = self
    (finder.found, finder.addresses) = ([], [])
    finder.add(address, isArgument: true)
    return finder.videos.first.flatMap { name in
      name.isKnown ? name.key.map { ($0, name.video, index.video(withKey: $0)?.source) } : nil
    }
  }

  var videos: [Named] {
    guard !addresses.isEmpty else { return found }
    let texts = Set(addresses.map(\.address.forStorage.text))
    let recorded = records.keys(withAddresses: texts)
    let loaded = index.videos(withAddresses: texts.subtracting(recorded.keys))
    var videos = found
    for (place, address, alone) in addresses {
      let text = address.forStorage.text
      if let key = recorded[text] {
        (videos[place].key, videos[place].isKnown) = (key, true)
      } else {
        let video = loaded[text]?.video ?? alone
        let key = records.key(of: video)
        (videos[place].key, videos[place].video) = key.isValid ? (key, video) : (nil, nil)
        videos[place].isKnown = loaded[text] != nil
      }
    }
    return videos
  }
}
