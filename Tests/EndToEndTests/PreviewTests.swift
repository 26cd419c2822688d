import Foundation
import TestSupport
import Testing

/// Previews in the covers of a terminal with kitty's graphics, by a real libmpv.
@Suite(.hangLimit, .serialized, .enabled(if: GraphicsTerminal.hasLibrary, "libmpv2 or ffmpeg is not installed"))
struct PreviewTests {
  /// Starts the program with three videos. The covers are no images, so every image is a video.
  private func withVideos(
    size: String = "160x90", _ body: @escaping @Sendable (GraphicsTerminal) throws -> Void
  ) async throws {
    try await withFolder { folder in
      try await onThread {
        try FilmFolder.make("one", "two", "three", in: folder, size: size, hertz: nil)
        let terminal = try GraphicsTerminal(
          "--preview", "selected", "--images", "none", folder, environment: ["COLORTERM": "truecolor"])
        try body(terminal)
      }
    }
  }

  /// Waits until the selected video plays in its cover, and returns the place.
  private func waitForPreview(_ terminal: GraphicsTerminal) throws -> GraphicsTerminal.Placement {
    let count = terminal.frameCount
    try terminal.processUntil("the video plays in a cover") {
      terminal.placement != nil && terminal.frameCount >= count + 3
    }
    return try #require(terminal.placement)
  }

  @Test func `a video at rest plays in its cover, and moving on leaves nothing`() async throws {
    try await withVideos { terminal in
      let first = try waitForPreview(terminal)
      #expect(first.column < 10 && first.width < 80 && first.height < 20)
      terminal.type("l")
      try terminal.processUntil("the preview is gone") { terminal.videos.isEmpty }
      let second = try waitForPreview(terminal)
      #expect(second.column > first.column && second.row == first.row && second.width == first.width)
      terminal.type("?")
      try terminal.processUntil("the preview is gone") { terminal.videos.isEmpty && terminal.objects.isEmpty }
      #expect(terminal.faults == [])
    }
  }

  @Test func `a portrait video is narrow in its cover and in the corner`() async throws {
    try await withVideos(size: "90x160") { terminal in
      _ = try waitForPreview(terminal)
      try terminal.processUntil("the preview is narrow") { terminal.placement.map(isPortrait) == true }
      terminal.type(" P")
      try terminal.processUntil("the video in the corner is narrow") {
        terminal.placement.map { isPortrait($0) && $0.column + $0.width == 120 } == true
      }
      let count = terminal.frameCount
      try terminal.processUntil("it plays on") { terminal.frameCount >= count + 5 }
      #expect(terminal.faults == [])
    }
  }

  /// Whether an area of cells, about twice as high as wide, is higher than wide.
  private func isPortrait(_ place: GraphicsTerminal.Placement) -> Bool { place.width < 2 * place.height }

  @Test func `space continues the preview in the pane with the same image`() async throws {
    try await withVideos { terminal in
      let cover = try waitForPreview(terminal)
      terminal.type(" ")
      try terminal.processUntil("the video plays in the pane") {
        terminal.placement.map { $0.column > 60 && $0 != cover } == true
      }
      let count = terminal.frameCount
      try terminal.processUntil("it plays on") { terminal.frameCount >= count + 5 }
      terminal.type("q")
      try terminal.processUntil("the video is gone") { terminal.videos.isEmpty && terminal.objects.isEmpty }
      #expect(terminal.faults == [])
    }
  }

  @Test func `the end of the program leaves no image and no shared memory`() async throws {
    try await withVideos { terminal in
      _ = try waitForPreview(terminal)
      terminal.type("\u{3}")
      try terminal.processUntil("the program has ended") { !isRunning(terminal.process) }
      try terminal.processUntil("nothing is left") { terminal.videos.isEmpty && terminal.objects.isEmpty }
      #expect(terminal.faults == [])
    }
  }
}
