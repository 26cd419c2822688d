import Glibc

/// A connection of a client, with blocking calls.
struct TestConnection {
  private let descriptor: Int32
  private let isStopped: () -> Bool

  init(_ descriptor: Int32, isStopped: @escaping () -> Bool) {
    self.descriptor = descriptor
    self.isStopped = isStopped
  }

  func end() {
    close(descriptor)
  }

  /// Reads a request with its body; returns nil at the end of the connection and for invalid input.
  func readRequest() -> TestRequest? {
    var bytes: [UInt8] = []
    var end: Int?
    while end == nil {
      guard read(into: &bytes) else { return nil }
      end = bytes.endOfHead
    }
    guard let end, var request = TestRequest(head: Array(bytes[..<end])) else { return nil }
    let length = Int(request.headers["content-length"] ?? "") ?? 0
    while bytes.count < end + length { guard read(into: &bytes) else { return nil } }
    request.body = Array(bytes[end...].prefix(length))
    return request
  }

  /// Returns false at the end of the connection, for too many bytes and for those of TLS.
  private func read(into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    guard isReadable(withinMilliseconds: 10_000), bytes.count < 65_536 else { return false }
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0, buffer[0] != 0x16 || !bytes.isEmpty else { return false }
    bytes += buffer[..<count]
    return true
  }

  /// Returns whether the connection can serve another request.
  func carryOut(_ behaviour: TestBehaviour) -> Bool {
    switch behaviour {
    case .answer(let answer): send(answer.head + answer.body)
    case .answerAndStay(let answer):
      return send(answer.head.replacingClose() + answer.body)
    case .silence: waitForEnd(milliseconds: 30_000)
    case .drip(let answer, let pause): drip(answer, pause: pause)
    case .slow(let answer, let speed): slow(answer, bytesPerSecond: speed)
    case .late(let answer, let delay):
      waitForEnd(milliseconds: delay)
      send(answer.head + answer.body)
    case .stall(let answer, let count):
      send(answer.head + answer.body.prefix(count))
      waitForEnd(milliseconds: .max)
    case .cut(let answer, let count): send(answer.head + answer.body.prefix(count))
    case .reset(let answer, let count):
      send(answer.head + answer.body.prefix(count))
      reset()
    case .raw(let bytes): send(bytes)
    }
    shutdown(descriptor, Int32(SHUT_WR))
    return false
  }

  private func drip(_ answer: TestAnswer, pause: Int) {
    guard send(answer.head) else { return }
    for byte in answer.body {
      guard !waitForEnd(milliseconds: pause), send([byte]) else { return }
    }
  }

  private func slow(_ answer: TestAnswer, bytesPerSecond: Int) {
    guard send(answer.head) else { return }
    var rest = answer.body[...]
    while !rest.isEmpty {
      guard !waitForEnd(milliseconds: 50), send(Array(rest.prefix(bytesPerSecond / 20))) else { return }
      rest = rest.dropFirst(bytesPerSecond / 20)
    }
  }

  @discardableResult
  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Closes with a linger time of zero, which sends RST instead of FIN.
  private func reset() {
    waitForEnd(milliseconds: 20)
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Waits; returns whether the client closed the connection or the server was stopped meanwhile.
  @discardableResult
  private func waitForEnd(milliseconds: Int) -> Bool {
    var left = milliseconds
    while left > 0, !isStopped() {
      let part = min(left, 50)
      if isReadable(withinMilliseconds: part) { return true }
      left -= part
    }
    return isStopped()
  }

  private func isReadable(withinMilliseconds time: Int) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, Int32(clamping: time)) > 0
  }
}

extension [UInt8] {
  /// The index after the empty line.
  fileprivate var endOfHead: Int? {
    indices.first { self[$0] == 0x0D && self[$0...].starts(with: "\r\n\r\n".utf8) }.map { $0 + 4 }
  }

  fileprivate func replacingClose() -> [UInt8] {
    Array(String(decoding: self, as: UTF8.self).split(separator: "Connection: close\r\n").joined().utf8)
  }
}
