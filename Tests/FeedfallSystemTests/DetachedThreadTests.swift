import Glibc
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct DetachedThreadTests {
  @Test func `a thread receives only the signals of crashes`() async throws {
    let blocked = await DetachedThread.run { _ in
      var signals = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &signals)
      return [SIGSEGV, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGWINCH].filter { sigismember(&signals, $0) == 1 }
    }
    #expect(blocked == [SIGINT, SIGTERM, SIGWINCH])
  }
}
