import CFeedfall
import FeedfallFeeds
import FeedfallText

/// The bytes of a document from start to end.
protocol DocumentBytes: Sendable {
  /// Whether bytes may still arrive, so that reading ahead could block.
  var isGrowing: Bool { get }

  /// Reads a piece at an offset. Waits for it at most `timeoutMilliseconds`; nil for no limit.
  func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece
}

enum DocumentPiece: Equatable, Sendable {
  /// One or more bytes.
  case bytes([UInt8])
  case nothingYet
  case end
  case failed(FeedFailure)
}

enum DocumentLimits {
  static let pieceByteCount = 128 << 10
  static let maximumByteCount = 1 << 30
}

struct CatalogueBytes: DocumentBytes {
  var isGrowing: Bool { false }

  func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece {
    let all = UnsafeRawBufferPointer(start: catalogue_bytes(), count: catalogue_byte_count())
    guard offset < all.count else { return .end }
    return .bytes(Array(all[offset..<min(all.count, offset + DocumentLimits.pieceByteCount)]))
  }
}
