import CFeedfallResources

/// The catalogue that is part of the program.
struct CatalogueBytes: DocumentBytes {
  var isGrowing: Bool { false }

  func read(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece {
    let all = UnsafeRawBufferPointer(start: catalogue_bytes(), count: catalogue_byte_count())
    guard offset < all.count else { return .end }
    return .bytes(Array(all[offset..<min(all.count, offset + DocumentLimits.pieceByteCount)]))
  }
}
