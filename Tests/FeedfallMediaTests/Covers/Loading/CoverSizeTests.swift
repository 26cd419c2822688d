import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import Synchronization
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

@Suite(.hangLimit, .serialized) struct CoverSizeTests {
  private static let size = Size(width: 1_000, height: 333)

  /// A picture without equal pixels, so that its file is long.
  private static let noise: [UInt8] = {
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<size.width * size.height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    return PixelBuffer(size: size, bytes: bytes)?.jpeg(quality: 50) ?? []
  }()

  private final class Reports: Sendable {
    private let sizes = Mutex<[Size]>([])
    var all: [Size] { sizes.withLock { $0 } }
    func add(_ size: Size) { sizes.withLock { $0.append(size) } }
  }

  private func load(
    _ address: MediaAddress, by loader: CoverLoader, _ reports: Reports?
  ) async throws -> CoverPicture {
    let report: (@Sendable (Size) -> Void)? = if let reports { { @Sendable in reports.add($0) } } else { nil }
    return try await loader.cover(
      [address], size: Size(width: 8, height: 4), cellSize: Size(width: 8, height: 16), glyphs: .halves,
      wantsPixels: false, reportSize: report)
  }

  @Test func `the size is reported once, before the cover arrives`() async throws {
    try await withCovers { _ in
      .stall(TestAnswer(Self.noise), after: Self.noise.count / 2)
    } _: { world in
      let (reports, loader) = (Reports(), world.loader())
      let loading = Task { try await load(world.address("/a"), by: loader, reports) }
      try await eventually("the size") { reports.all == [Self.size] }
      loading.cancel()
      _ = await loading.result
      #expect(reports.all == [Self.size])
      #expect(loader.sizes(of: [world.address("/a")]) == [nil], "the cover has not arrived")
    }
  }

  @Test func `the next run knows the size before the cover loads, and reports it only if it has changed`() async throws
  {
    let other = Sample.blueJPEG(Size(width: 900, height: 900))
    let isChanged = Mutex(false)
    try await withCovers { _ in
      .picture(isChanged.withLock { $0 } ? other : Self.noise)
    } _: { world in
      let address = world.address("/a")
      let reports = Reports()
      #expect(try await load(address, by: world.loader(), reports).originalSize == Self.size)
      #expect(world.loader().sizes(of: [world.address("/b"), address]) == [nil, Self.size])
      // From the thumbnail, whose proportions differ a little.
      #expect(try await load(address, by: world.loader(), reports).originalSize == Self.size)
      try change("DELETE FROM cover", in: world)
      #expect(try await load(address, by: world.loader(), reports).originalSize == Self.size)
      #expect(reports.all == [Self.size])
      try change("DELETE FROM cover", in: world)
      isChanged.withLock { $0 = true }
      #expect(try await load(address, by: world.loader(), reports).originalSize == Size(width: 900, height: 900))
      #expect(reports.all == [Self.size, Size(width: 900, height: 900)])
      #expect(world.loader().sizes(of: [address]) == [Size(width: 900, height: 900)])
      #expect(world.requestedPaths == ["/a", "/a", "/a"])
    }
  }

  @Test func `a size that the feed names is not stored`() async throws {
    try await withCovers { _ in
      .picture(Self.noise)
    } _: { world in
      let picture = try await load(world.address("/a"), by: world.loader(), nil)
      #expect(picture.originalSize == Self.size)
      #expect(world.loader().sizes(of: [world.address("/a")]) == [nil])
    }
  }

  @Test func `a thumbnail whose size its feed has named brings its size`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      let (address, reports) = (world.address("/a"), Reports())
      _ = try await load(address, by: world.loader(), nil)
      #expect(try await load(address, by: world.loader(), reports).originalSize == Size(width: 320, height: 180))
      #expect(world.loader().sizes(of: [address]) == [Size(width: 320, height: 180)])
      #expect(world.requestedPaths == ["/a"])
    }
  }

  @Test func `sizes are not stored without a cache, nor of addresses with a password`() async throws {
    try await withCovers { _ in
      .picture(Self.noise)
    } _: { world in
      let secret = MediaAddress.web(try #require(WebAddress("http://me:secret@127.0.0.1:\(world.server.port)/a")))
      let reports = Reports()
      let disabled = world.loader(AnswerCache())
      for _ in 0..<2 { _ = try await load(world.address("/a"), by: disabled, reports) }
      for _ in 0..<2 { _ = try await load(secret, by: world.loader(), reports) }
      #expect(reports.all == Array(repeating: Self.size, count: 4))
      #expect(disabled.sizes(of: [world.address("/a")]) == [nil])
      #expect(world.loader().sizes(of: [secret]) == [nil])
    }
  }

  @Test func `the size of a picture on this machine is stored`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      try Files.makeCacheFolder(world.folder)
      let path = world.folder + "/a b.jpg"
      let address = MediaAddress.file(try #require(FileAddress(path: Array(path.utf8))))
      for size in [Size(width: 640, height: 360), Size(width: 300, height: 900)] {
        try Data(Sample.blueJPEG(size)).write(to: URL(filePath: path))
        #expect(try await load(address, by: world.loader(), Reports()).originalSize == size)
        #expect(world.loader().sizes(of: [address]) == [size])
      }
    }
  }

  @Test(arguments: [
    (Sample.largerGIF, Size(width: 8, height: 8)), (Sample.largerWebP, Size(width: 8, height: 8)),
    (Array(noise.prefix(noise.count / 3)), size),
  ])
  func `an animation has the size of its canvas, and a cut picture its whole size`(
    bytes: [UInt8], size: Size
  ) async throws {
    try await withCovers { _ in
      // Of another kind than it says.
      .answer(TestAnswer(bytes, headers: ["Content-Type": "image/png"]))
    } _: { world in
      let picture = try await load(world.address("/a"), by: world.loader(), Reports())
      #expect(picture.originalSize == size)
      #expect(world.loader().sizes(of: [world.address("/a")]) == [size])
    }
  }

  @Test(arguments: [[], Array("<html><title>Log in</title>".utf8), Array(noise.prefix(40))])
  func `an answer without a picture has no size`(bytes: [UInt8]) async throws {
    try await withCovers { _ in
      .picture(bytes)
    } _: { world in
      let reports = Reports()
      await #expect(throws: CoverFailure.self) { try await load(world.address("/a"), by: world.loader(), reports) }
      #expect(reports.all.isEmpty)
      #expect(world.loader().sizes(of: [world.address("/a")]) == [nil])
    }
  }

  private func change(_ script: String, in world: CoverWorld) throws {
    try Database(path: world.folder + "/covers.sqlite", timeoutMilliseconds: 1000).run(script: script)
  }
}
