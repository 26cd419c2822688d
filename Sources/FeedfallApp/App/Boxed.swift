/// A large value in memory of its own. The state is copied for each event, so it has to be small.
@propertyWrapper
indirect enum Boxed<Value: Sendable>: Sendable {
  case value(Value)

  init(wrappedValue: Value) { self = .value(wrappedValue) }

  var wrappedValue: Value {
    get {
      switch self {
      case .value(let value): value
      }
    }
    set { self = .value(newValue) }
  }
}

extension Boxed: Equatable where Value: Equatable {}
