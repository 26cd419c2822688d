import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

extension Browsing {
  /// - Parameter quality: nil for the quality of the failed attempt, or else the default.
  mutating func download(_ quality: DownloadQuality? = nil) -> [AppEffect] {
    downloadSeveral(quality) ?? selectedCard.map { download($0, quality) } ?? []
  }

  mutating func download(_ card: Card, _ quality: DownloadQuality?) -> [AppEffect] {
    switch downloads[card.key] {
    case .done(let file): toast.show(words.alreadyDownloaded(file))
    case .waiting where downloadWait(of: card).map { $0 != .address } == true:
      toast.show(Words.sentence(words.downloadState(.waiting, waitingFor: downloadWait(of: card)) ?? ""))
    case .waiting, .running: toast.show(words.isDownloading(card.video.title))
    case .stalled, .failed, nil:
      let quality = quality ?? downloads.request(of: card.key)?.quality
      return isAddressMissing(in: card) ? awaitDownload(of: card, quality) : startDownload(of: card, quality)
    }
    return []
  }

  private mutating func awaitDownload(of card: Card, _ quality: DownloadQuality?) -> [AppEffect] {
    let request = DownloadRequest(
      awaiting: card.listed, key: card.key, source: library[card.source].settings.storedName, quality: quality)
    setDownload(.waiting, of: card.key, request: request)
    return requestAddress(of: card, .download(quality)) + (request.map { [.download($0)] } ?? [])
  }

  /// Continues downloads of earlier sessions whose videos the page lists, or whose details its server has.
  mutating func requestAwaitedDownloads(of arrival: PageArrival) -> [AppEffect] {
    guard !awaitedDownloads.isEmpty else { return [] }
    let source = library[arrival.source]
    let host = WebAddress(typed: source.settings.address)?.host
    let listed = Dictionary(source.slots.map { (library.store[$0].key, library.store[$0]) }) { first, _ in first }
    let names = Set(library.sources.compactMap(\.settings.storedName))
    var found: [(card: Card, quality: DownloadQuality?)] = []
    awaitedDownloads.removeAll { request in
      // The secrets in a cached page may have expired.
      if request.awaitedVideo == nil, arrival.purpose == .cached { return false }
      // A request without a source, or whose source has another name now, is found by its server.
      let name = request.source.flatMap { names.contains($0) ? $0 : nil }
      let video = request.awaitedVideo.flatMap { video in
        (name.map { $0 == source.settings.storedName } ?? (video.detailsURL?.host == host)) ? video : nil
      }
      let card = listed[request.key] ?? video.map { Card(video: $0, source: arrival.source, key: request.key) }
      found += card.map { [($0, request.quality)] } ?? []
      return card != nil
    }
    return found.flatMap { card, quality in
      isAddressMissing(in: card) ? requestDetails(of: card, .download(quality)) : startDownload(of: card, quality)
    }
  }

  mutating func startDownload(of card: Card, _ quality: DownloadQuality?) -> [AppEffect] {
    do throws(DownloadRequest.Obstacle) {
      var request = try request(for: card, quality)
      request.allowsHTTP = keysAllowingHTTP.contains(card.key)
      setDownload(.waiting, of: card.key, request: request)
      toast.show(words.downloadStarted(request))
      return [.download(request)]
    } catch {
      toast.show(words.text(error, card.video.title))
      // An earlier attempt stays, also without this quality.
      guard downloads[card.key] == .waiting else { return [] }
      if let earlier = downloads.replacedRequest(of: card.key) {
        setDownload(.waiting, of: card.key, request: earlier)
        awaitedDownloads.removeAll { $0.key == card.key }
        if earlier.awaitsAddress { awaitedDownloads.append(earlier) }
        return [.download(earlier)]
      }
      // It was waiting for its address.
      setDownload(nil, of: card.key)
      return [.removeDownload(card.key)]
    }
  }

  /// A card of the records has no source: its download is repeated as requested, apart from the quality.
  private func request(
    for card: Card, _ quality: DownloadQuality?
  ) throws(DownloadRequest.Obstacle) -> DownloadRequest {
    if card.source == .records, let earlier = downloads.request(of: card.key) {
      return earlier.quality == quality
        ? earlier : try earlier.inQuality(quality, of: card.video, maximumHeight: maximumVideoHeight)
    }
    return try DownloadRequest(
      card.video, key: card.key, source: library[card.source].settings.storedName, maximumHeight: maximumVideoHeight,
      quality: quality)
  }

