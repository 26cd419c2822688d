extension TestAnswer {
  /// A file, sent with support for ranges (RFC 9110, 14), which players need for seeking.
  public static func media(_ bytes: [UInt8], type: String, for request: TestRequest) -> TestAnswer {
    let headers = ["Content-Type": type, "Accept-Ranges": "bytes"]
    guard let range = range(request.headers["range"] ?? "", of: bytes.count) else {
      return TestAnswer(bytes, headers: headers)
    }
    let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
    return TestAnswer(
      Array(bytes[range]), status: 206, headers: headers.merging(["Content-Range": place]) { $1 })
  }

  /// Parses `bytes=100-` and `bytes=100-199`.
  private static func range(_ text: String, of count: Int) -> Range<Int>? {
    guard text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(ends[0]), first < count else { return nil }
    return first..<min((Int(ends[1]) ?? count - 1) + 1, count)
  }
}
