import FeedfallApp
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct LengthWatchTests {
  private func length(after facts: LengthWatch.Fact...) -> MediaLength {
    var watch = LengthWatch()
    for fact in facts { _ = watch.update(fact) }
    return watch.length
  }

  private func buffer(_ end: Double, isAtEnd: Bool = false) -> LengthWatch.Fact {
    .cache(LengthWatch.Cache(end: end, isAtEnd: isAtEnd))
  }

  @Test func `a duration beyond the buffer is stated`() {
    #expect(length(after: .duration(120)) == .unknown)
    #expect(length(after: .duration(120), buffer(1.5)) == .stated(120))
    #expect(length(after: .duration(120), buffer(1.5), .duration(120.04), buffer(120)) == .stated(120))
  }

  @Test func `a duration that follows the buffer grows, whatever it is later`() {
    #expect(length(after: .duration(0.1), buffer(0.1), .duration(0.6), buffer(0.6)) == .growing(0.6))
    #expect(length(after: .duration(2), .duration(2.4), buffer(2.4), .duration(90), buffer(5)) == .growing(90))
  }

  /// mpv reports the buffer less often than a duration that grows with it.
  @Test func `a duration is not compared with an older state of the buffer`() {
    #expect(length(after: buffer(80.4), .duration(84.4)) == .unknown)
    #expect(length(after: buffer(80.4), .duration(84.4), .duration(119.9)) == .growing(119.9))
  }

  @Test func `the length is measured once all data is read`() {
    #expect(length(after: .duration(4), buffer(4, isAtEnd: true)) == .stated(4))
    #expect(length(after: .duration(1), buffer(1), .duration(119.9), buffer(119.9, isAtEnd: true)) == .stated(119.9))
    #expect(length(after: buffer(12.3, isAtEnd: true), .duration(12.3)) == .stated(12.3))
  }

  @Test(arguments: [true, false])
  func `data that ended early measures nothing`(isAnnounced: Bool) {
    let facts: [LengthWatch.Fact] = [
      .isSeekable(false), .duration(3.3), .connectionEnded(isAnnounced: isAnnounced), .duration(16),
      buffer(16, isAtEnd: true),
    ]
    var watch = LengthWatch()
    for fact in facts { _ = watch.update(fact) }
    #expect(watch.length == .growing(16) && watch.isCutOff == isAnnounced)
  }

  @Test func `an estimate from the bit rate is no length, the end of the data is`() {
    #expect(length(after: .isEstimate, .duration(209), buffer(13)) == .unknown)
    #expect(length(after: .isEstimate, .duration(209), buffer(13), buffer(120, isAtEnd: true)) == .stated(120))
  }

  @Test func `the header of a fragmented file that is made while it is sent does not cover it`() {
    let start: [LengthWatch.Fact] = [.format("mov,mp4,m4a"), .byteCount(nil), .isSeekable(false), .duration(25)]
    var watch = LengthWatch()
    for fact in start + [buffer(5.7)] { _ = watch.update(fact) }
    #expect(watch.length == .unknown)
    #expect(
      length(after: .format("mov,mp4"), .byteCount(9), .isSeekable(false), .duration(25), buffer(5)) == .stated(25))
    #expect(length(after: .format("mkv"), .byteCount(nil), .isSeekable(false), .duration(25), buffer(5)) == .stated(25))
  }

  @Test func `a file that continues beyond its stated length grows until all of it is read`() {
    var watch = LengthWatch()
    for fact in [.duration(25), buffer(5), .duration(25.3), buffer(25.3)] as [LengthWatch.Fact] {
      _ = watch.update(fact)
    }
    #expect(watch.length == .stated(25))
    _ = watch.update(.duration(27))
    #expect(watch.length == .growing(27))
    _ = watch.update(.duration(120))
    _ = watch.update(buffer(120, isAtEnd: true))
    #expect(watch.length == .stated(120))
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `no order of facts states more than mpv has reported, and no guess shortens a stated length`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var watch = LengthWatch()
    var greatest = 0.0
    for _ in 0..<60 {
      let seconds = Double.random(in: 0...300, using: &random)
      let fact: LengthWatch.Fact
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: fact = .duration(random.chance(1, in: 5) ? nil : seconds)
      case 2, 3: fact = buffer(seconds, isAtEnd: random.chance(1, in: 8))
      case 4: fact = .isSeekable(random.chance(1, in: 2))
      case 5: fact = random.chance(1, in: 4) ? .isEstimate : .byteCount(nil)
      case 6: fact = .connectionEnded(isAnnounced: random.chance(1, in: 2))
      default: fact = .format("mov,mp4")
      }
      if case .duration(let value?) = fact { greatest = max(greatest, value) }
      if case .cache(let cache) = fact { greatest = max(greatest, cache.end ?? 0) }
      let before = watch.length
      let hasChanged = watch.update(fact)
      #expect(hasChanged == (watch.length != before))
      if let stated = watch.length.stated { #expect(stated <= greatest) }
      if let old = before.stated {
        switch watch.length {
        case .stated(let new): #expect(new >= old)
        case .growing(let new): #expect(new > old)
        case .unknown: Issue.record("a stated length became unknown")
        }
      }
    }
  }
}
