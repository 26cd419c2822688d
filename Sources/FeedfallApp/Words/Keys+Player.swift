import FeedfallScreen

extension PlayerCommand {
  static let keymap = Keymap(title: "Player", Command.player, rows: playback + sound + picture + screen)

  private static let playback: [KeyRow<PlayerCommand>] =
    [
      .init("player.pause", .character(" "), command: .control(.togglePause), help: "pause or resume"),
      .init("player.back", .left, command: .control(.seek(.by(-5))), help: "5 s back"),
      .init("player.forward", .right, command: .control(.seek(.by(5))), help: "5 s forward"),
      .init("player.back-far", .shiftLeft, command: .control(.seek(.by(-15))), help: "15 s back"),
      .init("player.forward-far", .shiftRight, command: .control(.seek(.by(15))), help: "15 s forward"),
    ]
    + (0...9).map { tenth in
      .init(
        "player.jump-\(tenth * 10)", .character(Character(String(tenth))),
        command: .control(.seek(.share(Double(tenth) / 10))), help: "jump to 0 % … 90 %")
    } + [
      .init(
        "player.previous-chapter", .character("{"), command: .control(.seekChapter(by: -1)), help: "previous chapter"),
      .init("player.next-chapter", .character("}"), command: .control(.seekChapter(by: 1)), help: "next chapter"),
      .init("player.play-next", .character("n"), command: .playNext, help: "play the next video", hint: "next"),
      .init("player.play-previous", .character("p"), command: .playPrevious, help: "play the previous video"),
      .init("player.toggle-autoplay", .character("N"), command: .control(.toggleAutoplay), help: "toggle autoplay"),
      .init(
        "player.play-skipped", .character("U"), command: .control(.playSkipped), help: "play the part skipped last"),
      .init("player.mark-loop", .character("t"), command: .control(.markLoop), help: "A–B loop: start, end, off"),
      .init("player.cycle-loop", .character("L"), command: .control(.cycleLoop), help: "loop the video, the list, off"),
      .init("player.toggle-shuffle", .character("S"), command: .control(.toggleShuffle), help: "toggle shuffle"),
      .init("player.replay", .character("r"), command: .control(.replay), help: "replay, or retry after a failure"),
      .init("player.faster", .character("]"), command: .control(.changeRate(faster: true)), help: "faster"),
      .init("player.slower", .character("["), command: .control(.changeRate(faster: false)), help: "slower"),
    ]

  private static let sound: [KeyRow<PlayerCommand>] = [
    .init(
      "player.volume-up", .character("+"), .character("="), command: .control(.changeVolume(by: 5)), help: "volume up",
      hint: "louder"),
    .init("player.volume-down", .character("-"), command: .control(.changeVolume(by: -5)), help: "volume down"),
    .init("player.toggle-mute", .character("m"), command: .control(.toggleMute), help: "mute or unmute", hint: "mute"),
    .init(
      "player.next-audio-track", .character("A"), command: .control(.cycleSoundTracks), help: "next audio track",
      hint: "audio"),
    .init(
      "player.next-subtitles", .character("c"), command: .control(.cycleSubtitles), help: "next subtitles, or none",
      hint: "subtitles"),
  ]

  private static let picture: [KeyRow<PlayerCommand>] = [
    .init(
      "player.toggle-full-window", .character("f"), command: .toggleFullWindow, help: "toggle full window",
      hint: "full window"),
    .init(
      "player.toggle-separate-window", .character("w"), command: .control(.togglePresentation(.window)),
      help: "toggle a separate window"),
    .init(
      "player.toggle-audio-only", .character("e"), .character("a"), command: .control(.togglePresentation(.soundOnly)),
      help: "toggle audio only"),
    .init(
      "player.picture-in-picture", .character("P"), command: .pictureInPicture,
      help: "back to the cards, with picture-in-picture",
      hint: "in picture"),
    .init("player.toggle-fit", .character("z"), command: .control(.toggleFit), help: "fit or fill the picture"),
    .init("player.brighter", .character("B"), command: .control(.changeBrightness(by: 5)), help: "brighter"),
    .init("player.darker", .character("b"), command: .control(.changeBrightness(by: -5)), help: "darker"),
    .init(
      "player.next-resolution", .character("H"), command: .control(.cycleHeight), help: "next resolution of the feed"),
    .init("player.screenshot", .character("s"), command: .control(.takeScreenshot), help: "save a screenshot"),
  ]

  private static let screen: [KeyRow<PlayerCommand>] = [
    .init("player.leave", .enter, command: .leave, help: "back to the cards; playback continues"),
    .init("player.stop", .character("q"), .escape, command: .stop, help: "stop; in full window, leave it"),
  ]
}
