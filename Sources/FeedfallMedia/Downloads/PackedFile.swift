import FeedfallSystem
import FeedfallText
import Glibc

extension DownloadPart {
  struct PackedFile: Sendable {
    let descriptor: Int32
    let byteCount: Int
    let folder: DownloadFolder

    private static let pieceByteCount = 256 << 10
    /// The limit for the content, as a multiple of the file, and in bytes for small ones. Media hardly shrink.
    private static let maximumShare = 64
    private static let leastLimit = 16 << 20

    var isPacked: Bool {
      (try? Files.read(descriptor: descriptor, at: 0, count: 16)).map { Gzip.isStarted(by: $0) } ?? false
    }

    /// Returns whether the end of the content is missing. Blocks its thread.
    func unpack(to path: String, isCancelled: @escaping () -> Bool) throws(DownloadFailure) -> Bool {
      let target: Int32
      // Left by a program that was killed.
      unlink(path)
      do throws(SystemError) {
        target = try Files.openOwn(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o644, isAlone: true)
      } catch { throw .file(error, path: path) }
      defer { Glibc.close(target) }
      var (place, written) = (0, 0)
      var fault: DownloadFailure?
      let source = { () -> [UInt8] in
        let count = min(Self.pieceByteCount, byteCount - place)
        guard count > 0, fault == nil else { return [] }
        guard let piece = try? Files.read(descriptor: descriptor, at: place, count: count) else {
          fault = .file(SystemError(EIO), path: path)
          return []
        }
        place += piece.count
        return piece
      }
      let sink = { (piece: UnsafeRawBufferPointer) -> Bool in
        do throws(DownloadFailure) {
          if isCancelled() { throw .cancelled }
          try write(piece, to: target, at: written, path)
        } catch { fault = error }
        written += piece.count
        return fault == nil
      }
      var isCut = false
      let limit = max(Self.leastLimit, min(byteCount, .max / Self.maximumShare) * Self.maximumShare)
      do throws(Gzip.Fault) {
        isCut = try Gzip.unpack(limit: limit, read: source, write: sink)
      } catch {
        let words = error == .damaged ? "damaged gzip data" : "gzip data that unpack to more than \(limit >> 20) MB"
        throw fault ?? .notMedia(type: words)
      }
      if let fault { throw fault }
      if written == 0 { throw .notMedia(type: "damaged gzip data") }
      guard fsync(target) == 0 else { throw .file(SystemError(), path: path) }
      return isCut
    }

    private func write(
      _ piece: UnsafeRawBufferPointer, to target: Int32, at place: Int, _ path: String
    ) throws(DownloadFailure) {
      try folder.checkSpace(for: piece.count)
      do { try Files.write(piece, to: target, at: place) } catch { throw .file(error, path: path) }
    }
  }
}
