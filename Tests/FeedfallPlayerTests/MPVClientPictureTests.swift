import FeedfallApp
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// mpv drops the picture if its window cannot be opened, and sends the messages about that in any order.
@Suite(.hangLimit) struct MPVClientPictureTests {
  private var client = MPVClient(hasDisplay: true, networkTimeout: .seconds(10))
  private let start = SuspendingClock.now
  private static let cells = Presentation.cells(Size(width: 20, height: 10), .whole)
  private static let restart: [MPVCommand] = [.set("vid", "no"), .set("vid", "auto")]

  /// Plays a video in cells, then orders a window.
  private mutating func begin(_ form: MPVConfiguration.Form = .library) throws {
    client.handle(.configure(PlayerConfiguration(presentation: Self.cells)), at: start)
    client.processStarted(form)
    let address = try #require(WebAddress("https://a.example/b.mp4"))
    client.handle(.load(PlayRequest(id: PlayID(1), address: .web(address), title: "")), at: start)
    let load = try #require(client.drainCommands().last)
    client.handle(.reply(number: load.number, entry: 1), at: start)
    client.handle(.fileStarted(entry: 1), at: start)
    client.handle(picture(isSelected: true), at: start)
    client.handle(.playbackRestarted, at: start)
    client.handle(.configure(PlayerConfiguration(presentation: .window)), at: start)
    _ = client.drainCommands()
  }

  private func picture(isSelected: Bool) -> MPVMessage {
    .propertyChanged(.tracks([MediaTrack(kind: .picture, number: 1, isSelected: isSelected)]))
  }

  @Test mutating func `a log message alone restarts the picture`() throws {
    try begin()
    client.handle(.logged(.noPictureOutput), at: start)
    let commands = client.drainCommands()
    #expect(commands.suffix(3) == [.set("vo", "libmpv")] + Self.restart)
  }

  @Test mutating func `a loss before the log message restarts the picture after it`() throws {
    try begin()
    client.handle(picture(isSelected: false), at: start)
    #expect(client.drainCommands().isEmpty)
    client.handle(.logged(.noPictureOutput), at: start)
    #expect(client.drainCommands().suffix(3) == [.set("vo", "libmpv")] + Self.restart)
  }

  @Test mutating func `a loss after the log message restarts the picture a limited number of times`() throws {
    try begin()
    client.handle(.logged(.noPictureOutput), at: start)
    _ = client.drainCommands()
    for count in 1...10 {
      client.handle(picture(isSelected: false), at: start)
      #expect(client.drainCommands() == (count <= MPVClient.maximumRestartCount ? Self.restart : []))
      client.handle(picture(isSelected: true), at: start)
      #expect(client.drainCommands().isEmpty)
    }
  }

  @Test(arguments: [false, true])
  mutating func `cells ordered before the log message restart the picture`(isLossFirst: Bool) throws {
    try begin()
    if isLossFirst { client.handle(picture(isSelected: false), at: start) }
    client.handle(.configure(PlayerConfiguration(presentation: Self.cells)), at: start)
    if !isLossFirst { client.handle(picture(isSelected: false), at: start) }
    client.handle(.logged(.noPictureOutput), at: start)
    #expect(client.drainCommands().suffix(3) == [.set("vo", "libmpv")] + Self.restart)
  }

  @Test(arguments: [nil, "pulse"])
  mutating func `the program restarts the hidden picture of a silent film`(soundOutput: String?) throws {
    try begin(.program)
    client.handle(.propertyChanged(.soundOutput(soundOutput)), at: start)
    client.handle(.logged(.noPictureOutput), at: start)
    #expect(client.drainCommands().suffix(3) == [.set("vid", "no"), .set("vo", "null"), .set("vid", "auto")])
  }

  @Test(arguments: [nil, "pulse"])
  mutating func `the program restarts the hidden picture of a film with sound only if there is no sound device`(
    soundOutput: String?
  ) throws {
    try begin(.program)
    let tracks = [MediaTrack(kind: .picture, number: 1), MediaTrack(kind: .sound, number: 1)]
    client.handle(.propertyChanged(.tracks(tracks)), at: start)
    client.handle(.propertyChanged(.soundOutput(soundOutput)), at: start)
    client.handle(.logged(.noPictureOutput), at: start)
    let commands = client.drainCommands()
    if soundOutput == nil {
      #expect(commands.suffix(3) == [.set("vid", "no"), .set("vo", "null"), .set("vid", "auto")])
    } else {
      #expect(commands.last == .set("vid", "no"))
    }
  }
}
