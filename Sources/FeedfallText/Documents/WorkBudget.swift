/// The work that decoding a document may cost, so that a hostile one cannot occupy its thread. It is counted, never
/// timed. Both limits grow with the document, so that the whole work is linear in its size.
package struct WorkBudget: Equatable, Sendable {
  /// The count of elements, unmatched end tags, items and values.
  package private(set) var nodeCount = 0
  /// The count of bytes that were compared or copied in addition to reading the document once.
  package private(set) var byteCount = 0
  package var documentByteCount: Int

  /// Small documents may consist of nodes alone.
  private static let freeNodeCount = 1_000_000
  /// In real documents a node has at least this many bytes on average.
  private static let bytesPerNode = 32
  private static let freeByteCount = 16 << 20
  private static let bytesPerByte = 16

  package init(documentByteCount: Int = 0) { self.documentByteCount = documentByteCount }

  @inline(__always)
  package mutating func spend(nodes: Int = 0, bytes: Int = 0) {
    nodeCount += nodes
    byteCount += bytes
  }

  package var isExceeded: Bool {
    nodeCount > Self.freeNodeCount + documentByteCount / Self.bytesPerNode
      || byteCount > Self.freeByteCount + documentByteCount * Self.bytesPerByte
  }
}
