import FeedfallText

/// Where a video can be played from.
public enum Playback: Equatable, Sendable {
  /// Media addresses, the preferred one first; never empty.
  case direct([MediaFile])
  /// A web page from which a player finds the video itself.
  case page(WebAddress)
  /// A second request tells; `page` plays until then, where the player can.
  case details(WebAddress, page: WebAddress?)
  case unknown
}
