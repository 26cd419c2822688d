import FeedfallFeeds
import FeedfallSystem
import FeedfallText

extension ConfigurationFile {
  /// Adds feeds to the file, and creates the file if necessary. If this fails, the file is unchanged.
  public func add(_ feeds: [SubscriptionList.Feed]) throws(ConfigurationFault) -> Addition {
    let addition = try Configuration.adding(feeds, to: try bytes() ?? [])
    if !addition.added.isEmpty { try write(addition.bytes) }
    return addition
  }

  /// Replaces the content of the file. If the path is a symbolic link, its target is replaced.
  private func write(_ bytes: [UInt8]) throws(ConfigurationFault) {
    do {
      try Files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), mode: 0o755)
      try Files.replace(path, with: bytes, mode: 0o644)
    } catch {
      throw ConfigurationFault(at: nil, error.message, advice: "Check its permissions.")
    }
  }
}
