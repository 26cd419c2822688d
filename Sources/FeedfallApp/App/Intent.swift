/// A request of a screen that affects more than the screen itself.
enum Intent: Equatable, Sendable {
  case showMessage(String)
  case ask(RedirectQuestion)
  /// Reports a change by the player, and how to undo it.
  case offerUndo(UndoOffer)
  case loadMore
  /// Keeps the last card selected while the rest of a local feed is loaded.
  case followEnd
  /// Retries after a visible failure, otherwise refreshes.
  case refreshOrRetry
  case dismissFailure
  case openDetails, closeDetails
  case showSelectedVideo
  case completeDetails
  case showVideo(by: Int)
  case changeLayout(by: Int)
  /// Sorts the selected tab, reverses its order, or restores the tab's own.
  case sort(CardOrder.Column)
  case chooseNextOrder
  case beginSearch, beginFilter, clearFilter
  case openChannel
  case beginServerSearch
  /// Opens the command prompt with initial text.
  case typeCommand(String)
  case perform(GlobalCommand)
  case toggleQueued
  /// Puts the selected video at the head of the queue, and plays it after the playing one.
  case queueNext
  case moveInQueue(by: Int)
  case changeTab(by: Int)
  /// The place of the tab in the bar, from 0.
  case selectTab(Int)
  /// Plays the selected video in its details, or pauses it.
  case play
  /// Plays only the audio of the selected video, or toggles audio only for the playing one.
  case playSoundOnly
  case start(PlayItem)
  case control(PlayCommand)
  /// Closes the details that were opened by playing a video.
  case leavePlayer
  case playNeighbor(by: Int)
  /// Plays the next video after one has ended.
  case playNext
  /// Requests the address of the next video again.
  case retryPlayback
  case enterFullWindow
  case showPlaying
  case togglePictureInPicture
  case showControls
  case savePosition(PlayPosition)
  case effect(AppEffect)
}
