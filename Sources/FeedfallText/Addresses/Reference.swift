// References to addresses, as documents and servers write them.

extension WebAddress {
  /// Returns nil for a text that is not a link: one with blanks, such as `1235 at https://…`, or without letters and
  /// digits.
  package init?(link text: String, base: WebAddress?) {
    if let absolute = WebAddress(text) {
      self = absolute
      return
    }
    let link = Array(text.utf8).trimmingBlanks()
    guard link.allSatisfy({ $0 > .space }), link.first != UInt8(ascii: "#"),
      link.contains(where: { $0 == .slash || $0.isASCIILetter || $0.isASCIIDigit || $0 >= 0x80 }),
      let base, let resolved = WebAddress(reference: text, base: base)
    else { return nil }
    self = resolved
  }

  /// The path may be relative. Scheme, host and port of an absolute address are ignored, because a server behind a
  /// proxy does not know its own. Characters that a server has failed to encode are part of the path: `#`, `?`, and
  /// every `%` if any is not followed by two hexadecimal digits.
  package init?(path reference: String, onServerOf base: WebAddress) {
    let parts = Parts(base)
    var path = Array(reference.utf8).trimmingBlanks()
    if Syntax.hasScheme(path), let colon = path.firstIndex(of: .colon),
      path[colon...].starts(with: "://".utf8)
    {
      path = Array(path.dropFirst(colon + 3).drop { $0 != .slash })
    }
    let escapesPercent = !PercentCoding.isValid(path)
    var encoded = PercentCoding.encode(path) { "#?".utf8.contains($0) || escapesPercent && $0 == .percent }
    if let first = encoded.first, first != .slash {
      encoded = Syntax.removingDots(parts.directory(for: first) + encoded)
    }
    self.init(parts.text(0..<parts.authorityEnd) + String(decoding: encoded, as: UTF8.self))
  }

  /// Returns nil for a placeholder such as `N/A`.
  package init?(reference text: String, base: WebAddress?) {
    if let absolute = WebAddress(text) {
      self = absolute
    } else if let base, !Syntax.isPlaceholder(text), let resolved = WebAddress(resolving: text, against: base) {
      self = resolved
    } else {
      return nil
    }
  }

  private static let ampersands = ["amp;", "#38;", "#038;", "#x26;"].map { Array($0.utf8) }

  var unescapingAmpersands: WebAddress {
    let mark = UInt8(ascii: "&")
    // Most addresses have no entity, and most have no ampersand.
    let mayHaveEntity = text.utf8.withContiguousStorageIfAvailable { bytes in
      UnsafeRawBufferPointer(bytes).firstIndex(of: mark, in: bytes.indices).map { bytes[$0...].contains(0x3B) } ?? false
    }
    guard mayHaveEntity != false else { return self }
    let bytes = Array(text.utf8)
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      result.append(bytes[index])
      index += 1
      guard result.last == mark else { continue }
      while let entity = Self.ampersands.first(where: { bytes[index...].starts(with: $0) }) { index += entity.count }
    }
    return WebAddress(unchecked: String(decoding: result, as: UTF8.self))
  }

  /// With `%` for each `%25` before two hexadecimal digits behind the host; nil if there is none.
  package var decodingEscapesOnce: WebAddress? {
    let parts = Parts(self)
    var (result, index) = (Array(parts.bytes[..<parts.authorityEnd]), parts.authorityEnd)
    while index < parts.bytes.count {
      result.append(parts.bytes[index])
      let next = parts.bytes[index...].prefix(5)
      index +=
        next.starts(with: "%25".utf8) && next.count == 5 && next.suffix(2).allSatisfy { $0.hexDigitValue != nil }
        ? 3 : 1
    }
    return result.count < parts.bytes.count ? WebAddress(unchecked: String(decoding: result, as: UTF8.self)) : nil
  }

  /// From the list of another program: also `feed://…`, `//host/…` and an address without a scheme.
  package init?(listed text: String) {
    let text = String(decoding: Array(text.utf8).trimmingBlanks(), as: UTF8.self).withoutFeedScheme
    let isPath = text.hasPrefix("/") && !text.hasPrefix("//") || FileExtension.isDocumentName(text)
    // After a host, a colon begins a port: `mailto:a@host` is not a feed.
    let port = text.firstIndex(of: ":").map { text.utf8[text.index(after: $0)...] }
    guard !isPath, port?.first.map({ $0 == .slash || $0.isASCIIDigit }) ?? true else { return nil }
    self.init(typed: text.hasPrefix("//") ? "https:" + text : text)
  }
}

extension WebAddress.Syntax {
  private static let placeholders: Set<String> = [
    "#", "-", "--", "---", "?", "false", "k.a.", "n.a.", "n/a", "na", "nil", "none", "null", "tba", "tbd", "undefined",
    "unknown",
  ]
  private static let longestPlaceholder = 9

  static func isPlaceholder(_ text: String) -> Bool {
    guard text.utf8.count <= 3 * longestPlaceholder else { return false }
    let word = Array(text.utf8).trimmingBlanks()
    return word.count <= longestPlaceholder
      && placeholders.contains(String(decoding: word.map(\.lowercased), as: UTF8.self))
  }
}

extension String {
  private static let feedSchemes = ["feed", "itpc", "pcast", "podcast"]

  /// The address that a scheme for feeds wraps: `feed:https://…` or `feed://host/…`; other texts unchanged.
  package var withoutFeedScheme: String {
    guard let colon = firstIndex(of: ":"), Self.feedSchemes.contains(self[..<colon].lowercased()) else { return self }
    let rest = self[index(after: colon)...]
    let inner = rest.lowercased()
    if inner.hasPrefix("http://") || inner.hasPrefix("https://") { return String(rest) }
    guard rest.hasPrefix("//") else { return self }
    let address = String(rest.dropFirst(2))
    return address.contains("://") ? address : WebAddress(typed: address)?.text ?? self
  }
}
