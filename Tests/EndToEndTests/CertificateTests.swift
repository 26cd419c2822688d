import Foundation
import TestSupport
import Testing

/// Servers with self-signed certificates.
@Suite(.hangLimit, .serialized, .enabled(if: OpenSSL.isInstalled, "openssl is not installed"))
struct CertificateTests {
  /// Makes a certificate for a name, serves a feed with it and lists that feed.
  private func list(certificateFor name: String, trusting file: String?) async throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let feed = #"{"data":{"info_list":[{"title":"Film","flv":"https://v.example/1.mp4"}],"end":1}}"#
    // The server treats a query, which only JSON addresses get, as a part of the file's name.
    try Data(feed.utf8).write(to: folder.appendingPathComponent("feed"))
    let script = """
      cd '\(folder.path)' || exit 99
      openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out own.pem -days 2 -subj /CN=feedfall \
        -addext 'subjectAltName=\(name)' 2>/dev/null || exit 98
      : >server.log
      openssl s_server -accept 127.0.0.1:0 -key key.pem -cert own.pem -WWW >>server.log 2>&1 &
      server=$!
      trap 'kill $server' EXIT
      until port=$(sed -n 's/^ACCEPT .*:\\([0-9][0-9]*\\)$/\\1/p' server.log) && [ -n "$port" ]; do
        kill -0 $server || exit 97
      done
      '\(Feedfall.path)' list "https://127.0.0.1:$port/feed"
      """
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

private enum OpenSSL {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
}
