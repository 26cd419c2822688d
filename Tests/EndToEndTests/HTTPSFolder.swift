import Foundation

/// A folder that openssl serves over https while a command runs.
enum HTTPSFolder {
  enum Content: String {
    /// The files are bodies.
    case bodies = "-WWW"
    /// The files are whole answers with their headers.
    case answers = "-HTTP"
  }

  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  /// Returns a script for `sh` that makes the certificate `own.pem`, starts the server and runs a command in the
  /// folder, in which `$port` is that of the server.
  static func script(
    _ folder: String, _ content: Content, certificateFor name: String = "IP:127.0.0.1", running command: String
  ) -> String {
    """
    cd '\(folder)' || exit 99
    openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out own.pem -days 2 -subj /CN=feedfall \
      -addext 'subjectAltName=\(name)' 2>/dev/null || exit 98
    : >server.log
    openssl s_server -accept 127.0.0.1:0 -key key.pem -cert own.pem \(content.rawValue) >>server.log 2>&1 </dev/null &
    server=$!
    trap 'kill $server' EXIT
    until port=$(sed -n 's/^ACCEPT .*:\\([0-9][0-9]*\\)$/\\1/p' server.log) && [ -n "$port" ]; do
      kill -0 $server || exit 97
    done
    \(command)
    """
  }

  /// Returns a whole answer that redirects.
  static func redirect(to address: String) -> String {
    "HTTP/1.0 302 Found\r\nLocation: \(address)\r\nSet-Cookie: a=1\r\n\r\n"
  }

  /// Returns a feed whose only video has this address.
  static func feed(of film: String) -> String {
    #"{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","title":"Film","attachments":["#
      + #"{"url":"\#(film)","mime_type":"video/mp4"}]}]}"#
  }
}
