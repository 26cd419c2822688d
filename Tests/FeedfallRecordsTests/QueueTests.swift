import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct QueueTests {
  private func queue(_ places: KeyValuePairs<String, Double>) -> UserData {
    var data = UserData(device: "a")
    for (key, place) in places { _ = data.change(VideoKey(text: key), [.queued(place)], at: 1) }
    return data
  }

  private func keys(_ text: String) -> [VideoKey] { text.map { VideoKey(text: String($0)) } }

  private func order(_ data: UserData) -> String { data.queuedKeys.map(\.text).joined() }

  /// Moves the video at an index to another one, as the screen does.
  private func moved(_ data: inout UserData, from index: Int, to target: Int) -> [UserEvent] {
    var keys = data.queuedKeys
    keys.insert(keys.remove(at: index), at: target)
    return data.moveInQueue(target, of: keys, at: 2, name: "moved")
  }

  @Test func `the next place is behind all others`() {
    #expect(UserData().nextPlace == 1)
    #expect(queue(["a": 7.5, "b": -2]).nextPlace == 8)
  }

  @Test func `a move changes one place`() {
    for (from, to, expected) in [(0, 1, "bac"), (0, 2, "bca"), (2, 1, "acb"), (2, 0, "cab"), (1, 1, "abc")] {
      var data = queue(["a": 1, "b": 2, "c": 3])
      let events = moved(&data, from: from, to: to)
      #expect(order(data) == expected && events.count <= 1)
      _ = data.undo(at: 3)
      #expect(order(data) == "abc")
    }
  }

  @Test func `equal places, and places without a number between them, are renumbered`() {
    for places in [["a": 1.0, "b": 1.0, "c": 1.0], ["a": 1.0, "b": (1.0).nextUp, "c": 5.0]] {
      var data = UserData(device: "a")
      for (key, place) in places { _ = data.change(VideoKey(text: key), [.queued(place)], at: 1) }
      let events = moved(&data, from: 2, to: 1)
      #expect(order(data) == "acb" && events.count > 1)
    }
  }

  @Test func `many moves into one gap keep the order`() {
    var data = queue(["a": 1, "b": 2, "c": 3])
    for _ in 0..<200 {
      let expected = data.queuedKeys[0].text + data.queuedKeys[2].text + data.queuedKeys[1].text
      _ = moved(&data, from: 2, to: 1)
      #expect(order(data) == expected)
    }
  }

  @Test func `a move in a part of the queue keeps the other videos`() {
    var data = queue(["a": 1, "b": 1, "c": 1, "d": 1])
    _ = data.moveInQueue(0, of: keys("cb"), at: 2, name: "moved")
    #expect(order(data) == "acbd")
  }

  @Test func `a move in a part of the queue passes no video outside of it without need`() {
    var data = queue(["a": 1, "x": 2, "b": 3, "y": 4, "c": 5])
    _ = data.moveInQueue(1, of: keys("abc"), at: 2, name: "moved")
    #expect(order(data) == "abxyc")
    _ = data.moveInQueue(2, of: keys("acb"), at: 3, name: "moved")
    #expect(order(data) == "axycb")
  }
}
