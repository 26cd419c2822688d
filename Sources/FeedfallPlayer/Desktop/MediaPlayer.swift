import FeedfallApp

/// MPRIS 2.2 (https://specifications.freedesktop.org/mpris-spec/latest/), without a connection or a clock.
struct MediaPlayer {
  enum Interface: String, CaseIterable {
    case root = "org.mpris.MediaPlayer2"
    case player = "org.mpris.MediaPlayer2.Player"

    var methods: [(name: String, arguments: [String])] {
      switch self {
      case .root: [("Raise", []), ("Quit", [])]
      case .player:
        [
          ("Next", []), ("Previous", []), ("Pause", []), ("PlayPause", []), ("Stop", []), ("Play", []), ("Seek", ["x"]),
          ("SetPosition", ["o", "x"]), ("OpenUri", ["s"]),
        ]
      }
    }
  }

  static let path = "/org/mpris/MediaPlayer2"
  static let propertiesInterface = "org.freedesktop.DBus.Properties"
  private static let writableProperties = ["LoopStatus", "Rate", "Shuffle", "Volume"]
  /// A position that differs by more from the expected one is a seek, in seconds.
  private static let seekThreshold = 0.5
  /// In characters.
  private static let maximumTextLength = 500
  private static let maximumAddressLength = 4_000

  private var now: NowPlaying
  private var time: ContinuousClock.Instant
  private(set) var track = 1
  private var hasJumped = false
  /// The properties that other programs know.
  private var published: [BusValue.Property]

  init(_ now: NowPlaying, at time: ContinuousClock.Instant) {
    (self.now, self.time) = (now, time)
    published = []
    published = properties(of: .player)
  }

  // MARK: - State

  mutating func update(_ new: NowPlaying, at time: ContinuousClock.Instant) -> Bool {
    // Two feeds may use the same ID.
    let isSameVideo = new.item.key == now.item.key
    if !isSameVideo { track += 1 }
    let jumps = isSameVideo && abs(new.position - position(at: time)) > Self.seekThreshold
    var old = now
    old.position = new.position
    hasJumped = hasJumped || jumps
    (now, self.time) = (new, time)
    return old != new || jumps
  }

  func position(at time: ContinuousClock.Instant) -> Double {
    guard now.status == .playing, !now.isWaiting else { return now.position }
    let position = now.position + (time - self.time) / .seconds(1) * now.rate
    return min(position, max(now.position, now.duration ?? position))
  }

  mutating func drainSignals(at time: ContinuousClock.Instant) -> [BusMessage] {
    let current = properties(of: .player)
    let changes = current.filter { !published.contains($0) }
    published = current
    defer { hasJumped = false }
    return (changes.isEmpty ? [] : [Self.changed(changes)]) + (hasJumped ? [seeked(at: time)] : [])
  }

  private static func changed(_ changes: [BusValue.Property]) -> BusMessage {
    BusMessage(
      path: path, interface: propertiesInterface, member: "PropertiesChanged",
      arguments: [.string(Interface.player.rawValue), .properties(changes), .strings([])])
  }

  private func seeked(at time: ContinuousClock.Instant) -> BusMessage {
    BusMessage(
      path: Self.path, interface: Interface.player.rawValue, member: "Seeked",
      arguments: [.int64(microseconds(position(at: time)))])
  }

  // MARK: - Properties

  private var trackPath: String { "/org/feedfall/track/\(track)" }

  /// All properties but the position, which changes all the time.
  func properties(of interface: Interface) -> [BusValue.Property] {
    switch interface {
    case .root:
      [
        ("CanQuit", .bool(false)), ("CanRaise", .bool(false)), ("HasTrackList", .bool(false)),
        ("Identity", .string("feedfall")), ("SupportedUriSchemes", .strings([])), ("SupportedMimeTypes", .strings([])),
      ].map(BusValue.Property.init)
    case .player:
      [
        ("PlaybackStatus", .string(statusName)), ("Rate", .double(now.rate)), ("Metadata", .properties(metadata)),
        ("Volume", .double(Double(now.volume) / 100)), ("LoopStatus", .string(now.loop.busName)),
        ("Shuffle", .bool(now.shuffles)),
        ("MinimumRate", .double(PlaySettings.rateRange.lowerBound)),
        ("MaximumRate", .double(PlaySettings.rateRange.upperBound)), ("CanGoNext", .bool(now.hasNext)),
        ("CanGoPrevious", .bool(now.hasPrevious)), ("CanPlay", .bool(true)),
        ("CanPause", .bool(now.status != .stopped)),
        ("CanSeek", .bool(now.status != .stopped && now.duration != nil)), ("CanControl", .bool(true)),
      ].map(BusValue.Property.init)
    }
  }

