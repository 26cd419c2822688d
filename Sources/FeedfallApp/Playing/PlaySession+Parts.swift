import FeedfallFeeds

extension PlaySession {
  // MARK: - Chapters

  mutating func seekChapter(by step: Int) -> [PlayEffect] {
    guard isUnderWay else { return [] }
    guard !chapters.all.isEmpty else { return [.show(.noChapters)] }
    guard let start = chapters.start(from: shownTime, by: step) else { return [.show(.isLastChapter)] }
    segments.sought(start)
    return seek(to: .at(start))
  }

  // MARK: - Segments

  /// Sets the segments of the current video, if it has this ID on YouTube.
  public mutating func setSegments(_ new: [VideoSegment], ofYouTube id: String) {
    if item?.youTubeID == id { segments = SessionSegments(new) }
  }

  /// Skips the segments that playback has reached; nil if there are none.
  mutating func skipSegments() -> [PlayEffect]? {
    guard settings.skipsSegments, playState == .playing, file.seeks.target == nil else { return nil }
    guard loopMarks.part == nil else { return nil }
    // A seek ends shortly before the end of the video, so that there a skip would lead back.
    let latest = SeekTarget.share(1).seconds(from: shownTime, duration: shownDuration) ?? .infinity
    guard shownTime < latest, let skip = segments.skip(at: shownTime) else { return nil }
    let orders = seek(to: .at(skip.end))
    stretch.skip(to: file.seeks.target)
    return orders + [.show(.skipped(skip))]
  }

  mutating func playSkipped() -> [PlayEffect] {
    guard isUnderWay, let start = segments.takeBackSkip() else { return [.show(.nothingSkipped)] }
    return seek(to: .at(start))
  }

  // MARK: - Loops

  mutating func markLoop() -> [PlayEffect] {
    guard loadState.isReady else { return [] }
    loopMarks = loopMarks.adding(shownTime)
    let changed = settingsChanged()
    // The player repeats a part only if it reaches the end from within, and it may be past the end already.
    let jump = loopMarks.part.map { seek(to: .at($0.start)) } ?? []
    return changed + jump + [.show(.loopMarks(loopMarks))]
  }

  mutating func setLoop(_ mode: LoopMode) -> [PlayEffect] {
    settings.loop = mode
    return settingsChanged() + [.show(.loop(mode))]
  }
}
