import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen

enum GlobalCommand: Equatable, Sendable {
  case typeCommand, showHelp, repaint, suspend
  /// Quits, or asks first if the key may have been pressed by mistake.
  case quit
  case quitAtOnce
  case control(PlayCommand)
}

enum BrowseCommand: Equatable, Sendable {
  case play, showPlaying, refreshOrRetry
  case copyPlaybackAddress, copyCoverAddress, openPage, openChannel
  case toggle(Mark)
  case undo
  case download, removeDownload
  case nextTab, previousTab
  /// The tab with this number, from 1.
  case selectTab(Int)
  /// The tab of all videos whose record has a value in this field.
  case selectRecords(UserField)
}

/// The commands for a failure of a tab's sources, which have priority over those of the cards.
enum FailureCommand: Equatable, Sendable {
  case retry, dismiss
}
