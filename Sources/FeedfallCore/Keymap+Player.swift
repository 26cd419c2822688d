import FeedfallPlaying
import FeedfallScreen

extension Keymap {
  static let player: [KeyBinding] =
    course + picture
    + [
      KeyBinding(keys: [.character("h")], command: .previousVideo, help: "previous video; this one goes on"),
      KeyBinding(keys: [.character("l")], command: .nextVideo, help: "next video; this one goes on"),
      KeyBinding(keys: [.enter], command: .leavePlayer, help: "back to the cards; it goes on"),
      KeyBinding(keys: [.character("q"), .escape], command: .stopPlayer, help: "stop; in the whole window, leave it"),
    ] + scrolling + addresses

  private static let course: [KeyBinding] =
    [
      KeyBinding(keys: [.character(" ")], command: .player(.togglePause), help: "pause, and go on"),
      KeyBinding(keys: [.left], command: .player(.seek(.by(-5))), help: "5 s back"),
      KeyBinding(keys: [.right], command: .player(.seek(.by(5))), help: "5 s on"),
      KeyBinding(keys: [.shiftLeft], command: .player(.seek(.by(-15))), help: "15 s back"),
      KeyBinding(keys: [.shiftRight], command: .player(.seek(.by(15))), help: "15 s on"),
    ]
    + (0...9).map { tenth in
      KeyBinding(
        keys: [.character(Character(String(tenth)))], command: .player(.seek(.share(Double(tenth) / 10))),
        help: "to so many tenths of it")
    } + [
      KeyBinding(keys: [.character("n")], command: .playNext, help: "play the next video"),
      KeyBinding(keys: [.character("p")], command: .playPrevious, help: "play the previous video"),
      KeyBinding(keys: [.character("N")], command: .player(.toggleAutoplay), help: "the next by itself, and not"),
      KeyBinding(keys: [.character("r")], command: .player(.replay), help: "once more, or retry what failed"),
      KeyBinding(keys: [.character("]")], command: .player(.changeRate(faster: true)), help: "faster"),
      KeyBinding(keys: [.character("[")], command: .player(.changeRate(faster: false)), help: "slower"),
      KeyBinding(keys: [.character("+"), .character("=")], command: .player(.changeVolume(by: 5)), help: "louder"),
      KeyBinding(keys: [.character("-")], command: .player(.changeVolume(by: -5)), help: "less loud"),
      KeyBinding(keys: [.character("m")], command: .player(.toggleMute), help: "mute"),
      KeyBinding(keys: [.character("A")], command: .player(.cycleSoundTracks), help: "next sound track"),
      KeyBinding(keys: [.character("c")], command: .player(.cycleSubtitles), help: "next subtitles, or none"),
    ]

  private static let picture: [KeyBinding] = [
    KeyBinding(keys: [.character("f")], command: .toggleFullWindow, help: "the whole window, and back"),
    KeyBinding(
      keys: [.character("w")], command: .player(.togglePresentation(.window)), help: "a window of its own, and back"),
    KeyBinding(
      keys: [.character("a")], command: .player(.togglePresentation(.soundOnly)), help: "only the sound, and back"),
    KeyBinding(keys: [.character("P")], command: .toggleCorner, help: "small in a corner of the cards"),
    KeyBinding(keys: [.character("z")], command: .player(.toggleFit), help: "fit the picture, or fill"),
    KeyBinding(keys: [.character("B")], command: .player(.changeBrightness(by: 5)), help: "brighter"),
    KeyBinding(keys: [.character("b")], command: .player(.changeBrightness(by: -5)), help: "darker"),
    KeyBinding(keys: [.character("H")], command: .player(.cycleHeight), help: "another height that the feed offers"),
    KeyBinding(keys: [.character("s")], command: .player(.takeScreenshot), help: "keep this picture"),
  ]
}
