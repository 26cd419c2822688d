import WaterfallEngine

/// The proportions of the film in the corner. They change at most once a second, because an adaptive stream can change
/// those of its picture at any time, and each change configures the player anew.
struct FilmShape: Equatable, Sendable {
  private enum Phase: Equatable {
    case unknown
    /// `pause`: the time before the next change; nil once it has elapsed.
    case known(aspect: Double, pause: Ticket?)
  }
  private var phase = Phase.unknown

  private static let pause = Duration.seconds(1)
  /// Smaller changes, such as by rounding, are at most a cell or two.
  private static let leastChange = 0.02
  private static let aspects = 0.4...4.0

  /// The width divided by the height, within 0.4 to 4; nil before the film is loaded.
  var aspect: Double? { if case .known(let aspect, _) = phase { aspect } else { nil } }

  static func aspect(of picture: Size) -> Double {
    let aspect = Double(max(1, picture.width)) / Double(max(1, picture.height))
    return min(max(aspect, aspects.lowerBound), aspects.upperBound)
  }

  mutating func update(_ picture: Size?, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard let picture else { return [] }
    let new = Self.aspect(of: picture)
    if case .known(let aspect, let pause) = phase, pause != nil || abs(new / aspect - 1) < Self.leastChange {
      return []
    }
    let ticket = tickets.next()
    phase = .known(aspect: new, pause: ticket)
    return [.wait(Self.pause, .filmShape(ticket))]
  }

  mutating func pauseElapsed(_ ticket: Ticket) {
    if case .known(let aspect, ticket) = phase { phase = .known(aspect: aspect, pause: nil) }
  }

  mutating func reset() -> [AppEffect] {
    defer { phase = .unknown }
    if case .known(_, let pause?) = phase { return [.cancel(pause)] }
    return []
  }
}
