import CFeedfall
import FeedfallSystem
import FeedfallText

struct BusMessage: Equatable, Sendable {
  var path: String
  /// Empty if the caller has not named one.
  var interface: String
  var member: String
  /// The first ones of a received call; further ones are dropped.
  var arguments: [BusValue] = []
}

enum BusReply: Equatable, Sendable {
  case values([BusValue])
  case failure(Failure, String)

  enum Failure: String {
    case unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    case readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    case notSupported = "org.freedesktop.DBus.Error.NotSupported"
    case tooManyCalls = "org.freedesktop.DBus.Error.LimitsExceeded"
  }
}

/// A connection to the session bus, to be used by one thread.
/// All names that it sends are valid, because libdbus ends the program otherwise.
final class BusConnection {
  private let bus: bus_functions
  private let connection: OpaquePointer

  enum Received: Equatable, Sendable {
    case call(BusMessage)
    /// The values that a call has returned; nil if it has failed.
    case reply(serial: UInt32, [BusValue]?)
    case other
  }

  /// Connects to the session bus without waiting for its answer; nil if there is no bus or no libdbus.
  init?(_ environment: Environment = .process) {
    guard let address = Self.address(in: environment), let bus = bus_functions()?.pointee,
      let connection = bus_open(address)
    else { return nil }
    (self.bus, self.connection) = (bus, connection)
  }

  deinit { bus_close(connection) }

  /// No bus is started.
  static func address(in environment: Environment) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
      return address.hasPrefix("autolaunch") ? nil : address
    }
    guard let folder = environment.folder("XDG_RUNTIME_DIR") else { return nil }
    return "unix:path=" + escaped(folder + "/bus")
  }

  private static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-_/.".contains(character))
      text += isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// Exchanges data once that is possible, or returns when a descriptor is readable; false if the connection has ended.
  func wait(for descriptor: Int32 = -1, milliseconds: Int32 = -1) -> Bool {
    bus_wait(connection, descriptor, milliseconds) != 0
  }

  /// Sends the reply of the closure. Returns false if there is no message.
  func handleNext(_ handle: (Received) -> BusReply?) -> Bool {
    guard let message = bus_next(connection) else { return false }
    defer { bus.message_unref(message) }
    let reply = handle(content(of: message))
    if let reply, bus.message_get_no_reply(message) == 0 { send(reply, to: message) }
    return true
  }

  private func content(of message: OpaquePointer) -> Received {
    switch bus.message_get_type(message) {
    case BUS_METHOD_CALL:
      .call(
        BusMessage(
          path: String(bus.message_get_path(message)), interface: String(bus.message_get_interface(message)),
          member: String(bus.message_get_member(message)), arguments: Reader.values(of: message, bus)))
    case BUS_METHOD_RETURN:
      .reply(serial: bus.message_get_reply_serial(message), Reader.values(of: message, bus))
    case BUS_ERROR: .reply(serial: bus.message_get_reply_serial(message), nil)
    default: .other
    }
  }

  private func send(_ reply: BusReply, to call: OpaquePointer) {
    switch reply {
    case .values(let values): send(bus.message_new_method_return(call), values)
    case .failure(let failure, let text): send(bus.message_new_error(call, failure.rawValue, text), [])
    }
  }

  func send(signal: BusMessage) {
    send(bus.message_new_signal(signal.path, signal.interface, signal.member), signal.arguments)
  }

  /// Nil if it could not be sent.
  @discardableResult
  func send(_ call: BusMessage, to name: String) -> UInt32? {
    send(bus.message_new_method_call(name, call.path, call.interface, call.member), call.arguments)
  }

  @discardableResult
  private func send(_ message: OpaquePointer?, _ values: [BusValue]) -> UInt32? {
    guard let message else { return nil }
    var writer = Writer(bus, message)
    for value in values { writer.append(value) }
    let serial = bus_send(connection, message)
    return serial == 0 ? nil : serial
  }

  func requestName(_ name: String) {
    let doesNotQueue: UInt32 = 4
    send(
      BusMessage(
        path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "RequestName",
        arguments: [.string(name), .uint32(doesNotQueue)]), to: "org.freedesktop.DBus")
  }

  /// Waits for the values that a method of another program returns; nil if it fails or does not answer in time.
  func call(_ call: BusMessage, of name: String, milliseconds: Int) -> [BusValue]? {
    guard let serial = send(call, to: name) else { return nil }
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    var answer: [BusValue]??
    while true {
      // Other programs may send messages without end.
      while answer == nil, deadline > .now,
        handleNext({
          if case .reply(serial, let values) = $0 { answer = .some(values) }
          return nil
        })
      {}
      if let answer { return answer }
      let rest = (deadline - .now) / .milliseconds(1)
      guard rest > 0, wait(milliseconds: Int32(rest.rounded(.up))) else { return nil }
    }
  }
}

extension String {
  fileprivate init(_ field: UnsafePointer<CChar>?) { self = field.map { String(cString: $0) } ?? "" }
}

/// Shows notifications on the desktop (https://specifications.freedesktop.org/notification-spec/latest/).
public enum DesktopNotifier {
  private static let service = "org.freedesktop.Notifications"
  /// In characters.
  private static let maximumTitleLength = 200
  private static let maximumBodyLength = 2_000

  /// Blocks the thread until the desktop has confirmed the notification, at most about two seconds. Returns whether it
  /// has; false without a session bus or libdbus.
  public static func notify(title: String, body: String) -> Bool { notify(title: title, body: body, in: .process) }

  static func notify(title: String, body: String, in environment: Environment) -> Bool {
    guard let connection = BusConnection(environment) else { return false }
    let isMarkup = capabilities(connection).contains("body-markup")
    let text = String(body.prefix(maximumBodyLength))
    let arguments: [BusValue] = [
      .string("feedfall"), .uint32(0), .string(""), .string(String(title.prefix(maximumTitleLength))),
      .string(isMarkup ? text.escapedMarkup : text), .strings([]), .properties([]), .int32(-1),
    ]
    return connection.call(method("Notify", arguments), of: service, milliseconds: 1_000) != nil
  }

  private static func capabilities(_ connection: BusConnection) -> [String] {
    let values = connection.call(method("GetCapabilities"), of: service, milliseconds: 1_000)
    if case .strings(let names)? = values?.first { return names }
    return []
  }

  private static func method(_ name: String, _ arguments: [BusValue] = []) -> BusMessage {
    BusMessage(path: "/org/freedesktop/Notifications", interface: service, member: name, arguments: arguments)
  }
}
