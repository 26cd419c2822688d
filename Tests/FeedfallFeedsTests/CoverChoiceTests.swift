import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

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
}
