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

  /// Reads a request up to its empty line; returns nil at the end of the connection and for invalid input.
  func readHead() -> [UInt8]? {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !head.ends(with: Array("\r\n\r\n".utf8)) {
      guard isReadable(withinMilliseconds: 10_000), head.count < 65_536 else { return nil }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0, buffer[0] != 0x16 || !head.isEmpty else { return nil }
      head += buffer[..<count]
    }
    return head
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
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }

  fileprivate func replacingClose() -> [UInt8] {
    Array(String(decoding: self, as: UTF8.self).split(separator: "Connection: close\r\n").joined().utf8)
  }
}
