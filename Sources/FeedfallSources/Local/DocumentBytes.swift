import FeedfallText

/// The bytes of a document, from the start to the end.
protocol DocumentBytes: Sendable {
  /// Whether bytes may still be on their way, so that asking for more than is needed now would mean to wait.
  var isGrowing: Bool { get }

  /// Where the document came from, for what is relative in it.
  var address: WebAddress? { get }

  /// What its server called it; empty where none did.
  var contentType: String { get }

  /// Reads a piece from a place on; waits for it at most for this time, for nil until it is there.
  func read(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece
}

extension DocumentBytes {
  var address: WebAddress? { nil }
  var contentType: String { "" }
}

/// What reading a document brings.
enum DocumentPiece: Equatable, Sendable {
  /// One byte at least.
  case bytes([UInt8])
  case nothingYet
  case end
  case cancelled
  case failed(FeedFailure)
}

/// The bounds of what is read from documents on this machine.
enum DocumentLimits {
  static let pieceByteCount = 128 << 10
  static let maximumByteCount = 1 << 30
}
