import CFeedfall

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

extension BusConnection {
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
        values.append(reader.value)
        _ = bus.message_iter_next(&reader.place)
      }
      return values
    }

    private var type: Int32 { mutating get { bus.message_iter_get_arg_type(&place) } }

    private var value: BusValue {
      mutating get {
        switch type {
        case BUS_VARIANT:
          var inner = inner
          return .variant(inner.plainValue)
        case BUS_ARRAY: return texts
        default: return plainValue
        }
      }
    }

    private var plainValue: BusValue {
      mutating get {
        switch type {
        case BUS_BOOLEAN: .bool(number(UInt32(0)) != 0)
        case BUS_INT32: .int32(number(0))
        case BUS_UINT32: .uint32(number(0))
        case BUS_INT64: .int64(number(0))
        case BUS_DOUBLE: .double(number(0))
        case BUS_STRING: .string(text)
        case BUS_PATH: .path(text)
        default: .other
        }
      }
    }

    private var inner: Reader {
      mutating get {
        var inner = Reader(bus)
        bus.message_iter_recurse(&place, &inner.place)
        return inner
      }
    }

    private var texts: BusValue {
      mutating get {
        var inner = inner
        var texts: [String] = []
        while texts.count < Self.maximumTextCount, inner.type == BUS_STRING {
          texts.append(inner.text)
          _ = bus.message_iter_next(&inner.place)
        }
        return inner.type == BUS_END || !texts.isEmpty ? .strings(texts) : .other
      }
    }

    private mutating func number<Number: BitwiseCopyable>(_ zero: Number) -> Number {
      var number = zero
      bus.message_iter_get_basic(&place, &number)
      return number
    }

    private var text: String {
      mutating get {
        var start: UnsafePointer<CChar>?
        bus.message_iter_get_basic(&place, &start)
        return start.map { String(cString: $0) } ?? ""
      }
    }
  }
}
