import FeedfallSystem
import FeedfallText

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

extension BusConnection {
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
