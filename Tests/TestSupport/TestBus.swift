import Foundation

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
    process.arguments = ["--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    daemon = process
    // It prints its address once it listens.
    guard !output.fileHandleForReading.availableData.isEmpty else { throw TestFailure("dbus-daemon has ended") }
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
