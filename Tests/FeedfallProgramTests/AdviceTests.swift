import ArgumentParser
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallFeeds
@testable import FeedfallProgram

/// The commands and options that the messages of the program name.
@Suite(.hangLimit) struct AdviceTests {
  /// The string literals in the sources of the program, with their files.
  private static let literals: [(file: String, text: String)] = {
    let folder = packageRoot + "/Sources"
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("WaterfallEngine") }.flatMap { path in
      let text = (try? String(contentsOfFile: folder + "/" + path, encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
      return lines.flatMap { line in
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { (path, String($0.element)) }
      }
    }
  }()

  private static let commands: [any ParsableCommand.Type] =
    FeedfallCommand.Word.allCases.map(\.command) + [FeedfallCommand.self]

  /// The words that follow the name of the program in sentences about it.
  private static let prose: Set<String> = [
    "again", "asks", "can", "chooses", "does", "in", "is", "on", "plays", "reads", "runs", "to",
  ]

  @Test func `each command that a message names exists`() {
    let words = Set(FeedfallCommand.words)
    #expect(Self.literals.count > 1_000 && words.count == Self.commands.count - 1)
    for (file, text) in Self.literals {
      for match in text.matches(of: #/\bfeedfall (--)?([a-z][a-z-]*)/#) where match.1 == nil {
        let word = String(match.2)
        #expect(words.contains(word) || Self.prose.contains(word), "\(file): \(text)")
      }
    }
  }

  @Test func `each option that a message names exists`() {
    let help = Self.commands.map { $0.helpMessage(columns: 1_000) }.joined()
    let options = Set(help.matches(of: #/--[a-z][a-z-]+/#).map { String($0.0) })
    #expect(options.isSuperset(of: ["--pages", "--queue", "--with-secrets", "--help"]))
    for (file, text) in Self.literals where file.hasPrefix("feedfall/") || file.hasPrefix("FeedfallApp/") {
      // Whole literals may be options of other programs.
      for match in text.matches(of: #/[A-Za-z.:,;] (--[a-z][a-z-]+)/#) {
        #expect(options.contains(String(match.1)), "\(file): \(text)")
      }
    }
  }

  @Test func `the keys in messages come from the keymap`() {
    for (file, text) in Self.literals {
      #expect(text.firstMatch(of: #/[Pp]ress ([^\s\\]{1,2}|Enter|Space|Esc)\b[^a-z]/#) == nil, "\(file): \(text)")
    }
  }

  @Test(arguments: ["no such list", "no such list.", "No such list!", "no such list. ", "no such list..."])
  func `a message has one full stop, however the text of a server ends`(words: String) {
    var failure = FeedFailure(.permanent, "the server says: \(words)", advice: "check the address.")
    #expect(failure.explanation.hasSuffix("such list. Check the address."))
    failure.reason = "A: \(words)"
    failure.advice = "try \(words)"
    #expect(failure.explanation.hasSuffix("such list.") && !failure.explanation.contains(".."))
    #expect(FeedFailure(.permanent, words).explanation.hasSuffix("such list."))
  }

  @Test func `the browser's arguments contain no secret`() throws {
    let address = try #require(WebAddress("https://me:secret@films.example/1?token=secret&v=1"))
    #expect(Services.browserArguments(for: address) == ["https://films.example/1?v=1"])
  }

  @Test func `a row contains no user and no password`() throws {
    let folder = "https://ann:s3cret@cloud.example/films/"
    let text =
      "<d:multistatus xmlns:d='DAV:'><d:response><d:href>/films/a.mp4</d:href></d:response>"
      + "<d:response><d:href>/films/a.jpg</d:href></d:response></d:multistatus>"
    let document = try FeedDecoder.decode(Array(text.utf8), from: WebAddress(folder))
    var video = try #require(document.videos.first)
    video.pageURL = WebAddress(folder)
    video.channelURL = WebAddress(folder)
    video.licenceURL = WebAddress(folder)
    let address = try #require(WebAddress(folder))
    video.players = [address]
    video.extras.people = [
      VideoExtras.Person(name: "Ann", role: "host", group: "cast", page: address, picture: address)
    ]
    video.extras.transcripts = [VideoExtras.Transcript(url: address, isCaptions: false)]
    video.extras.funding = [VideoExtras.Funding(url: address)]
    let row = VideoRow(video, source: "films", nextPage: WebAddress(folder))
    let film = "https://cloud.example/films/a.mp4"
    #expect(row.json.contains(#""id":"\#(film)""#) && row.json.contains(#""playbackURL":"\#(film)""#))
    for line in [row.json, row.text] { #expect(!line.contains("s3cret") && !line.contains("ann:")) }
  }
}
