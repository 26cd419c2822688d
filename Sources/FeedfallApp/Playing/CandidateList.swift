/// The addresses of the current video in the order in which to try them, without those that have failed.
struct CandidateList: Equatable, Sendable {
  /// The current address, followed by the fallbacks.
  private var candidates: ArraySlice<PlayCandidate> = []
  private var preferredExtensions = PreferredExtensions()

  var current: PlayCandidate? { candidates.first }

  /// Chooses among all addresses of a video.
  mutating func begin(_ item: PlayItem, maximumHeight: Int?) {
    candidates = item.candidates(maximumHeight: maximumHeight, preferring: preferredExtensions)[...]
  }

  /// Chooses again for another height, among the addresses that have not failed.
  mutating func update(_ item: PlayItem, maximumHeight: Int?) {
    let remaining = candidates
    begin(item, maximumHeight: maximumHeight)
    candidates.removeAll { !remaining.contains($0) }
  }

  /// Removes an address that has failed. Returns false if there is no other.
  mutating func fallBack() -> Bool {
    guard candidates.count > 1 else { return false }
    candidates.removeFirst()
    return true
  }

  /// Forgets the addresses, none of which works.
  mutating func removeAll() { candidates = [] }

  /// Records that the current address works, if another one has failed before.
  mutating func recordSuccess(of item: PlayItem, maximumHeight: Int?) {
    var all = self
    all.begin(item, maximumHeight: maximumHeight)
    if let current, all.current != current { preferredExtensions.insert(current) }
  }
}

/// The file extension that last worked on each host, after another one had failed there.
struct PreferredExtensions: Equatable, Sendable {
  private static let maximumHostCount = 100

  private var extensions: [String: String] = [:]

  mutating func insert(_ candidate: PlayCandidate) {
    guard let host = candidate.address.web?.host, let name = Self.fileExtension(of: candidate) else { return }
    if extensions.count >= Self.maximumHostCount { extensions = [:] }
    extensions[host] = name
  }

  func contains(_ candidate: PlayCandidate) -> Bool {
    guard let host = candidate.address.web?.host, let preferred = extensions[host] else { return false }
    return Self.fileExtension(of: candidate) == preferred
  }

  /// With its dot, in lower case.
  private static func fileExtension(of candidate: PlayCandidate) -> String? {
    let path = candidate.address.web?.path ?? ""
    guard let dot = path.lastIndex(of: "."), path[dot...].utf8.count <= 6 else { return nil }
    return path[dot...].lowercased()
  }
}
