/// The method of a request, with its body.
package enum HTTPMethod: Equatable, Sendable {
  case get
  /// Lists a collection and its members (RFC 4918, 9.1).
  case listCollection
  /// Sends a JSON document.
  case post(json: String)

  /// Nil for GET.
  var name: String? {
    switch self {
    case .get: nil
    case .listCollection: "PROPFIND"
    case .post: "POST"
    }
  }

  /// The value of the Depth header.
  var depth: String? { self == .listCollection ? "1" : nil }

  var body: String? {
    switch self {
    case .get: nil
    case .listCollection:
      #"<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/></prop>"#
        + "</propfind>"
    case .post(let json): json
    }
  }

  var bodyType: String? {
    switch self {
    case .get: nil
    case .listCollection: "application/xml"
    case .post: "application/json"
    }
  }
}
