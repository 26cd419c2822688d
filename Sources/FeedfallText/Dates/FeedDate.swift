extension UnixTime {
  /// Reads a date as feeds write it: RFC 822 and RFC 3339 with what is made of them, `ctime`'s form, dates with slashes
  /// or without marks, and Unix seconds or milliseconds.
  ///
  /// A day without a time is its first second, a time without a zone is UTC. Nil where a part is out of its range or
  /// has no meaning: no date is better than a wrong one.
  public init?(feedDate text: String) {
    let bytes = Array(text.utf8.prefix(96)).trimmingBlanks()
    guard let first = bytes.first, !text.isEmpty else { return nil }
    let time =
      first.isASCIILetter || first >= 0x80
      ? WrittenDate(bytes)?.seconds : NumericDate(bytes)?.seconds ?? WrittenDate(bytes)?.seconds
    guard let time else { return nil }
    self.init(seconds: time)
  }
}

/// The years that two digits stand for (POSIX, `%y`).
func fullYear(_ year: Int, digits: Int) -> Int { digits > 2 ? year : year + (year < 69 ? 2_000 : 1_900) }
