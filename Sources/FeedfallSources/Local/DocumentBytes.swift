import CFeedfallResources
import FeedfallFeeds
import FeedfallText

/// The bytes of a document, from the start to the end.
protocol DocumentBytes: Sendable {
  /// Whether bytes may still arrive, so that reading more than is needed now would mean to wait.
  var isGrowing: Bool { get }

  /// Reads a piece at an offset, and waits for it at most for this time, for nil without a limit.
  func read(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece
}

/// The result of reading a piece of a document.
enum DocumentPiece: Equatable, Sendable {
  /// At least one byte.
  case bytes([UInt8])
  case nothingYet
  case end
  case failed(FeedFailure)
}

/// The bounds for reading documents on this machine.
enum DocumentLimits {
  static let pieceByteCount = 128 << 10
  static let maximumByteCount = 1 << 30
}

/// The catalogue that is part of the program.
struct CatalogueBytes: DocumentBytes {
  var isGrowing: Bool { false }

  func read(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece {
    let all = UnsafeRawBufferPointer(start: catalogue_bytes(), count: catalogue_byte_count())
    guard offset < all.count else { return .end }
    return .bytes(Array(all[offset..<min(all.count, offset + DocumentLimits.pieceByteCount)]))
  }
}