  private func properties(of interface: Interface, at time: ContinuousClock.Instant) -> [BusValue.Property] {
    let position = BusValue.Property(name: "Position", value: .int64(microseconds(position(at: time))))
    return properties(of: interface) + (interface == .player ? [position] : [])
  }

  private var statusName: String {
    switch now.status {
    case .playing: "Playing"
    case .paused: "Paused"
    case .stopped: "Stopped"
    }
  }

  private var metadata: [BusValue.Property] {
    let item = now.item
    let fields: [(String, BusValue?)] = [
      ("mpris:trackid", .path(trackPath)),
      ("mpris:length", now.duration.map { .int64(microseconds($0)) }),
      ("mpris:artUrl", address(item.cover?.text)),
      ("xesam:title", .string(text(item.title))),
      ("xesam:artist", item.artist.map { .strings([text($0)]) }),
      ("xesam:url", address(item.address?.text)),
    ]
    return fields.compactMap { name, value in value.map { BusValue.Property(name: name, value: $0) } }
  }

  private func text(_ text: String) -> String { String(text.prefix(Self.maximumTextLength)) }

  private func address(_ text: String?) -> BusValue? {
    text.flatMap { $0.utf8.count <= Self.maximumAddressLength ? .string($0) : nil }
  }

  private func microseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1e6).rounded()) ?? 0 }

  // MARK: - Calls

  func handle(_ call: BusMessage, at time: ContinuousClock.Instant) -> (reply: BusReply, command: RemoteCommand?) {
    switch call.interface {
    case "org.freedesktop.DBus.Peer": return (call.member == "Ping" ? .values([]) : .unknown(call), nil)
    case "org.freedesktop.DBus.Introspectable":
      return (call.member == "Introspect" ? .values([.string(introspection(of: call.path))]) : .unknown(call), nil)
    default: break
    }
    guard call.path == Self.path else { return (.failure(.unknownObject, "there is only \(Self.path)"), nil) }
    if call.interface == Self.propertiesInterface { return handleProperties(call, at: time) }
    switch Interface(rawValue: call.interface) {
    case .player: return handlePlayer(call)
    case .root where ["Raise", "Quit"].contains(call.member):
      return (.failure(.notSupported, "a terminal program cannot be raised or ended"), nil)
    case .root, nil: return (.unknown(call), nil)
    }
  }

  private func handlePlayer(_ call: BusMessage) -> (reply: BusReply, command: RemoteCommand?) {
    let (first, second, third) = call.firstArguments
    switch (call.member, first, second, third) {
    case ("Next", nil, nil, nil): return (.values([]), .next)
    case ("Previous", nil, nil, nil): return (.values([]), .previous)
    case ("Pause", nil, nil, nil): return (.values([]), .pause)
    case ("PlayPause", nil, nil, nil): return (.values([]), .togglePause)
    case ("Stop", nil, nil, nil): return (.values([]), .stop)
    case ("Play", nil, nil, nil): return (.values([]), .play)
    case ("Seek", .int64(let offset)?, nil, nil): return (.values([]), .seek(by: Double(offset) / 1e6))
    case ("SetPosition", .path(let track)?, .int64(let position)?, nil):
      let command = RemoteCommand.setPosition(Double(position) / 1e6, id: now.item.key.text)
      return (.values([]), track == trackPath ? command : nil)
    case ("OpenUri", .string?, nil, nil):
      return (.failure(.notSupported, "only feedfall chooses what it plays"), nil)
    default: return (.unknown(call), nil)
    }
  }

  private func handleProperties(
    _ call: BusMessage, at time: ContinuousClock.Instant
  ) -> (reply: BusReply, command: RemoteCommand?) {
    let (first, second, third) = call.firstArguments
    guard case .string(let name)? = first, let interface = Interface(rawValue: name) else {
      return (.failure(.invalidArguments, "there is no such interface"), nil)
    }
    let properties = properties(of: interface, at: time)
    switch (call.member, second, third) {
    case ("GetAll", nil, nil): return (.values([.properties(properties)]), nil)
    case ("Get", .string(let name)?, nil):
      let value = properties.first { $0.name == name }.map { BusReply.values([.variant($0.value)]) }
      return (value ?? .noProperty, nil)
    case ("Set", .string(let name)?, let value?):
      return properties.contains { $0.name == name } ? set(name, value) : (.noProperty, nil)
    default: return (.unknown(call), nil)
    }
  }

  private func set(_ name: String, _ value: BusValue) -> (reply: BusReply, command: RemoteCommand?) {
    guard Self.writableProperties.contains(name) else { return (.failure(.readOnly, "it cannot be set"), nil) }
    switch (name, value) {
    case ("Volume", .variant(.double(let share))) where share.isFinite:
      return (.values([]), .setVolume(Int((min(max(0, share), 1) * 100).rounded())))
    case ("Rate", .variant(.double(let rate))) where rate.isFinite: return (.values([]), Self.command(forRate: rate))
    case ("LoopStatus", .variant(.string(let name))):
      let mode = LoopMode.allCases.first { $0.busName == name }
      return mode.map { (.values([]), .setLoop($0)) } ?? (.failure(.invalidArguments, "there is no such loop"), nil)
    case ("Shuffle", .variant(.bool(let shuffles))): return (.values([]), .setShuffle(shuffles))
    default: return (.failure(.invalidArguments, "it has another type"), nil)
    }
  }

  /// The specification demands that a rate of 0 pauses, and that rates out of range are ignored.
  private static func command(forRate rate: Double) -> RemoteCommand? {
    if rate == 0 { return .pause }
    return PlaySettings.rateRange.contains(rate) ? .setRate(rate) : nil
  }

  /// As XML (https://dbus.freedesktop.org/doc/dbus-specification.html#introspection-format).
  func introspection(of path: String) -> String {
    "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\" "
      + "\"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">\n<node>\n"
      + (path == Self.path ? Interface.allCases.map(description).joined() + Self.properties : Self.child(of: path))
      + "</node>\n"
  }

  private static func child(of parent: String) -> String {
    let prefix = parent == "/" ? "/" : parent + "/"
    guard path.hasPrefix(prefix), let name = path.dropFirst(prefix.count).split(separator: "/").first else { return "" }
    return "  <node name=\"\(name)\"/>\n"
  }

  private func description(of interface: Interface) -> String {
    let methods = interface.methods.map { method in
      let arguments = method.arguments.map { "<arg direction=\"in\" type=\"\($0)\"/>" }.joined()
      return "    <method name=\"\(method.name)\">\(arguments)</method>\n"
    }
    let properties = properties(of: interface).map {
      Self.property($0.name, $0.value.signature, isWritable: Self.writableProperties.contains($0.name))
    }
    let position =
      interface == .player
      ? [Self.property("Position", "x"), "    <signal name=\"Seeked\"><arg type=\"x\"/></signal>\n"] : []
    return "  <interface name=\"\(interface.rawValue)\">\n" + (methods + properties + position).joined()
      + "  </interface>\n"
  }

  private static func property(_ name: String, _ type: String, isWritable: Bool = false) -> String {
    "    <property name=\"\(name)\" type=\"\(type)\" access=\"\(isWritable ? "readwrite" : "read")\"/>\n"
  }

  private static let properties = """
      <interface name="\(propertiesInterface)">
        <method name="Get">
          <arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="v"/>
        </method>
        <method name="GetAll"><arg direction="in" type="s"/><arg direction="out" type="a{sv}"/></method>
        <method name="Set">
          <arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="v"/>
        </method>
        <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
      </interface>

    """
}

extension LoopMode {
  fileprivate var busName: String {
    switch self {
    case .off: "None"
    case .video: "Track"
    case .list: "Playlist"
    }
  }
}

extension BusMessage {
  /// Too many arguments count as one argument of an unknown type.
  fileprivate var firstArguments: (BusValue?, BusValue?, BusValue?) {
    guard arguments.count <= 3 else { return (.other, nil, nil) }
    let padded = arguments.map(Optional.some) + [nil, nil, nil]
    return (padded[0], padded[1], padded[2])
  }
}

extension BusReply {
  fileprivate static let noProperty = BusReply.failure(.unknownProperty, "there is no such property")

  fileprivate static func unknown(_ call: BusMessage) -> BusReply {
    .failure(.unknownMethod, "there is no such method with these arguments")
  }
}
