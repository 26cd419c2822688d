import FeedfallText

/// Gets the bytes of pictures, from the web and from files on this machine: bounded in size and time, a few at a time
/// from each server, each address once for all who ask for it at the same time.
package final class PictureRequests: Sendable {
  private let client: HTTPClient
  private let gate = ServerGate(places: 6)
  private let shared = SharedRequests()
  private let silent = SilentServers()

  /// The largest picture that is taken, in bytes.
  package static let maximumByteCount = 8 << 20
  private static let timeoutSeconds = 20.0
  private static let accept = "image/webp, image/jpeg, image/png, image/gif;q=0.9, image/*;q=0.5, */*;q=0.1"

  /// Asks nothing and opens nothing yet.
  package init(options: SourceOptions) {
    client = HTTPClient(
      timeoutSeconds: Self.timeoutSeconds, userAgent: options.userAgent, maximumByteCount: Self.maximumByteCount,
      contents: "a picture", cache: options.cache)
  }

  /// How many callers wait for a place at a server, or for another caller's answer.
  package var waitingCount: Int { gate.waitingCount + shared.waitingCount }

  /// Gets what is at an address, whatever it is; cancelling the task ends the wait, and the request when nobody else
  /// waits for it.
  package func bytes(of address: MediaAddress) async -> PictureAnswer {
    await shared.answer(for: address) {
      await gate.pass(to: address.server) { await ask(address) } ?? .cancelled
    }
  }

  private func ask(_ address: MediaAddress) async -> PictureAnswer {
    switch address {
    case .file(let file): await PictureFile.bytes(of: file, limit: Self.maximumByteCount)
    case .web(let address): await ask(address)
    }
  }

  private func ask(_ address: WebAddress) async -> PictureAnswer {
    if let failure = silent.failure(of: address.server) { return .failed(failure) }
    switch await client.get(address, accept: Self.accept) {
    case .failure(let failure) where failure == client.tooLarge: return .missing(failure)
    case .failure(let failure):
      // Others say that there was an answer, or that none was asked for.
      if failure.kind == .temporary, failure != .cancelled { silent.failed(address.server, failure) }
      return .failed(failure)
    case .success(let answer):
      silent.answered(address.server)
      guard let failure = answer.failure else { return .bytes(answer.body) }
      return failure.kind == .permanent ? .missing(failure) : .failed(failure)
    }
  }
}

/// What asking for a picture brings.
package enum PictureAnswer: Equatable, Sendable {
  case bytes([UInt8])
  /// There is none here, and to ask again soon is of no use.
  case missing(FeedFailure)
  /// None could be had this time.
  case failed(FeedFailure)

  static let cancelled = PictureAnswer.failed(.cancelled)
}

extension MediaAddress {
  /// What is asked a few times at once at most: a server, or this machine.
  fileprivate var server: String { web?.server ?? "" }
}
