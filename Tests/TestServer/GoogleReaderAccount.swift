import Synchronization

/// An account on a server of the Google Reader API, after its documentation
/// (github.com/mihaip/google-reader-api, feedhq.readthedocs.io).
public final class GoogleReaderAccount: Sendable {
  public static let user = "anna"
  public static let password = "p&ss w=rd"

  public struct Entry: Equatable, Sendable {
    /// The ID as a signed number.
    public var id: Int
    /// In seconds since 1970.
    public var published: Int
    public var isRead = false
    public var isStarred = false
    /// Further members of the JSON, each with a comma in front.
    public var members: String

    public init(_ id: Int, published: Int? = nil, members: String? = nil) {
      self.id = id
      self.published = published ?? 1_700_000_000 + id
      self.members = members ?? #","canonical":[{"href":"https://films.example/\#(id)"}]"#
    }

    fileprivate var tag: String {
      let digits = String(UInt64(bitPattern: Int64(id)), radix: 16)
      return "tag:google.com,2005:reader/item/" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    fileprivate var json: String {
      let states = ["reading-list"] + (isRead ? ["read"] : []) + (isStarred ? ["starred"] : [])
      let categories = states.map { #""user/1005/state/com.google/\#($0)""# }.joined(separator: ",")
      return #"{"id":"\#(tag)","title":"Film \#(id)","published":\#(published),"crawlTimeMsec":"\#(published)000","#
        + #""origin":{"streamId":"feed/7","title":"The feed's own title"},"categories":[\#(categories)]\#(members)}"#
    }
  }

  private struct State {
    var entries: [Entry]
    var loginCount = 0
    var isLoginValid = true
    /// The statuses of the next changes.
    var changeStatuses: [Int] = []
  }

  private let state: Mutex<State>

  /// - Parameter entries: the newest first.
  public init(_ entries: [Entry]) {
    state = Mutex(State(entries: entries))
  }

  /// Ends the validity of all logins so far.
  public func expireLogin() { state.withLock { $0.isLoginValid = false } }

  /// Answers the next changes with these statuses, and does not make them if they are failures.
  public func answerChanges(with statuses: [Int]) { state.withLock { $0.changeStatuses = statuses } }

  public var loginCount: Int { state.withLock { $0.loginCount } }

  public var entries: [Entry] { state.withLock { $0.entries } }

  /// Changes the entries as another client or the server does.
  public func change(_ body: (inout [Entry]) -> Void) { state.withLock { body(&$0.entries) } }

  public func answer(_ request: TestRequest) -> TestBehaviour {
    let form = Self.form(String(decoding: request.body, as: UTF8.self))
    return .answer(state.withLock { Self.answer(request, form, &$0) })
  }

  private static func answer(
    _ request: TestRequest, _ form: [(name: String, value: String)], _ state: inout State
  ) -> TestAnswer {
    if request.path == "/accounts/ClientLogin" { return logIn(request, form, &state) }
    guard state.isLoginValid, request.headers["authorization"] == "GoogleLogin auth=\(user)/\(state.loginCount)" else {
      return TestAnswer("Unauthorized", status: 401)
    }
    switch (request.method, request.path) {
    case ("GET", "/reader/api/0/subscription/list"):
      return TestAnswer(#"{"subscriptions":[{"id":"feed/7","title":"Films &amp; more"}]}"#)
    case ("GET", "/reader/api/0/stream/items/ids"): return ids(request, state.entries)
    case ("POST", "/reader/api/0/stream/items/contents"):
      let ids = values("i", of: form)
      let entries = state.entries.filter { ids.contains($0.tag) }
      return TestAnswer(#"{"items":[\#(entries.map(\.json).joined(separator: ","))]}"#)
    case ("GET", "/reader/api/0/token"): return TestAnswer("token-of-\(state.loginCount)\n")
    case ("POST", "/reader/api/0/edit-tag"): return edit(form, &state)
    default: return TestAnswer("", status: 404)
    }
  }

  private static func logIn(
    _ request: TestRequest, _ form: [(name: String, value: String)], _ state: inout State
  ) -> TestAnswer {
    guard request.method == "POST", values("Email", of: form) == [user], values("Passwd", of: form) == [password]
    else { return TestAnswer("Error=BadAuthentication\n", status: 403) }
    state.loginCount += 1
    state.isLoginValid = true
    return TestAnswer("SID=unused\nLSID=unused\nAuth=\(user)/\(state.loginCount)\n")
  }

  private static func ids(_ request: TestRequest, _ entries: [Entry]) -> TestAnswer {
    let query = Self.form(String(request.target.drop { $0 != "?" }.dropFirst()))
    let count = Int(values("n", of: query).first ?? "") ?? 20
    let start = Int(values("c", of: query).first ?? "") ?? 0
    let since = Int(values("ot", of: query).first ?? "") ?? 0
    let isStarred = values("s", of: query) == ["user/-/state/com.google/starred"]
    let excludesRead = values("xt", of: query) == ["user/-/state/com.google/read"]
    let all = entries.filter {
      $0.published >= since && (!isStarred || $0.isStarred) && (!excludesRead || !$0.isRead)
    }
    let list = all.dropFirst(start).prefix(count).map { #"{"id":"\#($0.id)"}"# }.joined(separator: ",")
    let end = start + count
    return TestAnswer(#"{"itemRefs":[\#(list)]\#(end < all.count ? #","continuation":"\#(end)""# : "")}"#)
  }

  private static func edit(_ form: [(name: String, value: String)], _ state: inout State) -> TestAnswer {
    if !state.changeStatuses.isEmpty {
      let status = state.changeStatuses.removeFirst()
      guard status == 200 else { return TestAnswer("", status: status) }
    }
    guard values("T", of: form) == ["token-of-\(state.loginCount)"] else {
      return TestAnswer("", status: 401, headers: ["X-Reader-Google-Bad-Token": "true"])
    }
    let ids = values("i", of: form)
    for index in state.entries.indices where ids.contains(state.entries[index].tag) {
      for (name, isSet) in [("a", true), ("r", false)] {
        for tag in values(name, of: form) {
          if tag == "user/-/state/com.google/read" { state.entries[index].isRead = isSet }
          if tag == "user/-/state/com.google/starred" { state.entries[index].isStarred = isSet }
        }
      }
    }
    return TestAnswer("OK")
  }

  // MARK: - Forms

  private static func values(_ name: String, of form: [(name: String, value: String)]) -> [String] {
    form.filter { $0.name == name }.map(\.value)
  }

  private static func form(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
    }
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
