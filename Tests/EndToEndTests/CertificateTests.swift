import Foundation
import TestSupport
import Testing

/// Servers with self-signed certificates.
@Suite(.hangLimit, .serialized, .enabled(if: HTTPSFolder.isPossible, "openssl is not installed"))
struct CertificateTests {
  /// Makes a certificate for a name, serves a feed with it and lists that feed.
  private func list(certificateFor name: String, trusting file: String?) async throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let feed = #"{"data":{"info_list":[{"title":"Film","flv":"https://v.example/1.mp4"}],"end":1}}"#
    // The server treats a query, which only JSON addresses get, as a part of the file's name.
    try Data(feed.utf8).write(to: folder.appendingPathComponent("feed"))
    let script = HTTPSFolder.script(
      folder.path, .bodies, certificateFor: name, running: "'\(Feedfall.path)' list \"https://127.0.0.1:$port/feed\"")
    return try await run(
      "/bin/sh", ["-c", script],
      environment: file.map { ["SSL_CERT_FILE": folder.appendingPathComponent($0).path] } ?? [:])
  }

  @Test func `an untrusted certificate is refused`() async throws {
    let outcome = try await list(certificateFor: "IP:127.0.0.1", trusting: nil)
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix("feedfall: Could not load the videos: the certificate of 127.0.0.1 is not trusted."),
      "\(outcome.errors)")
  }

  @Test func `a certificate that the user has added is trusted`() async throws {
    let outcome = try await list(certificateFor: "IP:127.0.0.1", trusting: "own.pem")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("Film\t"))
  }

  @Test func `a trusted certificate for another host name is refused`() async throws {
    let outcome = try await list(certificateFor: "DNS:other.example", trusting: "own.pem")
    #expect(
      outcome.errors.hasPrefix(
        "feedfall: Could not load the videos: the certificate of 127.0.0.1 is for another name."),
      "\(outcome.errors)")
  }

  @Test func `a missing certificate file is reported`() async throws {
    let outcome = try await list(certificateFor: "IP:127.0.0.1", trusting: "none.pem")
    #expect(
      outcome.errors.hasPrefix(
        "feedfall: Could not load the videos: the certificates that SSL_CERT_FILE names could not be read."))
  }
}
