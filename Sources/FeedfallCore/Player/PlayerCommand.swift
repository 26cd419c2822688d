import FeedfallPlaying
import FeedfallScreen

enum PlayerCommand: Equatable, Sendable {
  /// A command for the playing video itself.
  case wish(PlayCommand)
  case playNext, playPrevious
  case toggleFullWindow
  /// Back to the cards, with the picture in their corner.
  case pictureInPicture
  /// Back to the cards, while the video goes on.
  case leave
  /// From the full window to the pane, from there to the end.
  case stop

  static let keymap = Keymap<PlayerCommand>(title: "Player", rows: playback + sound + picture + screen)

  private static let playback: [Keymap<PlayerCommand>.Row] =
    [
      .init("player.pause", .character(" "), command: .wish(.togglePause), help: "pause or resume"),
      .init("player.back", .left, command: .wish(.seek(.by(-5))), help: "5 s back"),
      .init("player.forward", .right, command: .wish(.seek(.by(5))), help: "5 s forward"),
      .init("player.back-far", .shiftLeft, command: .wish(.seek(.by(-15))), help: "15 s back"),
      .init("player.forward-far", .shiftRight, command: .wish(.seek(.by(15))), help: "15 s forward"),
    ]
    + (0...9).map { tenth in
      .init(
        "player.jump-\(tenth * 10)", .character(Character(String(tenth))),
        command: .wish(.seek(.share(Double(tenth) / 10))), help: "jump to 0 % … 90 %")
    } + [
      .init("player.play-next", .character("n"), command: .playNext, help: "play the next video"),
      .init("player.play-previous", .character("p"), command: .playPrevious, help: "play the previous video"),
      .init("player.toggle-autoplay", .character("N"), command: .wish(.toggleAutoplay), help: "toggle autoplay"),
      .init("player.replay", .character("r"), command: .wish(.again), help: "replay, or retry after a failure"),
      .init("player.faster", .character("]"), command: .wish(.changeRate(faster: true)), help: "faster"),
      .init("player.slower", .character("["), command: .wish(.changeRate(faster: false)), help: "slower"),
    ]

  private static let sound: [Keymap<PlayerCommand>.Row] = [
    .init(
      "player.volume-up", .character("+"), .character("="), command: .wish(.changeVolume(by: 5)), help: "volume up"),
    .init("player.volume-down", .character("-"), command: .wish(.changeVolume(by: -5)), help: "volume down"),
    .init("player.toggle-mute", .character("m"), command: .wish(.toggleMute), help: "mute or unmute"),
    .init("player.next-audio-track", .character("A"), command: .wish(.cycleSoundTracks), help: "next audio track"),
    .init("player.next-subtitles", .character("c"), command: .wish(.cycleSubtitles), help: "next subtitles, or none"),
  ]

  private static let picture: [Keymap<PlayerCommand>.Row] = [
    .init("player.toggle-full-window", .character("f"), command: .toggleFullWindow, help: "toggle full window"),
    .init(
      "player.toggle-separate-window", .character("w"), command: .wish(.togglePresentation(.window)),
      help: "toggle a separate window"),
    .init(
      "player.toggle-audio-only", .character("a"), command: .wish(.togglePresentation(.soundOnly)),
      help: "toggle audio only"),
    .init(
      "player.picture-in-picture", .character("P"), command: .pictureInPicture,
      help: "back to the cards, with picture-in-picture"),
    .init("player.toggle-fit", .character("z"), command: .wish(.toggleFit), help: "fit or fill the picture"),
    .init("player.brighter", .character("B"), command: .wish(.changeBrightness(by: 5)), help: "brighter"),
    .init("player.darker", .character("b"), command: .wish(.changeBrightness(by: -5)), help: "darker"),
    .init("player.next-resolution", .character("H"), command: .wish(.cycleHeight), help: "next resolution of the feed"),
    .init("player.screenshot", .character("s"), command: .wish(.takeScreenshot), help: "save a screenshot"),
  ]

  private static let screen: [Keymap<PlayerCommand>.Row] = [
    .init("player.leave", .enter, command: .leave, help: "back to the cards; playback continues"),
    .init("player.stop", .character("q"), .escape, command: .stop, help: "stop; in full window, leave it"),
  ]
}
