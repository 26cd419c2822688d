import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct `The pace of a video` {
  /// Frames that begin every 33 ms, each of which takes so long.
  private func play(
    _ pace: inout VideoPace, frames: Int, from start: Int, taking milliseconds: Int, answers: Bool = true
  ) -> Int {
    var now = start
    for _ in 0..<frames {
      now += pace.delay(at: now) ?? 0
      pace.begin(at: now)
      pace.end(at: now + (answers ? 0 : milliseconds), isAsking: answers)
      if answers { pace.answer(at: now + milliseconds) }
      now += max(33, milliseconds)
    }
    return now
  }

  @Test(arguments: [true, false]) func `gets worse with each slow frame, and better when all is well`(answers: Bool) {
    var pace = VideoPace()
    // How long the way is that takes nothing.
    var now = play(&pace, frames: 1, from: 10_000, taking: 2, answers: answers)
    now = play(&pace, frames: 2, from: now, taking: 100, answers: answers)
    #expect(pace.quality == .full)
    now = play(&pace, frames: 1, from: now, taking: 100, answers: answers)
    #expect(pace.quality == .tolerant)
    now = play(&pace, frames: 1, from: now, taking: 400, answers: answers)
    #expect(pace.quality == .indexed)
    now = play(&pace, frames: 30, from: now, taking: 100, answers: answers)
    #expect(pace.quality == .rare)
    for quality in [VideoQuality.seldom, .indexed, .tolerant, .full, .full] {
      let end = now + VideoPace.usualPatience + 250
      while now < end { now = play(&pace, frames: 1, from: now, taking: 2, answers: answers) }
      #expect(pace.quality == quality)
    }
  }

  @Test func `does not try again at once what was too much a moment ago`() {
    var pace = VideoPace()
    var now = play(&pace, frames: 1, from: 10_000, taking: 1)
    now = play(&pace, frames: 1, from: now, taking: 400)
    let frames = VideoPace.usualPatience / 33 + 2
    now = play(&pace, frames: frames, from: now, taking: 1)
    #expect(pace.quality == .full)
    now = play(&pace, frames: 1, from: now, taking: 400)
    now = play(&pace, frames: frames, from: now, taking: 1)
    #expect(pace.quality == .tolerant)
    now = play(&pace, frames: frames, from: now, taking: 1)
    #expect(pace.quality == .full)
  }

  @Test func `waits for the terminal's answer, but not for what the way takes anyway`() {
    var pace = VideoPace()
    pace.takeWay(80)
    #expect(pace.delay(at: 0) == nil)
    pace.begin(at: 0)
    pace.end(at: 0, isAsking: true)
    // Until it has answered once, nobody knows whether it will.
    #expect(pace.delay(at: 1) == nil)
    pace.answer(at: 80)
    pace.begin(at: 100)
    pace.end(at: 100, isAsking: true)
    #expect(pace.delay(at: 133) == nil)
    #expect(pace.delay(at: 190) == VideoPace.answerLimit - 90)
    pace.answer(at: 200)
    #expect(pace.delay(at: 200) == nil)
  }

  @Test func `a terminal that is slow from the first frame on gets less`() {
    var pace = VideoPace()
    pace.takeWay(3)
    _ = play(&pace, frames: 4, from: 0, taking: 120)
    #expect(pace.quality == .tolerant)
  }

  @Test func `a long way alone costs nothing`() {
    var pace = VideoPace()
    pace.takeWay(200)
    _ = play(&pace, frames: 20, from: 0, taking: 210)
    #expect(pace.quality == .full)
  }

  @Test func `a terminal that answers no more is not waited for for long`() {
    var pace = VideoPace()
    _ = play(&pace, frames: 3, from: 0, taking: 1)
    pace.begin(at: 1000)
    pace.end(at: 1000, isAsking: true)
    #expect(pace.delay(at: 1001 + VideoPace.answerLimit) == nil)
    #expect(pace.restOfAnswers(at: 1100) == VideoPace.answerLimit - 100)
    #expect(pace.restOfAnswers(at: 3000) == 0)
    pace.begin(at: 3000)
    pace.end(at: 3000, isAsking: true)
    #expect(pace.delay(at: 3010) == nil)
    #expect(pace.restOfAnswers(at: 3010) == 0)
  }

  @Test func `a terminal with 256 colours never gets more`() {
    var pace = VideoPace(best: .indexed)
    _ = play(&pace, frames: 1000, from: 0, taking: 1)
    #expect(pace.quality == .indexed)
    pace.allow(.full)
    #expect(pace.quality == .full)
  }

  @Test func `few frames keep their distance`() {
    var pace = VideoPace()
    let now = play(&pace, frames: 100, from: 0, taking: 400, answers: false)
    #expect(pace.quality == .rare)
    pace.begin(at: now)
    pace.end(at: now + 1, isAsking: false)
    #expect(pace.delay(at: now + 10) == VideoQuality.rare.interval - 10)
  }
}
