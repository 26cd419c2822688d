/// A received request.
public struct TestRequest: Equatable, Sendable {
  public var method: String
  /// Path and query, as sent.
  public var target: String
  /// Names in lower case.
  public var headers: [String: String]
  public var body: [UInt8] = []

  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The query's values by name, as sent.
  public var query: [String: String] {
    let pairs = target.drop { $0 != "?" }.dropFirst().split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
  }

  init?(head: [UInt8]) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    guard words.count == 3 else { return nil }
    method = words[0]
    target = words[1]
    headers = [:]
    for line in lines.dropFirst() {
      let name = line.prefix { $0 != ":" }
      let value = line.dropFirst(name.count + 1).drop { $0 == " " }
      headers[name.lowercased()] = String(value)
    }
  }
}
