import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct MarkingTests {
  private let keys = (0..<10_000).map { VideoKey(text: "films.example \($0)") }
  private let watched = Marking(.watched, true)

  @Test func `marks and their removal have names, and a download is none`() {
    let names = ["watched", "unwatched", "starred", "unstarred", "queued", "unqueued", "hidden", "unhidden"]
    #expect(Marking.all.map(\.name) == names && names.allSatisfy { Marking($0)?.name == $0 })
    #expect(["downloaded", "", "Watched", "un", "seen"].allSatisfy { Marking($0) == nil })
  }

  @Test func `a mark of many videos has one event for each, in their order, and one u undoes it`() {
    var data = UserData(device: "a")
    let events = data.change(data.changes(watched, of: keys, at: 5_000), at: 5_000, name: "all")
    #expect(events.map(\.key) == keys && events.allSatisfy { $0.value == .watched(UnixTime(seconds: 5)) })
    #expect(data.undoCount == 1)
    let undone = data.undo(at: 6_000)
    #expect(undone?.events.map(\.key) == keys && !keys.contains { data[$0].has(.watched) })
  }

  @Test func `videos that have the mark already, and repeated ones, are left out`() {
    var data = UserData(device: "a")
    _ = data.change(keys[1], [.watched(UnixTime(seconds: 1))], at: 1_000)
    let changes = data.changes(watched, of: [keys[0], keys[1], keys[0], keys[2]], at: 2_000)
    #expect(changes.map(\.key) == [keys[0], keys[2]])
    #expect(data.changes(Marking(.watched, false), of: keys, at: 2_000).map(\.key) == [keys[1]])
  }

  @Test func `a watched video loses its position, and gets it back`() {
    var data = UserData(device: "a")
    _ = data.change(keys[0], [.position(40)], at: 1_000)
    _ = data.change(data.changes(watched, of: [keys[0]], at: 2_000), at: 2_000, name: "all")
    #expect(data[keys[0]].position == nil)
    _ = data.undo(at: 3_000)
    #expect(data[keys[0]].position == 40 && !data[keys[0]].has(.watched))
  }

  @Test func `queued videos get the last places, and others the first`() {
    var data = UserData(device: "a")
    let queued = Marking(.queued, true)
    _ = data.change(data.changes(queued, of: [keys[3], keys[1]], at: 1), at: 1)
    _ = data.change(data.changes(queued, of: [keys[2], keys[3], keys[0]], at: 2), at: 2)
    #expect(data.queuedKeys == [3, 1, 2, 0].map { keys[$0] })
    _ = data.putFirst([keys[2], keys[9]], at: 3, name: "next")
    #expect(data.queuedKeys == [2, 9, 3, 1, 0].map { keys[$0] })
    let repeated = data.putFirst([keys[2], keys[9]], at: 4, name: "next")
    #expect(repeated.isEmpty)
  }

  @Test(arguments: [-Double.greatestFiniteMagnitude, -1e300, 1e300, 0.5])
  func `videos come before others at any place`(place: Double) {
    var data = UserData(device: "a")
    _ = data.change(keys[0], [.queued(place)], at: 1)
    _ = data.putFirst([keys[2], keys[1]], at: 2, name: "next")
    #expect(data.queuedKeys == [2, 1, 0].map { keys[$0] })
  }

  @Test func `a page stores the facts of a video that a tab may show, not of one that is only watched or hidden`() {
    let video = Video(id: "1", title: "A film", playback: .unknown)
    for (value, isStored) in [
      (UserValue.watched(UnixTime(seconds: 1)), false), (.flag(.hidden, true), false), (.flag(.starred, true), true),
      (.queued(1), true), (.position(5), true), (.flag(.starred, false), false),
    ] {
      var data = UserData(device: "a")
      _ = data.change(keys[0], [.flag(.starred, true), value], at: 1)
      if value != .flag(.starred, true) { _ = data.change(keys[0], [.flag(.starred, false)], at: 2) }
      #expect((data.changedFacts(keys[0], video, from: .list(), at: 3) != nil) == isStored, "\(value)")
    }
  }

  @Test func `many large changes leave the history, the oldest first, but the last one stays`() {
    var data = UserData(device: "a")
    for number in 0..<30 {
      let changes = data.changes(Marking(.watched, number % 2 == 0), of: keys, at: number)
      _ = data.change(changes, at: number, name: "\(number)")
    }
    let undone = (0..<21).map { data.undo(at: 100 + $0)?.name }
    #expect(undone == (10..<30).reversed().map { "\($0)" } + [nil])
  }
}
