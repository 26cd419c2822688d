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
    #expect(environment.temporaryFolder == "/tmp")
    #expect(Environment(["TMPDIR": "/t"]).temporaryFolder == "/t")
  }
}
