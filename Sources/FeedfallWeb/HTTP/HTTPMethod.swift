package enum HTTPMethod: Equatable, Sendable {
  case get
  /// Lists a collection and its members (RFC 4918, 9.1).
  case listCollection
  case post(json: String)
  /// Sends an encoded form, which may contain a secret: it is not sent to another server after a redirect.
  case postForm(String)

  /// Nil for GET.
  var name: String? {
    switch self {
    case .get: nil
    case .listCollection: "PROPFIND"
    case .post, .postForm: "POST"
    }
  }

  var depth: String? { self == .listCollection ? "1" : nil }

  var body: String? {
    switch self {
    case .get: nil
    case .listCollection:
      #"<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/></prop>"#
        + "</propfind>"
    case .post(let json): json
    case .postForm(let form): form
    }
  }

  var bodyType: String? {
    switch self {
    case .get: nil
    case .listCollection: "application/xml"
    case .post: "application/json"
    case .postForm: "application/x-www-form-urlencoded"
    }
  }

  /// Whether the body must not be sent to another server.
  var isPrivate: Bool { if case .postForm = self { true } else { false } }
}
