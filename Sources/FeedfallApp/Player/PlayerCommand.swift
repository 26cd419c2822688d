import FeedfallScreen

enum PlayerCommand: Equatable, Sendable {
  case control(PlayCommand)
  case playNext, playPrevious
  case toggleFullWindow
  case pictureInPicture
  case leave
  case stop
}
