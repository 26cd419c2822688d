import FeedfallSystem
import Glibc

/// Finds the end of a video file for which its server stated no length.
extension DownloadTools {
  /// The lengths that feeds state are not exact.
  private static let toleratedShare = 0.05
  /// In seconds.
  private static let toleratedDuration = 3.0
  private static let probeLimitSeconds = 30

  /// Whether a file may be only the beginning of a video.
  ///
  /// - Parameters:
  ///   - stated: the duration in seconds that the feed states.
  ///   - statedByteCount: the size that the feed states, which counts if nothing better is known.
  func isCut(_ path: String, stated: Int?, statedByteCount: Int? = nil) async -> Bool {
    if let isWhole = MP4Boxes.areWhole(in: path) { return !isWhole }
    if let isCut = await isCutByDuration(path, stated: stated) { return isCut }
    var status = stat()
    guard let statedByteCount, stat(path, &status) == 0 else { return false }
    return Double(status.st_size) < Double(statedByteCount) * (1 - Self.toleratedShare)
  }

  /// Returns nil if a duration is unknown.
  private func isCutByDuration(_ path: String, stated: Int?) async -> Bool? {
    guard let ffprobePath else { return nil }
    let helper = HelperProgram(
      path: ffprobePath, timeLimitSeconds: Self.probeLimitSeconds, maximumByteCount: 64 << 10)
    let words = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "file:" + path]
    guard case .ended(let answer) = await helper.run(words.map { Array($0.utf8) }) else { return nil }
    guard answer.status == 0 else { return true }
    let text = String(decoding: answer.output.prefix { $0 > 0x20 }, as: UTF8.self)
    guard let stated = stated.map(Double.init), let duration = Double(text) else { return nil }
    return duration < stated - max(Self.toleratedDuration, stated * Self.toleratedShare)
  }
}

/// The boxes of an MP4 file (ISO 14496-12, 4.2), whose sizes show whether its end is missing.
enum MP4Boxes {
  private static let maximumCount = 1_000_000

  /// Whether all boxes end within the file; nil for a file of another format.
  static func areWhole(in path: String) -> Bool? {
    guard let descriptor = try? Files.openOwn(path, O_RDONLY) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return areWhole(byteCount: Int(status.st_size)) { place in
      (try? Files.read(descriptor: descriptor, at: place, count: 16)) ?? []
    }
  }

  /// - Parameter read: returns up to 16 bytes at a place.
  static func areWhole(byteCount: Int, _ read: (_ place: Int) -> [UInt8]) -> Bool? {
    guard read(0).dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    var (place, hasIndex) = (0, false)
    for _ in 0..<maximumCount {
      if place == byteCount { return hasIndex }
      let head = read(place)
      guard let size = size(head, rest: byteCount - place) else { return false }
      if ["moov", "moof"].contains(where: { head[4..<8].elementsEqual($0.utf8) }) { hasIndex = true }
      place += size
    }
    return nil
  }

  /// The size of a box; nil if it does not fit into the rest of the file.
  private static func size(_ head: [UInt8], rest: Int) -> Int? {
    guard head.count >= 8 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    var (size, least) = (number(head[..<4]), UInt64(8))
    if size == 0 { return rest }
    if size == 1 {
      guard head.count >= 16 else { return nil }
      (size, least) = (number(head[8..<16]), 16)
    }
    return size >= least && size <= UInt64(rest) ? Int(size) : nil
  }
}
