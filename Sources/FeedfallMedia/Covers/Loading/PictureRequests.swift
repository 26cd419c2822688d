import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Synchronization

package typealias FrameMaker = @Sendable (VideoFrame) async throws(FeedFailure) -> [UInt8]

/// In seconds; nil if it is unknown.
package typealias FrameLength = @Sendable (VideoFrame) async -> Double?

/// Fetches pictures: bounded in size and time, a few at a time from each server, and once for all concurrent callers.
package final class PictureRequests: Sendable {
  private let client: HTTPClient
  private let limit = RequestLimit(count: 6)
  private let shared = SharedRequests<Request, Result<Answer, CoverFailure>>()
  private let silent = SilentServers()
  private let makeFrame: FrameMaker
  private let lastRetry = Mutex(0)

  package struct Answer: Sendable {
    /// Nil if the server has confirmed the known version.
    var bytes: [UInt8]?
    /// Nil for a local picture.
    var caching: CacheHeaders?
    var version: AnswerVersion?
  }

  private struct Request: Hashable {
    var address: MediaAddress
    var known: AnswerVersion?
    var referrer: WebAddress?
  }

  /// Statuses of servers that do not know an address.
  private static let refusals = [400, 403, 404, 410]
  /// In seconds. Many covers share a line.
  package static let shortestTimeout = 20.0
  private static let accept = "image/webp, image/jpeg, image/png, image/gif;q=0.9, image/*;q=0.5, */*;q=0.1"

  /// - Parameter cache: its pauses and permanent redirects also apply to pictures.
  package init(
    cache: AnswerCache, userAgent: String, timeoutSeconds: Double = shortestTimeout,
    proxies: ProxyDirectory = .ofEnvironment,
    makeFrame: @escaping FrameMaker = PictureRequests.noFrames
  ) {
    self.makeFrame = makeFrame
    client = HTTPClient(
      timeoutSeconds: timeoutSeconds, userAgent: userAgent, maximumByteCount: PictureLimits.webByteCount, cache: cache,
      proxies: proxies)
  }

  package static let noFrames: FrameMaker = { _ throws(FeedFailure) in
    throw FeedFailure(.permanent, "ffmpeg and ffprobe are not installed", advice: "install them: apt install ffmpeg")
  }

  package var waitingCount: Int { limit.waitingCount + shared.waitingCount }

  /// Lets silent servers be requested again, once for each retry of the user.
  func beginRetry(_ press: Int) {
    let isNew = lastRetry.withLock { last in
      defer { last = max(last, press) }
      return press > last
    }
    if isNew { silent.forgetFailures() }
  }

  /// Cancelling the task ends the wait, and the request unless other tasks share it.
  /// - Parameter known: the stored version, of which the server need not send the picture again.
  /// - Parameter referrer: an origin, which is sent to a server that refuses the request without one.
  /// - Parameter inspect: see `HTTPClient.inspect`; unused if another task has sent the request.
  package func bytes(
    of address: MediaAddress, known: AnswerVersion? = nil, referrer: WebAddress? = nil,
    inspect: (@Sendable ([UInt8]) -> Bool)? = nil
  ) async throws(CoverFailure) -> Answer {
    let request = Request(address: address, known: known, referrer: referrer)
    let answer = await shared.answer(for: request) {
      let result = await limit.run(for: address.server) { await fetch(request, inspect) }
      if case .failure(.cancelled) = result { return nil }
      return result
    }
    guard let answer else { throw .cancelled }
    return try answer.get()
  }

  private func fetch(
    _ request: Request, _ inspect: (@Sendable ([UInt8]) -> Bool)?
  ) async -> Result<Answer, CoverFailure> {
    do throws(CoverFailure) {
      switch request.address {
      case .file(let file): return .success(Answer(bytes: try await read(file)))
      case .web(let address): return .success(try await fetch(address, request, inspect))
      case .frame(let frame): return .success(Answer(bytes: try await make(frame)))
      case .stream: throw .noAddress
      }
    } catch {
      return .failure(error)
    }
  }

  private func make(_ frame: VideoFrame) async throws(CoverFailure) -> [UInt8] {
    do { return try await makeFrame(frame) } catch { throw Task.isCancelled ? .cancelled : .frame(error) }
  }

  /// Sends at most three requests: if the server refuses the first one, another with a `Referer`, and another for the
  /// address without escapes of escapes.
  private func fetch(
    _ address: WebAddress, _ request: Request, _ inspect: (@Sendable ([UInt8]) -> Bool)?
  ) async throws(CoverFailure) -> Answer {
    var client = client
    client.authorization = client.cache.authorization(forCover: address)
    client.inspect = inspect
    client.known = request.known
    var answer = try await fetch(address, client)
    if answer.status == 403, let referrer = request.referrer {
      client.referrer = referrer
      answer = try await fetch(address, client)
    }
    if Self.refusals.contains(answer.status), let other = address.decodingEscapesOnce {
      let second = try await fetch(other, client)
      if second.failure == nil || second.status == 304 { answer = second }
    }
    let version = AnswerVersion(
      of: answer.address, entityTag: answer.caching?.entityTag, lastModified: answer.caching?.lastModified)
    if answer.status == 304, request.known != nil { return Answer(caching: answer.caching, version: version) }
    if let failure = answer.failure { throw .web(failure) }
    return Answer(bytes: answer.body, caching: answer.caching, version: version)
  }

  private func fetch(_ address: WebAddress, _ client: HTTPClient) async throws(CoverFailure) -> HTTPAnswer {
    if let failure = silent.failure(of: address.server) { throw .web(failure) }
    var load = client.load(nil)
    let answer: HTTPAnswer
    do {
      answer = try await load.get(address, accept: Self.accept)
    } catch {
      if error == .cancelled { throw .cancelled }
      // After any other failure the server answered, or no request was sent.
      if error.retry == .temporary { silent.recordFailure(of: address.server, error) }
      throw .web(error)
    }
    silent.recordAnswer(of: address.server)
    return answer
  }

  /// Reads on a separate thread, because disks may be slow.
  private func read(_ address: FileAddress) async throws(CoverFailure) -> [UInt8] {
    let name = cleanedLine(address.name, limit: 120)
    let result = await DetachedThread.run { isCancelled in
      Result { () throws(FileError) in
        try Files.read(address.path, limit: PictureLimits().bytes, isCancelled: isCancelled)
      }
    }
    guard let result else { throw .noThread(name: name) }
    if Task.isCancelled { throw .cancelled }
    do { return try result.get() } catch { throw .file(error, name: name) }
  }
}

extension MediaAddress {
  /// Empty for this machine.
  fileprivate var server: String { web?.server ?? "" }
}
