import Loading
import WaterfallEngine

/// How the cards are laid out.
public enum LayoutKind: String, CaseIterable, Sendable {
  case waterfall
  case grid
  case list
}

/// How far ahead of what is seen cards are loaded.
public enum ReadAhead: Equatable, Sendable {
  /// More is asked for when less than this many screens lie below what is seen.
  case screens(Int)
  /// More is asked for when fewer than this many cards lie behind the last one seen.
  case cards(Int)
}

/// What stays the same while the program runs, apart from the layout that it starts with.
public struct AppSettings: Equatable, Sendable {
  public var sourceName: String
  public var layout: LayoutKind
  public var columns: ColumnRule
  public var policy: LoaderPolicy
  public var readAhead: ReadAhead
  /// Whether a browser can be started here; where not, addresses are copied instead.
  public var hasBrowser: Bool
  /// Whether the terminal takes what is copied; where not, addresses are only shown.
  public var hasClipboard: Bool

  public init(sourceName: String) {
    self.sourceName = sourceName
    layout = .waterfall
    columns = .minimumWidth(24)
    policy = LoaderPolicy()
    readAhead = .screens(1)
    hasBrowser = false
    hasClipboard = true
  }
}
