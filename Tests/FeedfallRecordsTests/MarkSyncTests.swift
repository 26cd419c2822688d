import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct MarkSyncTests: MarkSyncSuite {
  // MARK: - First contact

  @Test func `at the first contact nothing is sent`() throws {
    var data = UserData(device: Self.device)
    _ = data.change(try key(), [.watched(UnixTime(seconds: 1)), .flag(.starred, true)], at: 900)
    var sync = try restarted(sync(), data)
    #expect(try sync.merge([marked([])], at: 1_000) == [])
    #expect(try !sync.hasUnsent && !restarted(sync, data).hasUnsent)
  }

  @Test func `at the first contact nothing local is overwritten`() throws {
    var data = UserData(device: Self.device)
    _ = data.change(try key(), [.watched(UnixTime(seconds: 1)), .flag(.starred, true)], at: 900)
    _ = data.change(try key(), [.watched(nil)], at: 901)
    var sync = try restarted(sync(), data)
    let events = try sync.merge(
      [marked([.watched, .starred]), marked([.watched, .starred], of: "8")], at: 1_000)
    for event in events { data.apply(event) }
    #expect(try data[key()].watched == nil && data[key()].has(.starred))
    #expect(try data[key("8")].watched == UnixTime(seconds: 500) && data[key("8")].has(.starred))
    #expect(try data.storedVideo(key("8"))?.video(key("8"))?.title == "Film 8")
    #expect(try !restarted(sync, data).hasUnsent)
  }

  @Test func `videos of other sources and strange IDs are ignored`() throws {
    var sync = try sync()
    var other = try video()
    other.scope = nil
    let videos = [MarkedVideo(other, [.watched]), try marked([.watched], of: "a b"), try marked([.watched], of: "\n")]
    #expect(sync.merge(videos, at: 1_000) == [] && sync.text == "")
    let event = UserEvent(time: 5, device: Self.device, key: VideoKey(text: "https://a.example"), value: .watched(nil))
    sync.handle([event])
    #expect(!sync.hasUnsent)
  }

  @Test func `marks that another program of this device has adopted are not sent`() throws {
    var (data, sync) = try contacted(at: 1_000)
    var other = try self.sync()
    let events = try other.merge([marked([.watched, .starred], of: "8")], at: 2_000)
    sync.handle(events)
    #expect(!events.isEmpty && !sync.hasUnsent)
    for event in events { data.apply(event) }
    #expect(try !restarted(sync, data).hasUnsent)
  }

  // MARK: - Changes of the server

  @Test func `a change by another client becomes an event that wins against older ones`() throws {
    var (data, sync) = try contacted(at: 1_000)
    _ = data.change(try key(), [.flag(.starred, true)], at: 995)
    let read = try sync.merge([marked([.watched, .starred])], at: 2_000)
    for event in read { data.apply(event) }
    #expect(try data[key()].watched == UnixTime(seconds: 2) && data[key()].has(.starred))
    let unread = try sync.merge([marked([])], at: 3_000)
    for event in unread { data.apply(event) }
    #expect(try data[key()].watched == nil && !data[key()].has(.starred))
    #expect(try sync.merge([marked([])], at: 4_000) == [])
    #expect(!sync.hasUnsent)
  }

  @Test func `an event of the server is not sent back by the next program`() throws {
    var (data, sync) = try contacted(at: 1_000)
    for event in try sync.merge([marked([.watched])], at: 2_000) { data.apply(event) }
    let next = try restarted(sync, data)
    #expect(!next.hasUnsent && next.text == sync.text)
  }

  // MARK: - Changes of the user

  @Test func `a change that was taken back before it is sent is not sent`() throws {
    var (data, sync) = try contacted(at: 1_000)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 2))], at: 2_000, name: "watched"))
    let undone = data.undo(at: 2_001)
    sync.handle(try #require(undone).events)
    #expect(!sync.hasUnsent)
  }

  @Test func `a change during a request is found by the next program`() throws {
    var (data, sync) = try contacted(at: 1_000)
    sync.handle(data.change(try key(), [.flag(.starred, true)], at: 2_000))
    _ = sync.nextChange()
    sync.handle(data.change(try key(), [.flag(.starred, false)], at: 2_001))
    sync.finish(.sent)
    var next = try restarted(sync, data)
    #expect(next.nextChange() == MarkChange(.starred, false, ids: ["7"]))
  }

  // MARK: - Ends of unsent changes

  @Test func `after a refusal, the marks of the server are adopted again`() throws {
    for isRestarted in [false, true] {
      var (data, sync) = try contacted(at: 1_000)
      sync.handle(data.change(try key(), [.flag(.starred, true)], at: 2_000))
      _ = sync.nextChange()
      sync.finish(.refused(FeedFailure(.permanent, "not found")))
      if isRestarted { sync = try restarted(sync, data) }
      #expect(!sync.hasUnsent)
      #expect(try sync.merge([marked([])], at: 3_000) == [])
      _ = try sync.merge([marked([.starred])], at: 4_000)
      for event in try sync.merge([marked([])], at: 5_000) { data.apply(event) }
      #expect(try !data[key()].has(.starred))
      #expect(try !restarted(sync, data).hasUnsent)
    }
  }

  @Test func `a change that another client has made, too, is not sent`() throws {
    var (data, sync) = try contacted(at: 1_000)
    let outdated = sync.beginRequest()
    sync.handle(data.change(try key(), [.flag(.starred, true)], at: 2_000))
    _ = sync.nextChange()
    #expect(try sync.merge([marked([.starred])], at: 2_500) == [])
    #expect(sync.hasUnsent, "a request is under way")
    sync.finish(.failed(FeedFailure(.permanent, "not allowed")))
    #expect(try sync.merge([marked([.starred])], at: 3_000) == [])
    let next = try restarted(sync, data)
    #expect(!sync.hasUnsent && sync.nextChange() == nil && !next.hasUnsent)
    #expect(try sync.merge([marked([])], of: outdated, in: data, at: 3_500) == [])
    for event in try sync.merge([marked([])], at: 4_000) { data.apply(event) }
    #expect(try !data[key()].has(.starred))
  }

  @Test func `a change during a request follows it`() throws {
    var (data, sync) = try contacted(at: 1_000)
    sync.handle(data.change(try key(), [.watched(UnixTime(seconds: 2))], at: 2_000))
    _ = sync.nextChange()
    sync.handle(data.change(try key(), [.watched(nil)], at: 2_001))
    sync.finish(.sent)
    #expect(sync.nextChange() == MarkChange(.watched, false, ids: ["7"]))
    sync.finish(.sent)
    #expect(!sync.hasUnsent)
  }
}
