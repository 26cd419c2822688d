extension PlaySession {
  /// The addresses of the current video in the order in which to try them, without those that have failed.
  struct CandidateList: Equatable, Sendable {
    private var candidates: ArraySlice<PlayItem.Candidate> = []
    private var preferredExtensions = PlayItem.PreferredExtensions()

    var current: PlayItem.Candidate? { candidates.first }

    mutating func begin(_ item: PlayItem, maximumHeight: Int?) {
      candidates = item.candidates(maximumHeight: maximumHeight, preferring: preferredExtensions)[...]
    }

    /// Chooses again for another height, among the addresses that have not failed.
    mutating func update(_ item: PlayItem, maximumHeight: Int?) {
      let remaining = candidates
      begin(item, maximumHeight: maximumHeight)
      candidates.removeAll { !remaining.contains($0) }
    }

    mutating func fallBack() -> Bool {
      guard candidates.count > 1 else { return false }
      candidates.removeFirst()
      return true
    }

    mutating func removeAll() { candidates = [] }

    /// Records that the current address works, if another one has failed before.
    mutating func recordSuccess(of item: PlayItem, maximumHeight: Int?) {
      var all = self
      all.begin(item, maximumHeight: maximumHeight)
      if let current, all.current != current { preferredExtensions.insert(current) }
    }
  }
}
