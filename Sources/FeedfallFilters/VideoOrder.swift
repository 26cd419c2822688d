/// The orders of videos that the user can choose.
public enum VideoOrder: String, CaseIterable, Sendable {
  /// The order of the feed.
  case feed
  case newest, oldest, shortest, longest, title
  /// The most viewed first.
  case views
  /// The last watched first.
  case watched
  /// The order of the queue.
  case queue
  /// The last requested download first.
  case downloaded
  /// Random; different in each run of the program.
  case random

  /// Whether the user's records determine the order.
  public var dependsOnRecord: Bool { self == .watched || self == .queue || self == .downloaded }
}
