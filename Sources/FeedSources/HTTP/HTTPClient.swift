import CCurl
import Glibc
import VideoFeed

/// Gets web addresses: bounded in time and size, redirects followed by our own rule.
struct HTTPClient: Sendable {
  var timeoutSeconds: Double
  var userAgent: String
  var maximumByteCount: Int
  /// When all requests have to be answered; nil gives each of them the whole time-out.
  private var deadline: ContinuousClock.Instant?

  init(timeoutSeconds: Double, userAgent: String, maximumByteCount: Int = 32 << 20) {
    self.timeoutSeconds = timeoutSeconds
    self.userAgent = userAgent
    self.maximumByteCount = maximumByteCount
  }

  /// A client whose requests share one time-out, which begins now.
  func withinOneTimeout() -> HTTPClient {
    var client = self
    client.deadline = .now.advanced(by: timeout)
    return client
  }

  /// Gets an address, whatever status the answer has; fails in words for a person.
  func get(_ address: WebAddress, accept: String) async -> Result<HTTPAnswer, FeedFailure> {
    let deadline = deadline ?? .now.advanced(by: timeout)
    var address = address
    var hop = 0
    while true {
      let left = deadline - ContinuousClock.now
      let result = await fetch(address, accept: accept, timeout: left)
      if let failure = failure(for: result, from: address) { return .failure(failure) }
      guard Redirect.isAnnounced(by: result.status), let target = result.redirect else {
        return .success(HTTPAnswer(result, from: address))
      }
      hop += 1
      do {
        address = try Redirect.next(from: address, to: target, hop: hop)
      } catch {
        return .failure(error)
      }
    }
  }

  /// The limit as a duration that no number can make trap.
  private var timeout: Duration {
    let isUsable = timeoutSeconds.isFinite && timeoutSeconds > 0
    return .milliseconds(Int(min(max((isUsable ? timeoutSeconds : 10) * 1000, 1), 3_600_000)))
  }

  private func fetch(_ address: WebAddress, accept: String, timeout: Duration) async -> FetchResult {
    let running = RunningRequest()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        running.started(as: start(address, accept: accept, timeout: timeout, continuation))
      }
    } onCancel: {
      running.cancel()
    }
  }

  private func start(
    _ address: WebAddress, accept: String, timeout: Duration,
    _ continuation: CheckedContinuation<FetchResult, Never>
  ) -> UInt64 {
    let context = Unmanaged.passRetained(Waiting(continuation))
    let id = withOptions(address, accept: accept, timeout: timeout) { options in
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
    _ address: WebAddress, accept: String, timeout: Duration,
    _ body: (UnsafePointer<FetchOptions>) -> UInt64
  ) -> UInt64 {
    address.text.withCString { url in
      userAgent.withCString { agent in
        accept.withCString { accept in
          var options = FetchOptions(
            url: url, user_agent: agent, accept: accept, ca_file: UnsafePointer(getenv("SSL_CERT_FILE")),
            is_direct: address.isThisMachine,
            timeout_ms: max(1, Int(timeout / .milliseconds(1))), max_bytes: maximumByteCount)
          return body(&options)
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

extension HTTPAnswer {
  fileprivate init(_ result: FetchResult, from address: WebAddress) {
    self.init(
      status: result.status, body: result.body, contentType: result.contentType, address: address,
      retryAfter: result.retryAfter, link: result.headers["link"])
  }
}

extension WebAddress {
  /// Whether it names the machine that the program runs on, which no proxy could reach.
  var isThisMachine: Bool {
    let host = host
    func isLoopback(_ host: String) -> Bool {
      host.hasPrefix("127.") && host.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
    }
    return host == "localhost" || host == "[::1]" || isLoopback(host)
  }
}
