import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

/// The proportions of the pictures of videos.
@Suite(.hangLimit) struct PictureAspectTests {
  private static let usual = 16.0 / 9.0

  private func video(_ addresses: String..., width: Int? = nil, height: Int? = nil) throws -> Video {
    var video = Video(id: "1", title: "t", playback: .unknown)
    video.covers = try addresses.map {
      Cover(url: try #require(MediaAddress(reference: $0, in: file)), width: width, height: height)
    }
    return video
  }

  private let file = FileAddress(path: "/films/list.m3u".utf8).map(MediaAddress.file)

  private func size(_ width: Int, _ height: Int) throws -> PixelSize {
    try #require(PixelSize(width: width, height: height))
  }

  @Test func `the picture counts before the aspect, the covers and what was learned`() throws {
    var video = try video("https://h.example/a", "https://h.example/b")
    #expect(video.aspect == Self.usual && video.namedAspect == nil)
    video.covers[0].learn(try size(100, 200))
    #expect(video.aspect == 0.5 && video.namedAspect == nil)
    #expect(video.covers[0].width == 100 && video.covers[0].height == 200)
    video.covers[0].learn(try size(100, 50))
    #expect(video.aspect == 2)
    video.covers[1] = Cover(url: video.covers[1].url, width: 30, height: 10)
    #expect(video.aspect == 3 && video.namedAspect == 3)
    video.aspectRatio = 1.5
    #expect(video.aspect == 1.5)
    video.pictureSize = try size(400, 400)
    #expect(video.aspect == 1)
  }

  @Test func `a size that the feed names is not replaced by a learned one`() throws {
    var video = try video("https://h.example/a", width: 300, height: 100)
    video.covers[0].learn(try size(100, 200))
    #expect(video.aspect == 3 && video.covers[0].learnedSize == nil)
    // A width alone says nothing.
    video = try self.video("https://h.example/a", width: 300)
    video.covers[0].learn(try size(100, 200))
    #expect(video.aspect == 0.5)
  }

  @Test func `a picture beside a film counts before the size of the film, as soon as it is known`() throws {
    var video = try video("/films/a.jpg", "/films/poster.jpg")
    let film = try #require(FileAddress(path: "/films/a.mp4".utf8))
    (video.playback, video.pictureSize) = (.direct([MediaFile(url: .file(film))]), try size(300, 100))
    #expect(video.aspect == 3 && video.namedAspect == nil && video.learnedAspect == nil)
    video.covers[0].learn(try size(100, 200))
    #expect(video.aspect == 0.5 && video.namedAspect == nil)
    video.aspectRatio = 1.5
    #expect(video.aspect == 1.5)
    // A frame of the film has the film's proportions, and a feed knows the films of servers.
    video.aspectRatio = nil
    let frame = VideoFrame(of: film, byteCount: 1, modified: UnixTime(seconds: 0))
    video.covers = [Cover(url: .frame(frame))]
    #expect(video.namedAspect == 3)
    let remote = try self.video("https://h.example/a", "/films/a.jpg")
    (video.covers, video.playback) = (remote.covers, .direct([MediaFile(url: .file(film))]))
    #expect(video.namedAspect == 3)
    (video.covers, video.playback) = (remote.covers.reversed(), .unknown)
    #expect(video.namedAspect == 3)
  }

  @Test func `sizes of no picture and invalid aspects count as unknown`() throws {
    var video = try video("https://h.example/a", width: 1, height: 1)
    for ratio: Double in [0, -1, .nan, .infinity, -.infinity] {
      video.aspectRatio = ratio
      #expect(video.aspect == Self.usual && video.namedAspect == nil)
    }
    video.covers[0].learn(try size(30, 10))
    #expect(video.aspect == 3 && video.covers[0].learnedSize != nil)
    video = try self.video("https://h.example/a")
    video.covers[0].learn(try size(1, 1))
    #expect(video.aspect == Self.usual)
    video.covers[0].learn(try size(1, 65_535))
    #expect(video.aspect == 1.0 / 65_535)
  }

  @Test(arguments: [
    "https://i.ytimg.com/vi/x/hqdefault.jpg", "https://h.example/sddefault.webp?sqp=-oay/b.jpg#/c",
    "/films/hqdefault.jpg",
    "http://h.example/hqdefault", "https://h.example/a/hq%64efault.jp%67", "sddefault.jpg",
  ])
  func `YouTube's pictures with bars count as 16 to 9`(address: String) throws {
    var video = try video(address, "https://h.example/b", width: 480, height: 360)
    video.pictureSize = try size(640, 390)
    #expect(video.aspect == Self.usual && video.namedAspect == Self.usual)
  }

  @Test(arguments: [
    "https://h.example/hqdefault/a.jpg", "https://h.example/a.jpg?hqdefault.jpg", "https://h.example/xhqdefault.jpg",
    "https://h.example/hqdefault.jpg/", "https://h.example/a#/hqdefault.jpg", "https://hqdefault", "https://h.example",
    "https://h.example/hqdefault.old.jpg", "https://h.example/maxresdefault.jpg",
  ])
  func `other pictures have their own size`(address: String) throws {
    #expect(try video(address, width: 400, height: 400).aspect == 1)
  }
}
