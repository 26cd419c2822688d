import Foundation
import Glibc

/// A session bus of its own for a test.
public final class TestBus {
  /// The value of DBUS_SESSION_BUS_ADDRESS.
  public let address: String
  private let socket: String
  private var daemon: Process?

  /// The path of dbus-daemon; nil if it is not installed.
  public static let path = installedProgram("dbus-daemon")

  /// Starts a bus whose socket is in this folder.
  public init(in folder: String) throws {
    socket = folder + "/bus"
    address = "unix:path=" + socket
    try start()
  }

  deinit { stop() }

  /// Starts it again after a stop, and waits until it accepts connections.
  public func start() throws {
    guard let path = Self.path else { throw TestFailure("dbus-daemon is not installed") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--session", "--nofork", "--nopidfile", "--address=\(address)"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    daemon = process
    try blockUntil("dbus-daemon listens") { acceptsConnections }
  }

  private var acceptsConnections: Bool {
    let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    let path = socket.utf8CString
    withUnsafeMutableBytes(of: &place.sun_path) { bytes in
      path.withUnsafeBytes { bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(bytes.count))) }
    }
    return withUnsafePointer(to: &place) { start in
      start.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Ends it, as if it had crashed.
  public func stop() {
    guard let daemon else { return }
    daemon.end()
    self.daemon = nil
    try? FileManager.default.removeItem(atPath: socket)
  }
}

/// The path of a program; nil if it is not installed.
public func installedProgram(_ name: String) -> String? {
  ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
}
