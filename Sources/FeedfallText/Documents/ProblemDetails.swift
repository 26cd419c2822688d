package enum ProblemDetails {
  /// The reason in the body of an error: problem details (RFC 9457), the usual names of other JSON, or a short plain
  /// text; cleaned, at most 200 characters.
  package static func summary(_ body: [UInt8]) -> String? {
    if let object = JSONObject(document: body) { return complaint(in: object) ?? line(object["title"]) }
    guard !HTMLPage.isStarted(by: body), body.count <= 1_000, let first = DocumentText.firstMark(body),
      isTextStart(first), !body.contains(0)
    else { return nil }
    let line = body.prefix { $0 != 0x0A }
    return cleanedLine(String(decoding: line, as: UTF8.self), limit: 200).nonEmpty
  }

  package static func complaint(in object: JSONObject) -> String? {
    let error = object["error"]?.object
    return line(object["detail"]) ?? line(object["message"]) ?? line(object["error"]) ?? line(object["msg"])
      ?? line(error?["info"]) ?? line(error?["message"])
  }

  private static func line(_ value: JSONValue?) -> String? {
    value?.string.map { cleanedLine($0, as: .html, limit: 200) }.nonEmpty
  }

  private static func isTextStart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte >= 0x80 }
}
