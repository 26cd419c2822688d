import FeedfallScreen
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  @Suite(.serialized) struct SharedFramesTests {
    @Test func `names that are in use are skipped`() {
      let name = "/feedfall-\(getpid())-1"
      close(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600))
      defer { shm_unlink(name) }
      var memory = KittyVideo.SharedFrames()
      #expect(memory.write([1, 2, 3]) == "/feedfall-\(getpid())-2")
      memory.removeAll()
    }

    @Test func `a query that was not answered before the end is repeated`() {
      var proof = KittyVideo.Proof()
      #expect(!proof.query().isEmpty && proof.query().isEmpty)
      proof.end()
      #expect(sharedObjects() == [])
      proof.handleAnswer(number: KittyVideo.Proof.number, isOK: false)
      #expect(proof.isShared == nil)
      #expect(!proof.query().isEmpty)
      proof.handleAnswer(number: KittyVideo.Proof.number, isOK: false)
      #expect(proof.isShared == false)
      proof.end()
      #expect(proof.isShared == false && sharedObjects() == [])
    }

    @Test func `objects of processes that have ended are removed, and others stay`() throws {
      // Processes in other containers are not visible here, and process IDs are reused.
      let names = [
        "/feedfall-\(getppid())-1", "/feedfall-2147483647-1", "/feedfall-x-1", "/feedfall-2147483647-1-2",
      ]
      let files = names.map { shm_open($0, O_RDWR | O_CREAT, 0o600) }
      defer { for name in names { shm_unlink(name) } }
      try #require(flock(files[1], LOCK_EX | LOCK_NB) == 0)
      defer { for file in files { close(file) } }
      _ = try kittyTerminal()
      #expect(names.map { access("/dev/shm\($0)", F_OK) == 0 } == [false, true, true, true])
    }
  }
}
