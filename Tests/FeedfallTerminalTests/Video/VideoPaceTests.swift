import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct VideoPaceTests {
  /// Plays frames at intervals of 33 ms or of their duration. Returns the time of the next one.
  private func play(
    _ pace: inout VideoPace, frames: Int, from start: Int, taking milliseconds: Int, answers: Bool = true
  ) -> Int {
    var now = start
    for _ in 0..<frames {
      now += pace.delay(at: now) ?? 0
      pace.beginFrame(at: now)
      pace.endFrame(at: now + (answers ? 0 : milliseconds), expectsAnswer: answers)
      if answers { pace.recordAnswer(at: now + milliseconds) }
      now += max(33, milliseconds)
    }
    return now
  }

  @Test(arguments: [true, false]) func `slow frames lower the quality, and fast frames raise it`(answers: Bool) {
    var pace = VideoPace()
    // The first frame measures the round trip.
    var now = play(&pace, frames: 1, from: 10_000, taking: 2, answers: answers)
    now = play(&pace, frames: 2, from: now, taking: 100, answers: answers)
    #expect(pace.quality == .full)
    now = play(&pace, frames: 1, from: now, taking: 100, answers: answers)
    #expect(pace.quality == .tolerant)
    now = play(&pace, frames: 1, from: now, taking: 400, answers: answers)
    #expect(pace.quality == .indexed)
    now = play(&pace, frames: 30, from: now, taking: 100, answers: answers)
    #expect(pace.quality == .rare)
    for quality in [VideoPace.Quality.seldom, .indexed, .tolerant, .full, .full] {
      let end = now + VideoPace.initialRaiseDelay + 250
      while now < end { now = play(&pace, frames: 1, from: now, taking: 2, answers: answers) }
      #expect(pace.quality == quality)
    }
  }

  @Test func `a quality that was too high is not retried at once`() {
    var pace = VideoPace()
    var now = play(&pace, frames: 1, from: 10_000, taking: 1)
    now = play(&pace, frames: 1, from: now, taking: 400)
    let frames = VideoPace.initialRaiseDelay / 33 + 2
    now = play(&pace, frames: frames, from: now, taking: 1)
    #expect(pace.quality == .full)
    now = play(&pace, frames: 1, from: now, taking: 400)
    now = play(&pace, frames: frames, from: now, taking: 1)
    #expect(pace.quality == .tolerant)
    now = play(&pace, frames: frames, from: now, taking: 1)
    #expect(pace.quality == .full)
  }

  @Test func `a frame waits for the terminal's answer, but not for the round trip`() {
    var pace = VideoPace()
    pace.recordRoundTrip(80)
    #expect(pace.delay(at: 0) == nil)
    pace.beginFrame(at: 0)
    pace.endFrame(at: 0, expectsAnswer: true)
    // It is unknown whether the terminal answers.
    #expect(pace.delay(at: 1) == nil)
    pace.recordAnswer(at: 80)
    pace.beginFrame(at: 100)
    pace.endFrame(at: 100, expectsAnswer: true)
    #expect(pace.delay(at: 133) == nil)
    #expect(pace.delay(at: 190) == VideoPace.answerLimit - 90)
    pace.recordAnswer(at: 200)
    #expect(pace.delay(at: 200) == nil)
  }

  @Test func `a terminal that is slow from the first frame on gets a lower quality`() {
    var pace = VideoPace()
    pace.recordRoundTrip(3)
    _ = play(&pace, frames: 4, from: 0, taking: 120)
    #expect(pace.quality == .tolerant)
  }

  @Test func `an answer to a lost frame says nothing about the next one`() {
    var pace = VideoPace()
    let now = play(&pace, frames: 3, from: 0, taking: 1)
    for start in [now, now + 30] {
      pace.beginFrame(at: start)
      pace.endFrame(at: start, expectsAnswer: true)
    }
    pace.ignoreUnansweredFrames()
    #expect(pace.delay(at: now + 400) == nil)
    #expect(pace.remainingAnswerTime(at: now + 400) == VideoPace.answerLimit - 370)
    pace.beginFrame(at: now + 400)
    pace.endFrame(at: now + 400, expectsAnswer: true)
    pace.recordAnswer(at: now + 401)
    pace.recordAnswer(at: now + 402)
    #expect(pace.quality == .full)
    // The frame's own answer is missing yet.
    #expect(pace.delay(at: now + 410) != nil)
    pace.recordAnswer(at: now + 720)
    #expect(pace.quality == .tolerant && pace.delay(at: now + 720) == nil)
  }

  @Test func `a long round trip does not lower the quality`() {
    var pace = VideoPace()
    pace.recordRoundTrip(200)
    _ = play(&pace, frames: 20, from: 0, taking: 210)
    #expect(pace.quality == .full)
  }

  @Test func `a missing answer delays frames only until the limit`() {
    var pace = VideoPace()
    _ = play(&pace, frames: 3, from: 0, taking: 1)
    pace.beginFrame(at: 1000)
    pace.endFrame(at: 1000, expectsAnswer: true)
    #expect(pace.delay(at: 1001 + VideoPace.answerLimit) == nil)
    #expect(pace.remainingAnswerTime(at: 1100) == VideoPace.answerLimit - 100)
    #expect(pace.remainingAnswerTime(at: 3000) == 0)
    pace.beginFrame(at: 3000)
    pace.endFrame(at: 3000, expectsAnswer: true)
    #expect(pace.delay(at: 3010) == nil)
    #expect(pace.remainingAnswerTime(at: 3010) == 0)
  }

  @Test func `a terminal with 256 colours gets the indexed quality at most`() {
    var pace = VideoPace(best: .indexed)
    _ = play(&pace, frames: 1000, from: 0, taking: 1)
    #expect(pace.quality == .indexed)
    pace.setBest(.full)
    #expect(pace.quality == .full)
  }

  @Test func `the lowest quality limits the frame rate`() {
    var pace = VideoPace()
    let now = play(&pace, frames: 100, from: 0, taking: 400, answers: false)
    #expect(pace.quality == .rare)
    pace.beginFrame(at: now)
    pace.endFrame(at: now + 1, expectsAnswer: false)
    #expect(pace.delay(at: now + 10) == VideoPace.Quality.rare.interval - 10)
  }
}