  mutating func removeDownload() -> [AppEffect] {
    if let effects = removeSeveralDownloads() { return effects }
    guard let card = selectedCard else { return [] }
    let state = downloads[card.key]
    guard state != nil, downloads.confirmsRemoval(of: [card.key]) else {
      return show(state.map { words.confirmRemoval($0, card.video.title) } ?? words.nothingToRemove)
    }
    return removeDownload(of: card.key)
  }

  mutating func removeDownload(of key: VideoKey) -> [AppEffect] {
    awaitedDownloads.removeAll { $0.key == key }
    removeFailedDownload(of: key)
    // Also cancels the request for its address.
    let withdrawn = library.withdrawDetails(.download(nil)) { $0.key == key }
    return withdrawn + [.removeDownload(key)]
  }

  /// Nil removes the download.
  mutating func setDownload(_ state: DownloadState?, of key: VideoKey, request: DownloadRequest? = nil) {
    downloads.set(state, of: key, request: request)
    let (before, place) = (library.store.userData[key], downloads.place(of: key))
    guard before.downloaded != state?.file?.time || before.download != place else { return }
    library.store.userData.setDownload(state, of: key, place: place)
    let after = library.store.userData[key]
    tabs.invalidate(VideoStates(before).symmetricDifference(VideoStates(after)))
    guard state?.file != nil, library.store.assignKeysOfDownloadedVideos() else { return }
    tabs.invalidateAll()
    library.marksChanged(of: [key])
  }

  /// Returns the question whether the failed download may leave https.
  mutating func updateDownload(of key: VideoKey, _ state: DownloadState?) -> RedirectQuestion? {
    let before = downloads[key]
    let title = downloadTitle(of: key)
    setDownload(state, of: key)
    switch state {
    case .done(let file): toast.show(words.downloaded(title, file))
    case .stalled(let failure):
      if downloads.recordReason(failure.reason, of: key) { toast.show(words.downloadStalled(failure, title)) }
    case .failed(let failure):
      if let question = RedirectQuestion(key, title, failure) { return question }
      toast.show(words.downloadFailed(failure, title))
    case .running: if state?.isArriving == true { downloads.progressed(key) }
    case .waiting: break
    case nil: if before != nil { toast.show(Words.downloadRemoved(title)) }
    }
    return nil
  }

  mutating func allowHTTP(of key: VideoKey) -> [AppEffect] {
    guard case .failed? = downloads[key], var request = downloads.request(of: key) else { return [] }
    keysAllowingHTTP.insert(key)
    request.allowsHTTP = true
    setDownload(.waiting, of: key, request: request)
    toast.show(words.downloadStarted(request))
    return [.download(request)]
  }

  mutating func downloadRemovalFailed(_ key: VideoKey, _ failure: FeedFailure) {
    toast.show(Words.removalFailed(failure, downloadTitle(of: key)))
  }

  private func downloadTitle(of key: VideoKey) -> String {
    library.store.card(ofKey: key)?.video.title ?? downloads.request(of: key)?.title ?? key.text
  }

  /// Their video files have disappeared.
  mutating func forgetDownloads(_ keys: [VideoKey]) {
    for key in keys where downloads[key]?.file != nil { setDownload(nil, of: key) }
  }

  enum DownloadWait: Equatable, Sendable {
    case address
    /// By the name of the source.
    case listing(source: String?)
  }

  func downloadWait(of card: Card) -> DownloadWait? {
    if library[card.source].details.isPending(for: card.id) { return .address }
    guard case .waiting? = downloads[card.key], let request = downloads.request(of: card.key), request.awaitsAddress,
      card.source == .records || awaitedDownloads.contains(where: { $0.key == card.key })
    else { return nil }
    return .listing(source: request.source)
  }

  func isDownloaded(_ card: Card) -> Bool { downloads[card.key]?.file != nil }

  func playable(_ card: Card) -> Video {
    var video = card.video
    if let file = downloads[card.key]?.file { video.playback = .direct([MediaFile(url: .file(file.address))]) }
    return video
  }
}
