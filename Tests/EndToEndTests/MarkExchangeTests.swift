import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallProgram

/// The exchange of marks with servers, from the keys to the requests.
@Suite(.hangLimit) struct MarkExchangeTests {
  private func withReader(
    _ account: GoogleReaderAccount, _ body: (MarkProgram, TestServer) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try await withServer(account.answer) { server in
        try await body(MarkProgram(.reader(on: server), in: folder), server)
      }
    }
  }

  private func changes(_ server: TestServer) -> Int { server.requests.count { $0.path.hasSuffix("edit-tag") } }

  @Test func `marks of a reader go both ways, each change once`() async throws {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(2), GoogleReaderAccount.Entry(1)])
    account.change { $0[1].isRead = true }
    try await withReader(account) { program, server in
      let (_, keys) = try await program.run(typing: "*")
      #expect(account.entries.map(\.isStarred) == [true, false] && account.entries.map(\.isRead) == [false, true])
      var records = program.log.load().records
      #expect(keys.map { records[$0].watched != nil } == [false, true] && records[keys[0]].has(.starred))
      account.change { $0[0].isStarred = false }
      _ = try await program.run()
      records = program.log.load().records
      #expect(!records[keys[0]].has(.starred) && records[keys[1]].watched == UnixTime(seconds: 1_700_000_001))
      #expect(changes(server) == 1)
    }
  }

  // MARK: - Jellyfin

  private func withJellyfin(
    _ account: JellyfinAccount, _ body: (MarkProgram, TestServer) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try await withServer(account.answer) { server in
        try await body(MarkProgram(.jellyfin(on: server), in: folder), server)
        #expect(server.requests.allSatisfy { !$0.target.contains(JellyfinAccount.token) })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
          let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
          #expect(!text.contains(JellyfinAccount.token))
        }
      }
    }
  }

  private func jellyfinChanges(_ server: TestServer) -> [String] {
    server.requests.filter { $0.method != "GET" }.map {
      "\($0.method) \($0.target) \(String(decoding: $0.body, as: UTF8.self))"
    }
  }

  @Test func `marks of Jellyfin go both ways, each change once`() async throws {
    let (account, data) = (JellyfinAccount(), "POST /UserItems/f1/UserData?userId=u1 ")
    account.change { $0["f2"] = ["IsFavorite"] }
    try await withJellyfin(account) { program, server in
      let (_, keys) = try await program.run(typing: "x")
      #expect(jellyfinChanges(server) == [data + #"{"Played":true}"#])
      #expect(account.marks == ["f1": ["Played"], "f2": ["IsFavorite"]])
      #expect(program.log.load().records[keys[0]].watched != nil && program.log.load().records[keys[1]].has(.starred))
      account.change { $0 = ["f1": ["Played", "IsFavorite"], "f2": []] }
      _ = try await program.run(typing: "x")
      #expect(jellyfinChanges(server).dropFirst() == [data + #"{"Played":false}"#])
      #expect(program.log.load().records[keys[0]].has(.starred) && !program.log.load().records[keys[1]].has(.starred))
      _ = try await program.run(typing: "*")
      #expect(jellyfinChanges(server).dropFirst(2) == [data + #"{"IsFavorite":false}"#])
      _ = try await program.run(typing: "*")
      #expect(jellyfinChanges(server).dropFirst(3) == [data + #"{"IsFavorite":true}"#])
      _ = try await program.run()
      #expect(jellyfinChanges(server).count == 4 && account.marks["f1"] == ["IsFavorite"])
    }
  }

  @Test func `of a Jellyfin user who may not change marks, the marks stay here`() async throws {
    let account = JellyfinAccount(changeStatus: 403)
    try await withJellyfin(account) { program, server in
      let (screen, keys) = try await program.run(typing: "x")
      #expect(screen.contains("Could not send your marks: the server answered 403 Forbidden"))
      _ = try await program.run()
      #expect(program.log.load().records[keys[0]].watched != nil && jellyfinChanges(server).count == 2)
    }
  }

  @Test func `an item that Jellyfin has deleted is not sent again`() async throws {
    let account = JellyfinAccount(changeStatus: 404)
    try await withJellyfin(account) { program, server in
      _ = try await program.run(typing: "x")
      _ = try await program.run()
      #expect(jellyfinChanges(server).count == 1)
    }
  }

  // MARK: - Failures

  @Test func `a mark that a server does not accept is sent by the next program`() async throws {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(1)])
    try await withReader(account) { program, server in
      account.answerChanges(with: [503])
      _ = try await program.run(typing: "x")
      #expect(!account.entries[0].isRead && changes(server) == 1)
      _ = try await program.run()
      #expect(account.entries[0].isRead && changes(server) == 2)
    }
  }

  @Test func `an answer that does not confirm a change leaves it unsent`() async throws {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(1)])
    try await withFolder { folder in
      try await withServer({ request in
        request.path.hasSuffix("edit-tag") ? TestBehaviour.answer(.html("Please log in")) : account.answer(request)
      }) { server in
        let program = MarkProgram(.reader(on: server), in: folder)
        let (_, keys) = try await program.run(typing: "x")
        _ = try await program.run()
        #expect(program.log.load().records[keys[0]].watched != nil && changes(server) == 2)
      }
    }
  }
}
