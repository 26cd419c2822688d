import TestSupport
import Testing

/// What servers, files and pictures of the world look like, each as a check by name. The helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct ServerCaseTable {
  @Test(arguments: connections) func `redirects, names and slow lines`(_ row: Case) async throws {
    try await row.check()
  }
  @Test(arguments: bodies) func `bodies and names of downloads`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: files) func `files and paths`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pages) func `pages and streams`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: loads) func `loading of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: candidates) func `choice of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pictures) func `decoding of pictures`(_ row: Case) async throws { try await row.check() }

  static let connections: [Case] = []

  static let bodies: [Case] = []

  static let files: [Case] = []

  static let pages: [Case] = []

  static let loads: [Case] = []

  static let candidates: [Case] = []
}
