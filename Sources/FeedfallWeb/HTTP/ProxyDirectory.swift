import FeedfallSystem
import FeedfallText
import Synchronization

/// The rules of all sources: those of the program, and those of addresses from sources with a proxy of their own.
public final class ProxyDirectory: Sendable, Equatable {
  public let common: Proxies
  private let own = Mutex(Generations())

  /// The addresses that were assigned last, and those before them. The oldest generation is forgotten.
  private struct Generations {
    var current: [WebAddress: Proxies] = [:]
    var previous: [WebAddress: Proxies] = [:]
  }

  /// The addresses in a generation, except for those of one page.
  static let generationSize = 100_000

  public init(_ common: Proxies) { self.common = common }

  package func assign(_ proxies: Proxies, to addresses: [WebAddress]) {
    own.withLock { own in
      if own.current.count > Self.generationSize { own = Generations(previous: own.current) }
      for address in addresses { own.current[address] = proxies }
    }
  }

  public func rules(for address: WebAddress) -> Proxies {
    own.withLock { $0.current[address] ?? $0.previous[address] } ?? common
  }

  public static func == (left: ProxyDirectory, right: ProxyDirectory) -> Bool { left === right }
}

extension ProxyDirectory {
  /// The proxies that the environment names, read once.
  public static let ofEnvironment = ProxyDirectory(Proxies { Environment.process[$0] })
}
