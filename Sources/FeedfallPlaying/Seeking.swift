/// The places that are sought, one at a time: while one is under way only the newest wish is kept.
struct Seeking: Equatable, Sendable {
  /// In seconds.
  private(set) var underWay: Double?
  private(set) var next: Double?

  /// Where it will be in the end; nil while nothing is sought.
  var target: Double? { next ?? underWay }

  /// The place to order now, where there is one.
  mutating func wish(_ place: Double, isReady: Bool) -> Double? {
    guard isReady, underWay == nil else {
      next = place
      return nil
    }
    underWay = place
    return place
  }

  /// What was kept is to be ordered now: the place that was under way is there, or the film is.
  mutating func proceed() -> Double? {
    underWay = next
    next = nil
    return underWay
  }
}
