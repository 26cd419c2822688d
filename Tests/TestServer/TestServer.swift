import Glibc
import Synchronization

/// An HTTP server on the loopback interface with scripted misbehavior; every connection has a thread of its own.
public final class TestServer: Sendable {
  public typealias Answering = @Sendable (TestRequest) -> TestBehaviour

  public let port: Int
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var isStopped = false
    var requests: [TestRequest] = []
  }

  /// Starts on a free port.
  public init(_ answering: @escaping Answering) throws(TestServerError) {
    let (listener, port) = try Self.listen()
    self.listener = listener
    self.port = port
    startThread { [self] in accept(answering) }
  }

  /// Starts a server that answers by path, and 404 to all others.
  public convenience init(_ routes: [String: TestBehaviour]) throws(TestServerError) {
    try self.init { request in
      routes[request.path] ?? .answer(TestAnswer(#"{"detail": "no route"}"#, status: 404))
    }
  }

  /// For example `http://127.0.0.1:1234`.
  public var origin: String { "http://127.0.0.1:\(port)" }

  /// All requests so far, in the order of their arrival.
  public var requests: [TestRequest] { state.withLock { $0.requests } }

  /// Stops listening and ends all connections soon.
  public func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
    if !wasStopped { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  // MARK: - Connections

  private static func listen() throws(TestServerError) -> (listener: Int32, port: Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw TestServerError(call: "socket", error: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let error = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && Glibc.listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0 ? 0 : errno
      }
    }
    guard error == 0 else { throw TestServerError(call: "bind", error: error) }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  private func accept(_ answering: @escaping Answering) {
    while !isStopped {
      let connection = Glibc.accept(listener, nil, nil)
      guard connection >= 0 else { break }
      startThread { [self] in serve(connection, answering) }
    }
    close(listener)
  }

  private func serve(_ descriptor: Int32, _ answering: Answering) {
    let connection = TestConnection(descriptor) { [self] in isStopped }
    defer { connection.end() }
    while let request = connection.readRequest() {
      state.withLock { $0.requests.append(request) }
      guard connection.carryOut(answering(request)) else { return }
    }
  }
}

public struct TestServerError: Error, Equatable {
  public var call: String
  public var error: Int32
}
