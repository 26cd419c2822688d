import Glibc

/// Runs blocking work on its own thread.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let work = Unmanaged.passRetained(ThreadWork(body))
  var thread = pthread_t()
  let error = pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, work.toOpaque())
  precondition(error == 0, "no thread: error \(error)")
  pthread_detach(thread)
}

private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
