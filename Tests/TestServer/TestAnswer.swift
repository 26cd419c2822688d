/// A well-formed HTTP answer.
public struct TestAnswer: Equatable, Sendable {
  public var status = 200
  public var headers: [String: String] = ["Content-Type": "application/json"]
  public var body: [UInt8]

  public init(_ body: [UInt8], status: Int = 200, headers: [String: String] = [:]) {
    self.body = body
    self.status = status
    self.headers.merge(headers) { $1 }
  }

  public init(_ body: String, status: Int = 200, headers: [String: String] = [:]) {
    self.init(Array(body.utf8), status: status, headers: headers)
  }

  public static func redirect(to location: String, status: Int = 302) -> TestAnswer {
    TestAnswer("", status: status, headers: ["Location": location])
  }

  public static func html(_ body: String, status: Int = 200) -> TestAnswer {
    TestAnswer(body, status: status, headers: ["Content-Type": "text/html"])
  }

  /// The head with the right Content-Length.
  var head: [UInt8] {
    var lines = ["HTTP/1.1 \(status) Whatever", "Content-Length: \(body.count)", "Connection: close"]
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { lines.append("\(name): \(value)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
