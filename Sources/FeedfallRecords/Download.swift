import FeedfallFeeds
import FeedfallText

/// The quality that the user has chosen for one download.
public enum DownloadQuality: Equatable, Sendable {
  case audio
  /// In pixels, at most.
  case height(Int)

  private static let heights = 100...10_000

  /// Parses `audio` or a height such as `720p`.
  public init?(_ text: String) {
    let text = text.lowercased()
    if text == "audio" {
      self = .audio
    } else {
      let digits = text.hasSuffix("p") ? text.dropLast() : text[...]
      guard digits.utf8.allSatisfy(\.isASCIIDigit), let height = Int(digits), Self.heights.contains(height) else {
        return nil
      }
      self = .height(height)
    }
  }

  public var text: String {
    switch self {
    case .audio: "audio"
    case .height(let height): "\(height)p"
    }
  }
}

/// A video to download, with the addresses at which to try it.
public struct DownloadRequest: Equatable, Sendable {
  public var key: VideoKey
  public var title: String
  /// In the order in which to try them; never empty.
  public var addresses: [DownloadAddress]
  /// The picture to store beside the file.
  public var cover: WebAddress?
  /// The name or the address of the source, without a password, by which its authorization is found.
  public var source: String?
  /// In seconds, as the feed states it.
  public var duration: Int?
  /// The size in bytes, as the feed states it; nil if it has several files.
  public var byteCount: Int?
  /// Nil for the usual one.
  public var quality: DownloadQuality?
  /// Whether the user has allowed redirects from https to http, which the list does not store.
  public var allowsHTTP = false

  package static let maximumAddressCount = 8

  /// The reason why a video cannot be downloaded.
  public enum Obstacle: Error, Equatable, Sendable {
    case isLive
    case isLocal
    case noAddress
    /// The source offers nothing in this quality.
    case noChoice(DownloadQuality)
  }

  package init(
    key: VideoKey, title: String, addresses: [DownloadAddress], cover: WebAddress?, source: String? = nil
  ) {
    (self.key, self.title, self.addresses, self.cover) = (key, title, addresses, cover)
    self.source = source
  }

  /// Selects the addresses of a video: whole films before extracts, pictures before sound, files before lists of
  /// streams before pages, and the nearest to the height first.
  ///
  /// - Parameters:
  ///   - addresses: nil for those of the video.
  ///   - maximumHeight: in pixels; nil for the first one that the feed names.
  public init(
    _ video: Video, _ addresses: [DownloadAddress]? = nil, key: VideoKey, source: String? = nil,
    maximumHeight: Int? = nil, quality: DownloadQuality? = nil
  ) throws(Obstacle) {
    if video.live != nil, video.live != .ended { throw .isLive }
    var all = addresses ?? DownloadAddress.all(of: video)
    guard !all.isEmpty else { throw video.playbackURL?.file == nil ? .noAddress : .isLocal }
    var maximumHeight = maximumHeight
    if let quality, !(quality == .audio && video.flags.contains(.audioOnly)) {
      all = quality.choice(among: all)
      guard !all.isEmpty else { throw .noChoice(quality) }
      if case .height(let height) = quality { maximumHeight = height }
    }
    let language = FileTraits.language(of: all.map(\.traits))
    let ranks = all.enumerated().map { offset, address in
      let traits = address.traits
      let group = traits.group(preferring: language)
      return (group, address.kind.rank, traits.distance(from: maximumHeight), offset)
    }
    self.init(
      key: key, title: video.title,
      addresses: ranks.sorted { $0 < $1 }.prefix(Self.maximumAddressCount).map { all[$0.3] },
      cover: video.coverAddress?.web, source: source)
    duration = video.duration?.seconds
    byteCount = all.count == 1 && quality == nil ? video.byteCount : nil
    self.quality = quality
  }

