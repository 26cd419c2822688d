import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// The question whether a download or a film may leave https.
@Suite(.hangLimit) struct RedirectQuestionTests {
  private static let question =
    "films.example redirects to http://cdn.example, which is not encrypted. Continue? y/n"

  private func redirect() throws -> UnencryptedRedirect {
    let (host, target) = (
      try #require(WebAddress("https://films.example/film")), try #require(WebAddress("http://cdn.example/film"))
    )
    return UnencryptedRedirect(from: host, to: target)
  }

  private func failure() throws -> FeedFailure {
    let redirect = try redirect()
    var failure = FeedFailure(.permanent, redirect.reason, advice: "write allow-http = true")
    failure.redirect = redirect
    return failure
  }

  private func key(_ number: Int) -> VideoKey { VideoKey(sampleVideo(number)) }

  /// A program that asks about the first video.
  private func asking() throws -> Scenario {
    var scenario = Scenario.showing(width: 160).typing("d")
    let selected = try #require(scenario.state.selectedCard).key
    scenario.handle(.downloadChanged(selected, .failed(try failure())))
    return scenario
  }

  @Test func `y repeats the download, which may leave https, also later in this run`() throws {
    let scenario = try asking()
    #expect(scenario.screen.contains("“0 Elephants Dream”: " + Self.question))
    var answered = scenario.typing("y")
    #expect(downloads(answered).map(\.allowsHTTP) == [false, true])
    #expect(!answered.screen.contains(Self.question) && answered.screen.contains("Downloading “0 Elephants Dream”"))
    answered.handle(
      .downloadChanged(downloads(answered)[1].key, .failed(FeedFailure(.temporary, "the file is empty"))))
    #expect(downloads(answered.typing("d")).map(\.allowsHTTP) == [false, true, true])
  }

  @Test func `n and any other key leave the download as it is, and y means nothing more`() throws {
    for keys in ["n", "j", "<Esc>", "?"] {
      let scenario = try asking().typing(keys)
      #expect(!scenario.screen.contains(Self.question))
      #expect(downloads(scenario.typing("<Esc>y")).count == 1)
    }
    #expect(try asking().typing("n").state.selectedCard?.key == asking().state.selectedCard?.key)
    #expect(try asking().typing("j").state.selectedCard?.key != asking().state.selectedCard?.key)
  }

  @Test func `a question about a download withdraws that of a key`() throws {
    var scenario = Scenario.showing(width: 160).typing("d")
    let first = try #require(scenario.state.selectedCard).key
    scenario.type("l")
    scenario.handle(.downloadChanged(try #require(scenario.state.selectedCard).key, .waiting))
    scenario.type("D")
    #expect(scenario.screen.contains("Press D again to cancel"))
    scenario.handle(.downloadChanged(first, .failed(try failure())))
    #expect(scenario.screen.contains(Self.question))
    for keys in ["D", "?<Esc>D"] {
      #expect(!scenario.typing(keys).effects.contains { if case .removeDownload = $0 { true } else { false } })
    }
  }

  @Test func `d asks again`() throws {
    var scenario = try asking().typing("nd")
    #expect(downloads(scenario).map(\.allowsHTTP) == [false, false])
    scenario.handle(.downloadChanged(downloads(scenario)[1].key, .failed(try failure())))
    #expect(scenario.screen.contains(Self.question))
  }

  @Test func `a letter of a prompt is no answer`() throws {
    var scenario = Scenario.showing(width: 160).typing("d/")
    let key = downloads(scenario)[0].key
    scenario.handle(.downloadChanged(key, .failed(try failure())))
    #expect(!scenario.screen.contains(Self.question) && scenario.screen.contains("Write allow-http = true"))
    #expect(downloads(scenario.typing("y<Esc>y")).count == 1)
  }

  @Test func `a second question does not replace the first one`() throws {
    var scenario = Scenario.showing(width: 160).typing("djd")
    let requests = downloads(scenario)
    try #require(requests.count == 2)
    for request in requests { scenario.handle(.downloadChanged(request.key, .failed(try failure()))) }
    // The message about the second one covers the question, which y then does not answer.
    #expect(downloads(scenario.typing("y")).count == 2)
    for case .toast(let ticket) in scenario.openWaits { scenario.end(.toast(ticket)) }
    #expect(scenario.screen.contains(Self.question))
    #expect(downloads(scenario.typing("y")).map(\.key) == [requests[0].key, requests[1].key, requests[0].key])
  }

  @Test func `an answer for a download that was removed or has begun again does nothing`() throws {
    for state in [nil, DownloadState.waiting] {
      var scenario = try asking()
      scenario.handle(.downloadChanged(downloads(scenario)[0].key, state))
      #expect(downloads(scenario.typing("y")).count == 1)
    }
  }

  @Test func `a failure without a redirect asks nothing`() throws {
    var scenario = try asking().typing("nd")
    scenario.handle(.downloadChanged(downloads(scenario)[1].key, .failed(FeedFailure(.permanent, "it is empty"))))
    #expect(!scenario.screen.contains("y/n"))
    #expect(downloads(scenario.typing("y")).count == 2)
  }

  @Test(arguments: 0..<20) func `only y right after the question allows http`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var scenario = Scenario.showing(width: 160).typing("d")
    let key = try #require(scenario.state.selectedCard).key
    var allowedCount = 0
    for _ in 0..<30 {
      let isAsked = scenario.screen.contains(Self.question)
      let count = downloads(scenario).count
      switch Int.random(in: 0..<6, using: &random) {
      case 0: scenario.type("y")
      case 1: scenario.type("n")
      case 2: scenario.type("j")
      case 3: scenario.type("?<Esc>")
      case 4: scenario.handle(.savingFailed("the disk is full"))
      default: scenario.handle(.downloadChanged(key, .failed(try failure())))
      }
      let new = downloads(scenario).dropFirst(count)
      #expect(new.isEmpty || isAsked && new.allSatisfy { $0.key == key && $0.allowsHTTP })
      allowedCount += new.count
    }
    #expect(downloads(scenario).count == 1 + allowedCount)
  }

  // MARK: - Playing

  /// A program whose first film has been refused.
  private func playing(_ keys: String = " ", sources: Set<String> = []) throws -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.sources[0].givenName = "Films"
    settings.sourcesAllowingHTTP = sources
    var scenario = Scenario(settings, width: 160, height: 40)
    scenario.answer(FeedPage(videos: sampleVideos(20)))
    scenario.type(keys)
    scenario.report(.ended(.failed(.leavesHTTPS(try redirect()))))
    return scenario
  }

