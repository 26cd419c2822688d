import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import Glibc
import ScriptedPlayer
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ScriptedPlayerTests {
  private final class Heard: Sendable {
    let reports = Mutex<[PlayerReport]>([])
  }

  @Test func `it keeps orders, answers them, and shows what is put into it`() throws {
    let heard = Heard()
    let player = ScriptedPlayer { report in heard.reports.withLock { $0.append(report) } }
    let request = PlayRequest(id: PlayID(3), address: .web(try #require(WebAddress("https://a.example"))), title: "A")
    player.perform(.setPresentation(.cells(Size(width: 1, height: 1), .whole)))
    player.perform(.load(request))
    #expect(player.orders.last == .load(request))
    #expect(heard.reports.withLock { $0 }.contains(.playing(PlayID(3), .ready)))
    #expect(!isReadable(player.frameDescriptor))
    let picture = try #require(PixelBuffer(size: Size(width: 1, height: 2), bytes: [1, 2, 3, 4, 5, 6]))
    player.show(picture)
    #expect(isReadable(player.frameDescriptor))
    #expect(player.takeFrame() == picture)
    #expect(player.takeFrame() == nil)
    #expect(!isReadable(player.frameDescriptor))
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }
}
