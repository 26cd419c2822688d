import FeedfallPlaying
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// mpv gives up the picture of a film whose window cannot be opened, and tells of that in any order.
@Suite(.hangLimit) struct MPVLostPictureTests {
  private var dialogue = MPVDialogue(hasDisplay: true, networkTimeout: .seconds(10))
  private let start = ContinuousClock.now
  private static let cells = Presentation.cells(Size(width: 20, height: 10), .whole)
  /// To name it once more is nothing new to mpv.
  private static let anew: [MPVCommand] = [.set("vid", "no"), .set("vid", "auto")]

  /// A film that plays in cells and is to go to a window.
  private mutating func begin() throws {
    dialogue.obey(.setPresentation(Self.cells), at: start)
    dialogue.programStarted()
    let address = try #require(WebAddress("https://a.example/b.mp4"))
    dialogue.obey(.load(PlayRequest(id: PlayID(1), address: .web(address), title: "")), at: start)
    let load = try #require(dialogue.takeCommands().last)
    dialogue.hear(.answered(number: load.number, entry: 1), at: start)
    dialogue.hear(.started(entry: 1), at: start)
    dialogue.hear(picture(isSelected: true), at: start)
    dialogue.hear(.restarted, at: start)
    dialogue.obey(.setPresentation(.window), at: start)
    _ = dialogue.takeCommands()
  }

  private func picture(isSelected: Bool) -> MPVMessage {
    .property(.tracks([MediaTrack(kind: .picture, number: 1, isSelected: isSelected)]))
  }

  @Test mutating func `the complaint alone is enough, since the loss may never be told`() throws {
    try begin()
    dialogue.hear(.complained(.noPictureOutput), at: start)
    let commands = dialogue.takeCommands()
    #expect(commands.suffix(3) == [.set("vo", "tct")] + Self.anew)
  }

  @Test mutating func `a loss told before the complaint is made good after it`() throws {
    try begin()
    dialogue.hear(picture(isSelected: false), at: start)
    #expect(dialogue.takeCommands().isEmpty)
    dialogue.hear(.complained(.noPictureOutput), at: start)
    #expect(dialogue.takeCommands().suffix(3) == [.set("vo", "tct")] + Self.anew)
  }

  @Test mutating func `a loss told after the complaint is made good again, but not for ever`() throws {
    try begin()
    dialogue.hear(.complained(.noPictureOutput), at: start)
    _ = dialogue.takeCommands()
    for count in 1...10 {
      dialogue.hear(picture(isSelected: false), at: start)
      #expect(dialogue.takeCommands() == (count <= MPVPlay.mostRevivals ? Self.anew : []))
      dialogue.hear(picture(isSelected: true), at: start)
      #expect(dialogue.takeCommands().isEmpty)
    }
  }

  @Test(arguments: [false, true])
  mutating func `cells wanted again before the complaint bring it back`(isLossToldFirst: Bool) throws {
    try begin()
    if isLossToldFirst { dialogue.hear(picture(isSelected: false), at: start) }
    dialogue.obey(.setPresentation(Self.cells), at: start)
    if !isLossToldFirst { dialogue.hear(picture(isSelected: false), at: start) }
    dialogue.hear(.complained(.noPictureOutput), at: start)
    #expect(dialogue.takeCommands().suffix(3) == [.set("vo", "tct")] + Self.anew)
  }
}
