/// The tracks of the loaded file. A track that the user has requested is reported once it is selected.
struct TrackList: Equatable, Sendable {
  private var tracks: [MediaTrack] = []
  private var cycledKind: MediaTrack.Kind?

  /// Whether the file has a picture, as far as that is known.
  var mayHavePicture: Bool { tracks.isEmpty || tracks.contains { $0.kind == .picture } }

  /// Returns false if there is no other track.
  mutating func cycle(_ kind: MediaTrack.Kind) -> Bool {
    // Subtitles can be switched off; sound offers a choice only from two tracks on.
    let required = kind == .subtitles ? 1 : 2
    guard tracks.count(where: { $0.kind == kind }) >= required else { return false }
    cycledKind = kind
    return true
  }

  /// Returns a notice if the requested track is selected now.
  mutating func update(_ new: [MediaTrack]) -> PlayNotice? {
    let old = tracks
    tracks = new
    guard let kind = cycledKind else { return nil }
    let selected = new.first { $0.kind == kind && $0.isSelected }
    let before = old.first { $0.kind == kind && $0.isSelected }
    guard selected?.number != before?.number else { return nil }
    cycledKind = nil
    return .trackChanged(kind, selected)
  }
}
