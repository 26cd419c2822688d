import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct CoverChoiceTests {
  /// Covers with these widths and heights, named by index; 0 is unknown.
  private func video(_ sizes: [(Int, Int)]) throws -> Video {
    var video = Video(id: "1", title: "t", playback: .unknown)
    video.covers = try sizes.enumerated().map { place, size in
      Cover(url: try #require(WebAddress("https://h.example/\(place)")), width: size.0, height: size.1)
    }
    return video
  }

  private func chosen(_ sizes: [(Int, Int)], _ width: Int, _ height: Int) throws -> Int? {
    let frame = try #require(PixelSize(width: width, height: height))
    return try video(sizes).cover(fitting: frame)?.url.web.flatMap { Int($0.path.dropFirst()) }
  }

  private static let usual = [(1_280, 720), (280, 157), (1_400, 1_400), (850, 480), (1_920, 1_080)]

  @Test(arguments: [
    (100, 56, 1), (280, 157, 1), (281, 158, 3), (850, 480, 3), (900, 500, 0), (1_920, 1_080, 4), (4_000, 2_000, 4),
    // A tall frame is filled by its width.
    (280, 900, 1),
  ])
  func `the smallest cover that fills the frame is chosen, or the largest`(width: Int, height: Int, place: Int) throws {
    #expect(try chosen(Self.usual, width, height) == place)
  }

  @Test func `covers of the picture's shape come before others`() throws {
    #expect(try chosen([(200, 300), (320, 180), (2_000, 3_000)], 1_000, 500) == 1)
    #expect(try chosen([(200, 300), (2_000, 3_000)], 1_000, 500) == 1)
    var portrait = try video([(320, 180), (200, 300), (600, 900)])
    portrait.aspectRatio = 0.5
    #expect(portrait.largeCover?.url.web?.path == "/2")
  }

  @Test func `without sizes the first cover is for small frames and the last for large ones`() throws {
    #expect(try chosen([(0, 0), (0, 0)], 300, 170) == 0)
    #expect(try chosen([(0, 0), (0, 0)], 1_280, 720) == 1)
    #expect(try video([(0, 0), (0, 0)]).largeCover?.url.web?.path == "/1")
    #expect(try video([]).largeCover == nil)
  }

  @Test func `of the pictures beside a film, the first one is for all frames, and the folder's is a fallback`() throws {
    var video = Video(id: "1", title: "t", playback: .unknown)
    video.covers = try ["/films/a.jpg", "/films/poster.jpg"].map {
      Cover(url: .file(try #require(FileAddress(path: $0.utf8))))
    }
    for size in [(300, 170), (1_280, 720)] {
      let frame = try #require(PixelSize(width: size.0, height: size.1))
      #expect(video.cover(fitting: frame)?.url.file?.text == video.covers[0].url.file?.text)
    }
  }

  @Test func `a learned size does not change which cover is chosen`() throws {
    for (width, height) in [(300, 170), (1_280, 720)] {
      for learned in [(1, 1), (90, 160), (5_000, 2_000)] {
        var video = try video([(0, 0), (0, 0)])
        let frame = try #require(PixelSize(width: width, height: height))
        let before = video.cover(fitting: frame)?.url
        for place in [0, 1] { video.covers[place].learn(try #require(PixelSize(width: learned.0, height: learned.1))) }
        #expect(video.cover(fitting: frame)?.url == before)
      }
    }
  }

  @Test func `a cover known to fill the frame comes before one of unknown size`() throws {
    #expect(try chosen([(0, 0), (1_280, 720)], 1_280, 720) == 1)
    #expect(try chosen([(100, 50), (0, 0)], 1_280, 720) == 1)
  }

  @Test func `covers of the text and the channel have no influence beside one of the video`() throws {
    var video = try video([(0, 0)])
    let others = try ["1/hqdefault.jpg", "2"].map { try #require(WebAddress("https://h.example/\($0)")) }
    video.covers.append(inText: others)
    video.covers.append(ofChannel: WebAddress("https://h.example/3"))
    #expect(video.covers.map(\.origin) == [.video, .text, .text, .channel])
    #expect(video.largeCover?.url == video.covers[0].url && video.namedAspect == nil)
    video.covers[3].learn(try #require(PixelSize(width: 10, height: 10)))
    #expect(video.learnedAspect == nil)
    video.covers.removeFirst()
    #expect(video.largeCover?.url.web?.path == "/1/hqdefault.jpg")
    video.covers.removeFirst(2)
    #expect(video.largeCover?.url.web?.path == "/3" && video.learnedAspect == 1)
  }

  @Test func `in any sequence of additions each address is listed once, the channel's last`() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      func addresses(_ count: Int) throws -> [WebAddress] {
        try (0..<count).map { _ in
          try #require(WebAddress("https://h.example/\(Int.random(in: 0...6, using: &random))"))
        }
      }
      var covers = try addresses(Int.random(in: 0...1, using: &random)).map { Cover(url: $0) }
      let own = covers.count
      covers.append(inText: try addresses(Int.random(in: 0...4, using: &random)))
      let channel = try addresses(1)[0]
      covers.append(ofChannel: channel)
      #expect(Set(covers.map(\.url)).count == covers.count && covers.contains { $0.url == .web(channel) })
      #expect(covers.prefix(own).allSatisfy { $0.origin == .video })
      #expect(covers.dropLast().allSatisfy { $0.origin != .channel })
      #expect(Set(covers.best.map(\.origin)).count == 1 && covers.best.first == covers.first)
    }
  }
}
