import Synchronization
import TestServer

/// A user of a Jellyfin server with two films, after its OpenAPI description.
final class JellyfinAccount: Sendable {
  static let token = "t0ken"

  private let items = Mutex<[String: Set<String>]>([:])
  private let changeStatus: Int

  /// - Parameter changeStatus: answers all changes, and does not make them if it is a failure.
  init(changeStatus: Int = 200) { self.changeStatus = changeStatus }

  /// The members of `UserData` that are true, by the IDs of the films.
  var marks: [String: Set<String>] { items.withLock { $0 } }

  /// Changes the marks as another client does.
  func change(_ body: (inout [String: Set<String>]) -> Void) { items.withLock { body(&$0) } }

  func answer(_ request: TestRequest) -> TestBehaviour {
    guard request.headers["authorization"] == #"MediaBrowser Token="\#(Self.token)""# else {
      return .answer(TestAnswer("", status: 401))
    }
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.first) {
    case ("GET", "Users"): return .answer(TestAnswer(#"{"Id":"u1","Name":"anna"}"#))
    case ("GET", "UserViews"): return .answer(TestAnswer(#"{"Items":[{"Id":"films","Name":"Films"}]}"#))
    case ("GET", "Items"): return .answer(list(["f1", "f2"]))
    case ("GET", _): return .answer(list([]))
    case ("POST", "UserItems"): return .answer(set(request, parts[1]))
    default: return .answer(TestAnswer("", status: 405))
    }
  }

  private func set(_ request: TestRequest, _ id: String) -> TestAnswer {
    guard request.query == ["userId": "u1"], changeStatus == 200 else { return TestAnswer("", status: changeStatus) }
    let body = String(decoding: request.body, as: UTF8.self)
    for mark in ["Played", "IsFavorite"] {
      items.withLock {
        if body.contains("\"\(mark)\":true") { $0[id, default: []].insert(mark) }
        if body.contains("\"\(mark)\":false") { $0[id]?.remove(mark) }
      }
    }
    return TestAnswer(data(id))
  }

  private func list(_ ids: [String]) -> TestAnswer {
    let items = ids.map { #"{"Id":"\#($0)","Name":"Film \#($0)","UserData":\#(data($0))}"# }
    return TestAnswer(#"{"Items":[\#(items.joined(separator: ","))],"TotalRecordCount":\#(ids.count)}"#)
  }

  private func data(_ id: String) -> String {
    let marks = marks[id] ?? []
    return #"{"Played":\#(marks.contains("Played")),"IsFavorite":\#(marks.contains("IsFavorite"))}"#
  }
}
