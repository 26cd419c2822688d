import FeedfallSystem
import FeedfallText
import Synchronization

/// The rules of all sources: those of the program, and those of addresses from sources with rules of their own.
public final class AddressDirectory<Rules: Sendable>: Sendable, Equatable {
  public let common: Rules
  private let own = Mutex(Generations())

  /// The addresses that were assigned last, and those before them. The oldest generation is forgotten.
  private struct Generations {
    var current: [WebAddress: Rules] = [:]
    var previous: [WebAddress: Rules] = [:]
  }

  /// The addresses in a generation, except for those of one page.
  static var generationSize: Int { 100_000 }

  public init(_ common: Rules) { self.common = common }

  package func assign(_ rules: Rules, to addresses: [WebAddress]) {
    own.withLock { own in
      if own.current.count > Self.generationSize { own = Generations(previous: own.current) }
      for address in addresses { own.current[address] = rules }
    }
  }

  public func rules(for address: WebAddress) -> Rules {
    own.withLock { $0.current[address] ?? $0.previous[address] } ?? common
  }

  public static func == (left: AddressDirectory, right: AddressDirectory) -> Bool { left === right }
}

public typealias ProxyDirectory = AddressDirectory<Proxies>
public typealias YtDlpDirectory = AddressDirectory<YtDlp>

extension AddressDirectory<Proxies> {
  /// The proxies that the environment names, read once.
  public static var ofEnvironment: ProxyDirectory { environmentProxies }
}

private let environmentProxies = ProxyDirectory(Proxies { Environment.process[$0] })
