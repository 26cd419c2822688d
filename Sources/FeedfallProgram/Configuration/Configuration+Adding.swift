import FeedfallFeeds
import FeedfallText

extension Configuration {
  struct Addition: Equatable, Sendable {
    var added: [Source] = []
    var configuredAddresses: [String] = []
    var bytes: [UInt8]
  }

  /// Returns a document with the sources appended. The existing bytes do not change. Sources whose address is already
  /// configured are skipped. A name that is already in use gets a number.
  static func adding(
    _ new: [Source], to bytes: [UInt8], home: String? = nil
  ) throws(ConfigurationError) -> Addition {
    let old = try Configuration(toml: bytes)
    var addition = Addition(bytes: bytes)
    var names = Set(old.sources.map(\.name))
    var addresses = Set(old.sources.map { normal($0.expanded(home: home).address) })
    for var source in new {
      guard addresses.insert(normal(source.expanded(home: home).address)).inserted else {
        addition.configuredAddresses.append(source.address)
        continue
      }
      source.name = uniqueName(source.name, among: names)
      names.insert(source.name)
      addition.added.append(source)
    }
    guard !addition.added.isEmpty else { return addition }
    let count = old.sources.count + addition.added.count
    guard count <= maximumSourceCount else {
      let reason = "it would have \(count) sources, more than \(maximumSourceCount)"
      throw ConfigurationError(ConfigurationFault(at: nil, reason, advice: "Remove some."))
    }
    if let last = bytes.last, last != UInt8(ascii: "\n") { addition.bytes.append(UInt8(ascii: "\n")) }
    for source in addition.added { addition.bytes += Array(source.toml(isFirst: addition.bytes.isEmpty).utf8) }
    try check(addition)
    return addition
  }

  /// Throws if the result could not be read back, so that the file is not overwritten with it.
  private static func check(_ addition: Addition) throws(ConfigurationError) {
    guard addition.bytes.count <= ConfigurationFile.maximumByteCount else { throw ConfigurationError(.tooLarge) }
    do { _ = try Configuration(toml: addition.bytes) } catch {
      let fault = error.faults[0]
      // The place is left out: it may lie in the appended text, which the user's file does not contain.
      let reason = "nothing can be appended to its text, \(fault.reason)"
      throw ConfigurationError(ConfigurationFault(at: nil, reason, advice: fault.advice))
    }
  }

  static func normal(_ address: String) -> String { WebAddress(typed: address)?.text ?? address }

  static func uniqueName(_ name: String, among names: Set<String>) -> String {
    // Names have at most 80 characters; the rest is room for the number.
    let name = cleanedLine(name, limit: 72)
    guard names.contains(name) else { return name }
    var number = 2
    while names.contains("\(name) \(number)") { number += 1 }
    return "\(name) \(number)"
  }
}

extension Configuration.Source {
  init(_ feed: SubscriptionList.Feed) {
    self.init(name: feed.name.isEmpty ? feed.address.shownHost : feed.name, address: feed.address.text)
    tags = feed.tags.filter(Self.isTag).prefix(Self.maximumTagCount).map(\.self)
  }

  func toml(isFirst: Bool) -> String {
    let tags = tags.isEmpty ? "" : "tags = [\(tags.map(Self.quoted).joined(separator: ", "))]\n"
    return "\(isFirst ? "" : "\n")[[source]]\nname = \(Self.quoted(name))\naddress = \(Self.quoted(address))\n\(tags)"
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