  @Test(arguments: [" ", "e"]) func `y plays the film, which may leave https, also later in this run`(key: String)
    throws
  {
    let scenario = try playing(key)
    #expect(scenario.screen.contains("“0 Elephants Dream”: " + Self.question))
    var answered = scenario.typing("y")
    #expect(answered.loads.map(\.allowsHTTP) == [false, true])
    #expect(answered.state.playback.screen.session.isUnderWay && !answered.screen.contains("y/n"))
    answered.report(.ended(.stopped))
    #expect(answered.typing("<Esc>\(key)").loads.map(\.allowsHTTP) == [false, true, true])
    #expect(downloads(answered.typing("<Esc>d")).map(\.allowsHTTP) == [true])
  }

  @Test func `n returns to the cards and names the option`() throws {
    let scenario = try playing().typing("n")
    #expect(scenario.state.details == nil && scenario.state.playback.screen.session.failure == nil)
    let words = scenario.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("To allow that, write allow-http = true in the source's table of config.toml."))
    #expect(scenario.typing("y").loads.count == 1)
  }

  @Test func `another key withdraws the question, and r asks again`() throws {
    var scenario = try playing().typing("j")
    #expect(!scenario.screen.contains("y/n"))
    #expect(scenario.typing("y").loads.count == 1)
    scenario = try playing().typing("+")
    #expect(scenario.screen.contains("Could not play this video") && scenario.screen.contains("allow-http"))
    scenario.type("r")
    #expect(scenario.loads.map(\.allowsHTTP) == [false, false])
    scenario.report(.ended(.failed(.leavesHTTPS(try redirect()))))
    #expect(scenario.screen.contains(Self.question))
  }

  @Test func `autoplay stops at a film that leaves https and asks`() throws {
    var scenario = Scenario.playing(width: 160).typing("N")
    scenario.report(.duration(seconds: 10), .time(seconds: 10), .ended(.reachedEnd))
    #expect(scenario.loads.count == 2)
    scenario.report(.ended(.failed(.leavesHTTPS(try redirect()))))
    #expect(scenario.loads.count == 2 && scenario.screen.contains(Self.question))
    for case .toast(let ticket) in scenario.openWaits { scenario.end(.toast(ticket)) }
    #expect(scenario.typing("y").loads.map(\.allowsHTTP) == [false, false, true])
  }

  @Test func `a film of a source with allow-http is not asked about`() throws {
    #expect(try playing(sources: ["Films"]).loads.map(\.allowsHTTP) == [true])
    #expect(try playing(sources: ["Other"]).loads.map(\.allowsHTTP) == [false])
  }

  @Test func `a film with a password asks nothing`() throws {
    var scenario = Scenario.showing(width: 160, height: 40).typing(" ")
    scenario.report(.ended(.failed(.loginLeavesHTTPS(try redirect()))))
    #expect(!scenario.screen.contains("y/n") && !scenario.screen.contains("allow-http"))
    #expect(scenario.screen.contains("which is not encrypted"))
    #expect(scenario.typing("y").loads.count == 1)
  }

  @Test func `an answer about a film in whose place another one plays does nothing`() throws {
    var scenario = try playing()
    scenario.handle(.remote(.next))
    let count = scenario.loads.count
    #expect(!scenario.typing("y").loads.dropFirst(count).contains { $0.allowsHTTP })
  }

  @Test(arguments: 0..<20) func `only y right after the question plays a film over http`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var scenario = try playing()
    var allowed: Set<MediaAddress> = []
    for _ in 0..<30 {
      // A remote control may have begun the film again.
      let isAsked = scenario.screen.contains(Self.question) && !scenario.state.playback.screen.session.isUnderWay
      let (count, asked) = (scenario.loads.count, scenario.loads.last?.address)
      var answers = false
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1:
        answers = true
        scenario.type("y")
      case 2: scenario.type("n")
      case 3: scenario.type("<Esc>j ")
      case 4: scenario.type("?<Esc>")
      case 5: scenario.handle(.remote(.togglePause))
      default: scenario.report(.ended(.failed(.leavesHTTPS(try redirect()))))
      }
      if isAsked, answers { allowed.formUnion([asked].compactMap(\.self)) }
      for load in scenario.loads.dropFirst(count) { #expect(load.allowsHTTP == allowed.contains(load.address)) }
    }
  }
}
