import FeedfallFeeds
import FeedfallText
import FeedfallUserData

/// The commands and events of downloads.
extension Browsing {
  /// Downloads the selected video, after a request for its address if necessary.
  mutating func download() -> [Intent] {
    guard let card = selectedCard else { return [] }
    switch downloads[card.key] {
    case .done(let file): return [.showMessage(DownloadWords.isDone(file))]
    case .waiting, .running: return [.showMessage(DownloadWords.isRunning(card.video.title))]
    case .stalled, .failed, nil: return isAddressMissing(in: card) ? awaitDownload(of: card) : startDownload(of: card)
    }
  }

  /// Adds a video to the downloads, and requests its address.
  private mutating func awaitDownload(of card: Card) -> [Intent] {
    let request = DownloadRequest(
      awaiting: card.listed, key: card.key, source: library[card.source].settings.storedName)
    downloads[card.key] = .waiting
    return requestAddress(of: card, .download) + (request.map { [.effect(.download($0))] } ?? [])
  }

  /// Requests the addresses of downloads of earlier sessions whose videos a page lists, or whose details its server has.
  mutating func requestAwaitedDownloads(of arrival: PageArrival) -> [Intent] {
    guard !awaitedDownloads.isEmpty else { return [] }
    let source = library[arrival.source]
    let host = WebAddress(typed: source.settings.address)?.host
    let listed = Dictionary(source.slots.map { (library.store[$0].key, library.store[$0]) }) { first, _ in first }
    let names = Set(library.sources.compactMap(\.settings.storedName))
    var cards: [Card] = []
    awaitedDownloads.removeAll { request in
      // The secrets in a cached page may have expired.
      if request.awaitedVideo == nil, arrival.purpose == .cached { return false }
      // A source of an earlier version, or one that has another name now, is found by its server.
      let name = request.source.flatMap { names.contains($0) ? $0 : nil }
      let video = request.awaitedVideo.flatMap { video in
        (name.map { $0 == source.settings.storedName } ?? (video.detailsURL?.host == host)) ? video : nil
      }
      let card = listed[request.key] ?? video.map { Card(video: $0, source: arrival.source, key: request.key) }
      cards += [card].compactMap(\.self)
      return card != nil
    }
    return cards.flatMap { card in
      isAddressMissing(in: card) ? requestDetails(of: card, .download) : startDownload(of: card)
    }
  }

  /// Downloads a video whose address has been requested, if necessary.
  mutating func startDownload(of card: Card) -> [Intent] {
    do throws(DownloadRequest.Obstacle) {
      let request = try DownloadRequest(
        card.video, key: card.key, source: library[card.source].settings.storedName, maximumHeight: maximumVideoHeight)
      downloads[card.key] = .waiting
      return [.showMessage(DownloadWords.started(card.video.title)), .effect(.download(request))]
    } catch {
      // It was waiting for its address.
      let removal: [Intent] = downloads[card.key] == .waiting ? [.effect(.removeDownload(card.key))] : []
      downloads[card.key] = nil
      return [.showMessage(DownloadWords.text(error, card.video.title))] + removal
    }
  }

  /// Removes the selected video's download if the key was pressed before; otherwise names what would be removed.
  mutating func removeDownload() -> [Intent] {
    guard let card = selectedCard else { return [] }
    guard let state = downloads[card.key] else { return [.showMessage(DownloadWords.nothingToRemove)] }
    guard downloads.confirmsRemoval(of: card.key) else {
      return [.showMessage(DownloadWords.confirm(state, card.video.title))]
    }
    awaitedDownloads.removeAll { $0.key == card.key }
    removeFailedDownload(of: card.key)
    // Also cancels the request for its address.
    let withdrawn = library.withdrawDetails(.download) { $0.key == card.key }
    return (withdrawn + [.removeDownload(card.key)]).map(Intent.effect)
  }

  mutating func updateDownload(of key: VideoKey, _ state: DownloadState?, at now: Int) -> [Intent] {
    let before = downloads[key]
    downloads[key] = state
    markDownloaded(key, state?.file?.time, at: now)
    let title = library.store.card(ofKey: key)?.video.title
    switch state {
    case .done(let file): return title.map { [.showMessage(DownloadWords.done($0, file))] } ?? []
    case .stalled(let failure):
      if case .stalled? = before { return [] }
      return [.showMessage(DownloadWords.stalled(failure, title ?? key.text))]
    case .failed(let failure): return [.showMessage(DownloadWords.failed(failure, title ?? key.text))]
    case .waiting, .running: return []
    case nil: return before == nil ? [] : [.showMessage(DownloadWords.removed(title ?? key.text))]
    }
  }

  func downloadRemovalFailed(_ key: VideoKey, _ failure: FeedFailure) -> [Intent] {
    [.showMessage(DownloadWords.removalFailed(failure, library.store.card(ofKey: key)?.video.title ?? key.text))]
  }

  /// Removes the marks of complete downloads whose video files have disappeared.
  mutating func forgetDownloads(_ keys: [VideoKey], at now: Int) {
    for key in keys where downloads[key]?.file != nil {
      downloads[key] = nil
      markDownloaded(key, nil, at: now)
    }
  }

  func isDownloaded(_ card: Card) -> Bool { downloads[card.key]?.file != nil }

  /// The video of a card, with the downloaded file in place of its addresses if there is one.
  func playable(_ card: Card) -> Video {
    var video = card.video
    if let file = downloads[card.key]?.file { video.playback = .direct([MediaFile(url: .file(file.address))]) }
    return video
  }
}
