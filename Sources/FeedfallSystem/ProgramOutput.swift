import Glibc

/// What a program prints into a pipe, up to a limit: of more than that the end is kept.
struct ProgramOutput: ~Copyable {
  /// -1 once the pipe has come to its end.
  private(set) var readingEnd: Int32
  private(set) var writingEnd: Int32
  private(set) var bytes: [UInt8] = []
  /// How much came in all.
  private(set) var takenByteCount = 0
  private let limit: Int

  private static let pieceByteCount = 64 << 10

  /// Nil where there are no descriptors left; `errno` says so.
  init?(keeping limit: Int) {
    guard let (reading, writing) = makePipe() else { return nil }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    readingEnd = reading
    writingEnd = writing
    self.limit = limit
  }

  deinit {
    if readingEnd >= 0 { close(readingEnd) }
    if writingEnd >= 0 { close(writingEnd) }
  }

  var isOverfull: Bool { takenByteCount > limit }

  mutating func closeWritingEnd() {
    close(writingEnd)
    writingEnd = -1
  }

  /// Takes in what is there, at most the limit again.
  mutating func takeIn() {
    var piece = [UInt8](repeating: 0, count: Self.pieceByteCount)
    var count = 0
    while readingEnd >= 0, count <= limit {
      let taken = read(readingEnd, &piece, piece.count)
      if taken < 0, errno == EINTR { continue }
      if taken < 0, errno == EAGAIN { return }
      guard taken > 0 else {
        close(readingEnd)
        readingEnd = -1
        return
      }
      count += taken
      keep(piece[..<taken])
    }
  }

  private mutating func keep(_ piece: ArraySlice<UInt8>) {
    takenByteCount += piece.count
    bytes += piece
    if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
  }
}
