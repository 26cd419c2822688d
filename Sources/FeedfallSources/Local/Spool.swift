import FeedfallText
import Glibc

/// Bytes that come once, from a pipe or a device, kept in a nameless temporary file so that they can be read again.
///
/// Nothing is taken in before somebody waits for it, so that an endless producer fills no disk.
final class Spool: DocumentBytes {
  private let pump: SpoolPump

  /// Where `isOwned` is true the input is closed with the spool.
  init(input: Int32, isOwned: Bool, name: String) throws(FeedFailure) {
    do {
      pump = try SpoolPump(input: input, isInputOwned: isOwned, name: name)
    } catch {
      if isOwned { close(input) }
      throw error
    }
  }

  deinit {
    pump.stop()
  }

  var isGrowing: Bool { pump.isGrowing }

  func read(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece {
    await pump.waitForBytes(at: offset, patienceMilliseconds: patienceMilliseconds)
  }
}
