import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct ScreenshotFileTests {
  @Test func `the folder is parsed from user-dirs_dirs`() {
    #expect(
      ScreenshotFile.configuredFolder(inLine: "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n", home: "/home/a")
        == "/home/a/Bilder")
    #expect(ScreenshotFile.configuredFolder(inLine: "XDG_PICTURES_DIR=\"/big/p\"\n", home: "/home/a") == "/big/p")
    #expect(ScreenshotFile.configuredFolder(inLine: "XDG_MUSIC_DIR=\"$HOME/Musik\"\n", home: "/home/a") == nil)
    #expect(ScreenshotFile.configuredFolder(inLine: "XDG_PICTURES_DIR=\"relative\"\n", home: "/home/a") == nil)
  }
}
