import Foundation
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct EnvironmentTests {
  @Test func `an empty variable counts as unset`() {
    let environment = Environment(["A": "", "B": "x"])
    #expect(environment["A"] == nil)
    #expect(environment["B"] == "x")
    #expect(environment["C"] == nil)
  }

  @Test func `either variable of SSH makes a session remote`() {
    #expect(Environment(["SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"]).isRemote)
    #expect(Environment(["SSH_TTY": "/dev/pts/0"]).isRemote)
    #expect(!Environment(["SSH_TTY": "", "DISPLAY": ":0"]).isRemote)
  }

  @Test(arguments: [
    (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x"), (["HOME": "/h"], "/h/.cache"),
    (["XDG_CACHE_HOME": "x", "HOME": "/h"], "/h/.cache"), (["XDG_CACHE_HOME": "", "HOME": "h"], nil), ([:], nil),
  ])
  func `a folder is absolute, or defaults to one in the home folder`(variables: [String: String], folder: String?) {
    #expect(Environment(variables).cacheFolder == folder)
  }

  @Test func `each folder has its own default in the home folder`() {
    let environment = Environment(["HOME": "/h"])
    #expect(environment.home == "/h")
    #expect(environment.configurationFolder == "/h/.config")
    #expect(environment.stateFolder == "/h/.local/state")
  }

  @Test(arguments: [
    (nil, "/h/Videos"), ("XDG_VIDEOS_DIR=\"$HOME/Films\"", "/h/Films"), ("XDG_VIDEOS_DIR=\"/films\"", "/films"),
    ("# XDG_VIDEOS_DIR=\"/x\"\nXDG_MUSIC_DIR=\"/y\"", "/h/Videos"), ("XDG_VIDEOS_DIR=\"$HOME/\"", "/h/Videos"),
    ("XDG_VIDEOS_DIR=\"films\"", "/h/Videos"), ("XDG_VIDEOS_DIR=\"", "/h/Videos"),
  ])
  func `the folder for videos is the one that xdg-user-dirs names`(line: String?, folder: String) async throws {
    try await withFolder { configuration in
      if let line { try line.write(toFile: configuration + "/user-dirs.dirs", atomically: true, encoding: .utf8) }
      let environment = Environment(["HOME": "/h", "XDG_CONFIG_HOME": configuration])
      #expect(environment.videosFolder == folder)
      #expect(environment.userFolder("XDG_PICTURES_DIR") == nil)
    }
  }

  @Test func `the folder for pictures is the one that xdg-user-dirs or the environment names`() async throws {
    try await withFolder { configuration in
      let line = #"XDG_PICTURES_DIR="$HOME/Bilder""#
      try line.write(toFile: configuration + "/user-dirs.dirs", atomically: true, encoding: .utf8)
      var variables = ["HOME": "/h", "XDG_CONFIG_HOME": configuration]
      #expect(Environment(variables).userFolder("XDG_PICTURES_DIR") == "/h/Bilder")
      variables["XDG_PICTURES_DIR"] = "/p"
      #expect(Environment(variables).userFolder("XDG_PICTURES_DIR") == "/p")
    }
  }
}
