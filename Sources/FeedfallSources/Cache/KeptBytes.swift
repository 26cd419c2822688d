import FeedfallText

/// The body of an answer that is kept, or its first part.
struct KeptBytes: DocumentBytes {
  let cache: AnswerCache
  let answer: KeptAnswer
  /// Where it ends.
  let byteCount: Int

  var isGrowing: Bool { false }
  var address: WebAddress? { answer.address }
  var contentType: String { answer.contentType }

  func read(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece {
    if Task.isCancelled { return .cancelled }
    guard offset < byteCount else { return .end }
    guard let bytes = cache.bytes(of: answer, at: offset), !bytes.isEmpty else {
      return .failed(FeedFailure(.temporary, "what was kept of the feed has gone"))
    }
    return .bytes(Array(bytes))
  }
}