  /// The request for the same video in another quality, with the source, the headers and the authorization of this one,
  /// which the stored facts of the video lack.
  public func inQuality(
    _ quality: DownloadQuality?, of video: Video, maximumHeight: Int? = nil
  ) throws(Obstacle) -> DownloadRequest {
    var request = self
    request.quality = quality
    if awaitedDetails != nil { return request }
    var all = addresses
    for known in DownloadAddress.all(of: video) {
      if let index = all.firstIndex(where: { $0.address.forStorage == known.address.forStorage }) {
        all[index].traits.merge(known.traits)
      } else {
        all.append(known.adopting(addresses.first { $0.address.hasSameOrigin(as: known.address) }))
      }
    }
    request = try DownloadRequest(
      video, all, key: key, source: source, maximumHeight: maximumHeight, quality: quality)
    request.cover = request.cover ?? cover
    return request
  }
}

extension DownloadQuality {
  /// The addresses that offer the quality: files of it, or else pages and lists of streams, from which a program
  /// chooses.
  fileprivate func choice(among all: [DownloadAddress]) -> [DownloadAddress] {
    let (files, others) = (all.filter { $0.kind == .file }, all.filter { $0.kind != .file })
    let chosen: [DownloadAddress]
    switch self {
    case .audio: chosen = files.filter(\.traits.isSound)
    case .height(let height):
      let pictures = files.filter { !$0.traits.isSound && $0.traits.height != nil }
      let heights = Set(pictures.compactMap(\.traits.height))
      chosen = heights.count > 1 || heights.contains(height) ? pictures : []
    }
    return chosen.isEmpty ? others : chosen
  }
}

extension DownloadRequest {
  /// Creates a request that waits for the addresses of a video; nil if no request for its details can find them.
  public init?(awaiting video: Video, key: VideoKey, source: String? = nil, quality: DownloadQuality? = nil) {
    guard let details = video.detailsURL else { return nil }
    self.init(
      key: key, title: video.title, addresses: [DownloadAddress(.details, details)], cover: video.coverAddress?.web,
      source: source)
    self.quality = quality
  }

  /// Whether nothing can be downloaded before the source has named the addresses of the video.
  public var awaitsAddress: Bool { awaitedDetails != nil || addresses.contains(where: \.lacksSecret) }

  /// The video with the facts of the request. Only its source can request its details.
  public var video: Video {
    let pages = addresses.filter { $0.kind == .page }.map(\.address)
    let files = addresses.filter { [.file, .stream].contains($0.kind) }.map { MediaFile($0) }
    var video = Video(id: key.text, title: title, playback: pages.first.map(Playback.page) ?? .unknown)
    if !files.isEmpty { video.playback = .direct(files) }
    video.pageURL = pages.first
    video.duration = duration.flatMap { VideoDuration(seconds: Double($0)) }
    video.covers = cover.map { [Cover(url: .web($0))] } ?? []
    return video
  }

  private var awaitedDetails: WebAddress? { addresses.first.flatMap { $0.kind == .details ? $0.address : nil } }

  /// The video whose details are awaited; nil if its source has to list it.
  public var awaitedVideo: Video? {
    awaitedDetails.map { Video(id: key.text, title: title, playback: .details($0, page: nil)) }
  }
}

/// An address from which a video may be downloaded.
public struct DownloadAddress: Equatable, Sendable {
  /// In the order in which addresses are tried.
  public enum Kind: String, CaseIterable, Sendable {
    case file
    /// A list of HLS or DASH.
    case stream
    /// A page in which yt-dlp finds the video.
    case page
    /// The details of the video, which name its addresses. Its source requests them.
    case details

    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  public var kind: Kind
  public var address: WebAddress
  public var headers: RequestHeaders?
  package var traits: FileTraits
  /// In pixels; 0 means that there is only audio.
  public var height: Int? {
    get { traits.height }
    set { traits.height = newValue }
  }
  /// Whether the list has omitted the authorization of the source.
  package var lacksLogin = false
  /// Whether the list has omitted a secret of the address, which only the page of its source has.
  package var lacksSecret = false

