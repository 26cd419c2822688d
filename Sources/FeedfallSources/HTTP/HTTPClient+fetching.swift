import CFeedfallCurl
import FeedfallText
import Glibc

extension HTTPClient {
  /// Makes one request, with a condition where an answer is kept.
  func fetch(
    _ address: WebAddress, accept: String, condition: KeptAnswer?, timeout: Duration
  ) async -> FetchResult {
    let running = RunningRequest()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        running.started(
          as: start(address, accept: accept, condition: condition, timeout: timeout, continuation))
      }
    } onCancel: {
      running.cancel()
    }
  }

  private func start(
    _ address: WebAddress, accept: String, condition: KeptAnswer?, timeout: Duration,
    _ continuation: CheckedContinuation<FetchResult, Never>
  ) -> UInt64 {
    let context = Unmanaged.passRetained(Waiting(continuation))
    let id = withOptions(address, accept: accept, condition: condition, timeout: timeout) { options in
      fetch_start(
        options,
        { context, reply in
          let waiting = Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
          waiting.continuation.resume(returning: FetchResult(reply.pointee))
        }, context.toOpaque())
    }
    if id == 0 {
      context.release()
      continuation.resume(returning: FetchResult(notStarted: "no memory or no thread for a request"))
    }
    return id
  }

  private func withOptions(
    _ address: WebAddress, accept: String, condition: KeptAnswer?, timeout: Duration,
    _ body: (UnsafePointer<FetchOptions>) -> UInt64
  ) -> UInt64 {
    address.text.withCString { url in
      userAgent.withCString { agent in
        accept.withCString { accept in
          withOptionalCString(condition?.entityTag) { entityTag in
            withOptionalCString(condition?.lastModified) { lastModified in
              var options = FetchOptions(
                url: url, user_agent: agent, accept: accept, if_none_match: entityTag,
                if_modified_since: lastModified, ca_file: UnsafePointer(getenv("SSL_CERT_FILE")),
                is_direct: address.isThisMachine,
                timeout_ms: max(1, Int(timeout / .milliseconds(1))), max_bytes: maximumByteCount)
              return body(&options)
            }
          }
        }
      }
    }
  }

  /// Who waits for a reply.
  private final class Waiting: Sendable {
    let continuation: CheckedContinuation<FetchResult, Never>

    init(_ continuation: CheckedContinuation<FetchResult, Never>) {
      self.continuation = continuation
    }
  }
}

/// The text as C wants it; null for nil.
private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
  if let text { text.withCString(body) } else { body(nil) }
}
