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
    return "unix:path=" + PercentCoding.encode(folder.utf8, except: "-_/.") + "/bus"
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

  struct Writer {
    private let bus: bus_functions
    private var place = DBusMessageIter()

    init(_ bus: bus_functions, _ message: OpaquePointer) {
      self.bus = bus
      bus.message_iter_init_append(message, &place)
    }

    mutating func append(_ value: BusValue) {
      switch value {
      case .bool(let value): append(UInt32(value ? 1 : 0), BUS_BOOLEAN)
      case .int32(let value): append(value, BUS_INT32)
      case .uint32(let value): append(value, BUS_UINT32)
      case .int64(let value): append(value, BUS_INT64)
      case .double(let value): append(value, BUS_DOUBLE)
      case .string(let text): append(text, BUS_STRING)
      case .path(let text): append(text, BUS_PATH)
      case .strings(let texts):
        appendContainer(BUS_ARRAY, "s") { inner in
          for text in texts { inner.append(text, BUS_STRING) }
        }
      case .properties(let properties):
        appendContainer(BUS_ARRAY, "{sv}") { inner in
          for property in properties { inner.append(property) }
        }
      case .variant(let value): appendContainer(BUS_VARIANT, value.signature) { $0.append(value) }
      case .other: append(.variant(.string("")))
      }
    }

    private mutating func append(_ property: BusValue.Property) {
      appendContainer(BUS_ENTRY, nil) { entry in
        entry.append(property.name, BUS_STRING)
        entry.append(.variant(property.value))
      }
    }

    private mutating func append<Number>(_ number: Number, _ type: Int32) {
      withUnsafeBytes(of: number) { bytes in
        guard let start = bytes.baseAddress else { return }
        _ = bus.message_iter_append_basic(&place, type, start)
      }
    }

    private mutating func append(_ text: String, _ type: Int32) {
      text.withCString { start in append(start, type) }
    }

    private mutating func appendContainer(_ type: Int32, _ signature: String?, _ fill: (inout Writer) -> Void) {
      var inner = self
      guard bus.message_iter_open_container(&place, type, signature, &inner.place) != 0 else { return }
      fill(&inner)
      _ = bus.message_iter_close_container(&place, &inner.place)
    }
  }

  struct Reader {
    private let bus: bus_functions
    private var place = DBusMessageIter()

    /// More than any supported method has.
    private static let maximumArgumentCount = 8
    private static let maximumTextCount = 100

    private init(_ bus: bus_functions) { self.bus = bus }

    static func values(of message: OpaquePointer, _ bus: bus_functions) -> [BusValue] {
      var reader = Reader(bus)
      guard bus.message_iter_init(message, &reader.place) != 0 else { return [] }
      var values: [BusValue] = []
      while values.count < maximumArgumentCount, reader.type != BUS_END {
        values.append(reader.value())
        _ = bus.message_iter_next(&reader.place)
      }
      return values
    }

    private var type: Int32 { mutating get { bus.message_iter_get_arg_type(&place) } }

    private mutating func value() -> BusValue {
      switch type {
      case BUS_VARIANT:
        var inner = inner()
        return .variant(inner.plainValue())
      case BUS_ARRAY: return texts()
      default: return plainValue()
      }
    }

    private mutating func plainValue() -> BusValue {
      switch type {
      case BUS_BOOLEAN: .bool(number(UInt32(0)) != 0)
      case BUS_INT32: .int32(number(0))
      case BUS_UINT32: .uint32(number(0))
      case BUS_INT64: .int64(number(0))
      case BUS_DOUBLE: .double(number(0))
      case BUS_STRING: .string(text())
      case BUS_PATH: .path(text())
      default: .other
      }
    }

    private mutating func inner() -> Reader {
      var inner = Reader(bus)
      bus.message_iter_recurse(&place, &inner.place)
      return inner
    }

    private mutating func texts() -> BusValue {
      var inner = inner()
      var texts: [String] = []
      while texts.count < Self.maximumTextCount, inner.type == BUS_STRING {
        texts.append(inner.text())
        _ = bus.message_iter_next(&inner.place)
      }
      return inner.type == BUS_END || !texts.isEmpty ? .strings(texts) : .other
    }

    private mutating func number<Number: BitwiseCopyable>(_ zero: Number) -> Number {
      var number = zero
      bus.message_iter_get_basic(&place, &number)
      return number
    }

    private mutating func text() -> String {
      var start: UnsafePointer<CChar>?
      bus.message_iter_get_basic(&place, &start)
      return String(start)
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

enum BusValue: Equatable, Sendable {
  case bool(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case double(Double)
  case string(String)
  case path(String)
  case strings([String])
  /// Names and values of different types.
  case properties([Property])
  indirect case variant(BusValue)
  /// A received value of another type.
  case other

  struct Property: Equatable, Sendable {
    var name: String
    var value: BusValue
  }

  /// The type in D-Bus's notation.
  var signature: String {
    switch self {
    case .bool: "b"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .strings: "as"
    case .properties: "a{sv}"
    case .variant, .other: "v"
    }
  }
}