  public init(_ kind: Kind, _ address: WebAddress, headers: RequestHeaders? = nil, height: Int? = nil) {
    let mediaKind: MediaKind =
      switch kind {
      case .file: MediaKind(type: nil, address: .web(address))
      case .stream: .stream
      case .page, .details: .player
      }
    self.init(kind, address, headers: headers, FileTraits(kind: mediaKind, height: height))
  }

  private init(_ kind: Kind, _ address: WebAddress, headers: RequestHeaders?, _ traits: FileTraits) {
    (self.kind, self.address, self.headers, self.traits) = (kind, address, headers, traits)
  }

  package var needsLogin: Bool { lacksLogin || headers?.authorization != nil }

  fileprivate func adopting(_ other: DownloadAddress?) -> DownloadAddress {
    var address = self
    address.headers = headers ?? other?.headers
    address.lacksLogin = lacksLogin || other?.needsLogin == true
    return address
  }

  fileprivate static func all(of video: Video) -> [DownloadAddress] {
    switch video.playback {
    case .direct(let files): files.compactMap { DownloadAddress($0, in: video.language) }
    case .page(let page), .details(_, let page?): [DownloadAddress(.page, page)]
    case .list: []
    case .details(_, nil), .unknown: video.players.map { DownloadAddress(.page, $0) }
    }
  }

  private init?(_ file: MediaFile, in language: String?) {
    guard let address = file.url.web else { return nil }
    let traits = file.traits(in: language)
    self.init(traits.kind == .stream ? .stream : .file, address, headers: file.headers, traits)
  }
}

extension MediaFile {
  fileprivate init(_ address: DownloadAddress) {
    self.init(url: .web(address.address), address.traits)
    headers = address.headers
  }
}

/// The downloaded part of a video.
public struct DownloadProgress: Equatable, Sendable {
  public var byteCount: Int
  /// Nil if the server does not state it.
  public var totalByteCount: Int?
  /// Why the last attempt failed, until the next one gets data.
  public var interruption: String?

  public init(byteCount: Int, totalByteCount: Int? = nil, interruption: String? = nil) {
    (self.byteCount, self.totalByteCount) = (byteCount, totalByteCount)
    self.interruption = interruption
  }

  /// The downloaded share in percent, less than 100.
  public var percent: Int? {
    guard let total = totalByteCount, total > 0 else { return nil }
    return min(99, Int(Double(max(0, byteCount)) / Double(total) * 100))
  }
}

/// The state of a download.
public enum DownloadState: Equatable, Sendable {
  case waiting
  /// It waits until this failure is over, which is not one of its address.
  case stalled(FeedFailure)
  case running(DownloadProgress)
  case done(DownloadedFile)
  case failed(FeedFailure)

  public var file: DownloadedFile? { if case .done(let file) = self { file } else { nil } }

  /// Whether data has arrived from a server.
  public var isArriving: Bool {
    switch self {
    case .running(let progress): progress.byteCount > 0 && progress.interruption == nil
    case .done: true
    case .waiting, .stalled, .failed: false
    }
  }
}

extension UserData {
  /// Adds the downloads of this device, in the order of the list.
  public mutating func mark(_ downloads: [VideoKey: DownloadState], inOrderOf order: [VideoKey] = []) {
    let places = Dictionary(zip(order, 1...)) { first, _ in first }
    for (key, state) in downloads { setDownload(state, of: key, place: places[key] ?? 0) }
  }
}

/// A downloaded video.
public struct DownloadedFile: Equatable, Sendable {
  public var address: FileAddress
  public var byteCount: Int
  public var time: UnixTime
  /// Whether it may be only the beginning of the video.
  public var mayBeIncomplete: Bool

  public init(address: FileAddress, byteCount: Int, time: UnixTime, mayBeIncomplete: Bool = false) {
    (self.address, self.byteCount, self.time) = (address, byteCount, time)
    self.mayBeIncomplete = mayBeIncomplete
  }
}
