import FeedfallSystem
import FeedfallText
import FeedfallWeb

/// Makes a picture of a video, as JPEG.
package typealias FrameMaker = @Sendable (VideoFrame) async throws(FeedFailure) -> [UInt8]

/// Returns the length of a video in seconds; nil if it is unknown.
package typealias FrameLength = @Sendable (VideoFrame) async -> Double?

/// Fetches the bytes of pictures from the web, from files on this machine and of videos on it: bounded in size and time, a few at a time
/// from each server, and each address once for all callers at the same time.
package final class PictureRequests: Sendable {
  private let client: HTTPClient
  private let gate = ServerGate(limit: 6)
  private let shared = SharedRequests<MediaAddress, Result<[UInt8], CoverFailure>>()
  private let silent = SilentServers()
  private let makeFrame: FrameMaker

  private static let accept = "image/webp, image/jpeg, image/png, image/gif;q=0.9, image/*;q=0.5, */*;q=0.1"

  /// - Parameter cache: its pauses and permanent redirects also apply to pictures.
  package init(
    cache: AnswerCache, userAgent: String, timeoutSeconds: Double = 20, proxies: ProxyDirectory = .ofEnvironment,
    makeFrame: @escaping FrameMaker = PictureRequests.noFrames
  ) {
    self.makeFrame = makeFrame
    client = HTTPClient(
      timeoutSeconds: timeoutSeconds, userAgent: userAgent, maximumByteCount: PictureLimits.webByteCount, cache: cache,
      proxies: proxies)
  }

  /// Fails for every video.
  package static let noFrames: FrameMaker = { _ throws(FeedFailure) in
    throw FeedFailure(.permanent, "ffmpeg and ffprobe are not installed", advice: "install them: apt install ffmpeg")
  }

  /// The number of callers that wait for a free request or for another caller's answer.
  package var waitingCount: Int { gate.waitingCount + shared.waitingCount }

  /// Fetches an address of any type. Cancelling the task ends the wait, and the request unless other tasks share
  /// it.
  ///
  /// - Parameter inspect: see `HTTPClient.inspect`; unused if another task has sent the request.
  package func bytes(
    of address: MediaAddress, inspect: (@Sendable ([UInt8]) -> Bool)? = nil
  ) async throws(CoverFailure) -> [UInt8] {
    let answer = await shared.answer(for: address) {
      let result = await gate.run(for: address.server) { await fetch(address, inspect) }
      return result == .failure(.cancelled) ? nil : result
    }
    guard let answer else { throw .cancelled }
    return try answer.get()
  }

  private func fetch(
    _ address: MediaAddress, _ inspect: (@Sendable ([UInt8]) -> Bool)?
  ) async -> Result<[UInt8], CoverFailure> {
    do throws(CoverFailure) {
      switch address {
      case .file(let file): return .success(try await read(file))
      case .web(let address): return .success(try await fetch(address, inspect))
      case .frame(let frame): return .success(try await make(frame))
      }
    } catch {
      return .failure(error)
    }
  }

  private func make(_ frame: VideoFrame) async throws(CoverFailure) -> [UInt8] {
    do { return try await makeFrame(frame) } catch { throw Task.isCancelled ? .cancelled : .frame(error) }
  }

  private func fetch(
    _ address: WebAddress, _ inspect: (@Sendable ([UInt8]) -> Bool)?
  ) async throws(CoverFailure) -> [UInt8] {
    if let failure = silent.failure(of: address.server) { throw .web(failure) }
    var client = client
    client.authorization = client.cache.authorization(forCover: address)
    client.inspect = inspect
    var load = client.load(nil)
    let answer: HTTPAnswer
    do {
      answer = try await load.get(address, accept: Self.accept)
    } catch {
      if error == .cancelled { throw .cancelled }
      // After any other failure the server answered, or no request was sent.
      if error.retry == .atAnyTime { silent.recordFailure(of: address.server, error) }
      throw .web(error)
    }
    silent.recordAnswer(of: address.server)
    if let failure = answer.failure { throw .web(failure) }
    return answer.body
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
  /// The server for the limit of concurrent requests; empty for this machine.
  fileprivate var server: String { web?.server ?? "" }
}
