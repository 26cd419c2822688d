/// Unpacks gzip files (RFC 1952), and data in their format of compression (RFC 1950, RFC 1951).
package enum Gzip {
  package enum Fault: Error {
    case damaged
    case tooLarge
  }

  package struct Unpacked: Equatable, Sendable {
    package var bytes: [UInt8]
    /// Whether the data end before their content does.
    package var isCut: Bool

    package init(bytes: [UInt8], isCut: Bool) { (self.bytes, self.isCut) = (bytes, isCut) }
  }

  private static let mark: [UInt8] = [0x1F, 0x8B, 0x08]

  package static func isStarted(by bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

  /// Returns the content of all members, up to the end of the data if a member is cut. Zeros may follow a member; other
  /// bytes that are no whole member are ignored after the first one, as browsers do. The lengths of members are
  /// checked, their checksums are not.
  package static func unpacked(_ bytes: [UInt8], limit: Int) throws(Fault) -> Unpacked {
    let inflater = Inflater(limit: limit, bytes: bytes)
    let isCut = try unpackMembers(inflater)
    return Unpacked(bytes: inflater.output, isCut: isCut)
  }

  /// Unpacks a file in pieces, in constant memory; returns whether it ends before its content does. At the end `read`
  /// returns no bytes. If `write` returns false, the file counts as too large.
  package static func unpack(
    limit: Int, read: @escaping () -> [UInt8], write: @escaping (UnsafeRawBufferPointer) -> Bool
  ) throws(Fault) -> Bool {
    let inflater = Inflater(limit: limit, read: read, write: write)
    let isCut = try unpackMembers(inflater)
    inflater.flush()
    return isCut
  }

  /// Unpacks the body of an answer with the coding `deflate`: with the header of zlib, or without it, as some servers
  /// send it. Returns nil for other data.
  package static func inflated(_ bytes: [UInt8], limit: Int) throws(Fault) -> Unpacked? {
    if bytes.count >= 2, bytes[0] & 0x8F == 8, (Int(bytes[0]) << 8 + Int(bytes[1])) % 31 == 0, bytes[1] & 0x20 == 0 {
      let inflater = Inflater(limit: limit, bytes: Array(bytes[2...]))
      switch try ending(of: inflater) {
      case .whole: return Unpacked(bytes: inflater.output, isCut: false)
      case .cut where !inflater.isEmpty: return Unpacked(bytes: inflater.output, isCut: true)
      case .cut, .damaged: break
      }
    }
    // Other data are valid as well for some bytes, such as JSON in lines, but do not become longer.
    let inflater = Inflater(limit: limit, bytes: bytes)
    guard try ending(of: inflater) == .whole, inflater.isAtEnd || inflater.count >= bytes.count else { return nil }
    return Unpacked(bytes: inflater.output, isCut: false)
  }

  private enum Ending { case whole, cut, damaged }

  private static func ending(of inflater: Inflater) throws(Fault) -> Ending {
    do throws(Inflater.Fault) {
      try inflater.inflate()
      return .whole
    } catch {
      switch error {
      case .cut: return .cut
      case .damaged: return .damaged
      case .tooLarge: throw .tooLarge
      }
    }
  }

  /// Returns whether the last member is cut.
  private static func unpackMembers(_ inflater: Inflater) throws(Fault) -> Bool {
    var isFirst = true
    while true {
      if !isFirst { inflater.skipZeros() }
      guard inflater.starts(with: mark) else {
        if isFirst { throw .damaged }
        return false
      }
      let start = inflater.count
      do throws(Inflater.Fault) {
        try skipHeader(inflater)
        try inflater.inflate()
        // A server may leave out the end of the last member, which is not content.
        guard let length = inflater.trailer() else { return false }
        guard length == UInt32(truncatingIfNeeded: inflater.count - start) else { throw .damaged }
      } catch {
        switch error {
        case .cut: return true
        case .damaged where isFirst: throw .damaged
        case .damaged: return true
        case .tooLarge: throw .tooLarge
        }
      }
      isFirst = false
    }
  }

  private static func skipHeader(_ inflater: Inflater) throws(Inflater.Fault) {
    try inflater.skip(3)
    let flags = try inflater.byte()
    try inflater.skip(6)
    if flags & 4 != 0 {
      let low = try inflater.byte()
      try inflater.skip(Int(low) + Int(try inflater.byte()) << 8)
    }
    // The name and the comment end with a zero.
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      while try inflater.byte() != 0 {}
    }
    if flags & 2 != 0 { try inflater.skip(2) }
  }
}
