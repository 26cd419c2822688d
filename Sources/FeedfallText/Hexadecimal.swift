extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number in hexadecimal digits, padded with zeros to `digitCount`.
  package func hexadecimal(digitCount: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digitCount - digits.utf8.count)) + digits
  }
}
