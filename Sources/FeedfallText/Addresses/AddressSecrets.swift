// The secrets in addresses. An address has two ways out: `text` is for requests; `forStorage` is for files, arguments
// of other programs and exported lists.

extension WebAddress {
  /// Whether a part of the address proves the user's identity or permission: a user name or a parameter that is a
  /// secret by its name, or as long and random as one.
  public var hasSecret: Bool { namesUser || text.hasSecretParameter }

  /// The address without its secrets. Its server may refuse it.
  public var forStorage: WebAddress { WebAddress(unchecked: text.removingSecrets) }
}

extension MediaAddress {
  public var hasSecret: Bool { web?.hasSecret == true || stream?.hasSecret == true }
  /// The address without its secrets. Its server may refuse it.
  public var forStorage: MediaAddress {
    switch self {
    case .web(let address): .web(address.forStorage)
    case .stream(let address): .stream(address.forStorage)
    case .file, .frame: self
    }
  }
}

extension String {
  package var hasSecretParameter: Bool { SecretParameters(self)?.isEmpty == false }
  package var hasSecret: Bool { hidingPassword != self }

  package var removingSecrets: String {
    let plain = removingUser
    return SecretParameters(plain)?.replaced { _ in nil } ?? plain
  }

  /// Replaces each secret by its hash, so that different addresses still differ. Idempotent.
  package var hashingSecrets: String { SecretParameters(self)?.replaced { "~" + SecretParameters.hash($0) } ?? self }

  var hidingSecretParameters: String { SecretParameters(self)?.replaced { _ in "•••" } ?? self }

  private struct SecretParameters {
    private let bytes: [UInt8]
    /// From the name to the end of the value, and the start of the value.
    private var ranges: [(all: Range<Int>, value: Int)] = []

    var isEmpty: Bool { ranges.isEmpty }

    init?(_ text: String, depth: Int = 0) {
      guard text.contains(ascii: Self.equals) else { return nil }
      bytes = Array(text.utf8)
      let pathEnd = bytes.firstIndex { "?#".utf8.contains($0) } ?? bytes.count
      var index = 0
      while let mark = bytes[index...].firstIndex(where: { "?&;#".utf8.contains($0) }) {
        index = mark + 1
        guard let equals = bytes[index...].firstIndex(where: { "=?&;#".utf8.contains($0) }),
          bytes[equals] == Self.equals
        else { continue }
        let value = equals + 1
        // A query follows a parameter of the path, such as `;jsessionid=`.
        let ends = mark < pathEnd ? "?&#" : "&#"
        let end = bytes[value...].firstIndex { ends.utf8.contains($0) } ?? bytes.count
        guard Self.isSecret(name: bytes[index..<equals], value: bytes[value..<end], depth) else { continue }
        ranges.append((index..<end, value))
        index = end
      }
    }

    /// - Parameter replacement: returns the value in place of another one; nil removes the parameter.
    func replaced(_ replacement: (ArraySlice<UInt8>) -> String?) -> String {
      var result: [UInt8] = []
      var start = 0
      for (all, value) in ranges {
        result += bytes[start..<all.lowerBound]
        start = all.upperBound
        if let new = replacement(bytes[value..<all.upperBound]) {
          result += bytes[all.lowerBound..<value] + Array(new.utf8)
        } else if start < bytes.count, bytes[start] == UInt8(ascii: "&"), "?#".utf8.contains(result.last ?? 0) {
          start += 1
        } else {
          result.removeLast()
        }
      }
      return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    private static let equals = UInt8(ascii: "=")

    // MARK: - Names

    private static let names: Set<String> = [
      "auth", "authorization", "bearer", "credential", "credentials", "hdnea", "hdntl", "hdnts", "hmac", "jsessionid",
      "jwt", "key", "keypairid", "lsig", "oauth", "otp", "pass", "passphrase", "phpsessid", "policy", "pw", "pwd",
      "rlkey", "rsskey", "feedkey", "sessid", "session", "sid", "sig", "userkey", "streamkey",
    ]
    private static let endings = [
      "accesskey", "apikey", "authkey", "credential", "passkey", "passwd", "password", "privatekey", "secret",
      "secretkey", "sessionid", "sessionkey", "signature", "token",
    ]
    /// The names of places in lists, which are long and random, and of things that are identified by random numbers.
    private static let plainEndings = [
      "pagetoken", "nexttoken", "synctoken", "continuationtoken", "continuation", "cursor", "hash", "id", "ids",
      "marker",
    ]
    private static let plainNames: Set<String> = [
      "after", "before", "checksum", "file", "filename", "guid", "list", "name", "next", "p", "page", "path", "q",
      "query", "search", "sha1", "sha256", "src", "start", "text", "title", "u", "url", "uuid", "v", "video",
    ]

    private static func isSecret(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>, _ depth: Int) -> Bool {
      let name = String(
        decoding: PercentCoding.decodedBytes(name, plusIsBlank: true).filter { $0.isASCIILetter || $0.isASCIIDigit }
          .map(\.lowercased), as: UTF8.self)
      if isHash(value) { return false }
      if names.contains(name) { return true }
      if containsAddress(value, depth) { return true }
      let isPlain = plainNames.contains(name) || plainEndings.contains(where: name.hasSuffix)
      if endings.contains(where: name.hasSuffix) { return !isPlain || name.hasSuffix("sessionid") }
      return !isPlain && isRandom(value)
    }

    // MARK: - Values

    /// Nested addresses beyond this depth count as secrets.
    private static let maximumDepth = 3

    /// Whether the value is an address that has a secret itself.
    private static func containsAddress(_ value: ArraySlice<UInt8>, _ depth: Int) -> Bool {
      guard value.contains(.percent) || value.contains(.colon) else { return false }
      let text = PercentCoding.decode(value, plusIsBlank: true)
      guard text.contains("://") else { return false }
      if depth == maximumDepth || text.removingUser != text { return true }
      return SecretParameters(text, depth: depth + 1)?.isEmpty == false
    }

    private static let shortestRandom = 32
    private static let shortestRun = 20

    /// Whether the value has a long run of hexadecimal digits, or of letters of both cases with digits.
    private static func isRandom(_ value: ArraySlice<UInt8>) -> Bool {
      guard value.count >= shortestRandom else { return false }
      if value.starts(with: "eyJ".utf8) { return true }
      let runs = value.split { !$0.isASCIILetter && !$0.isASCIIDigit }
      return runs.contains { run in
        guard run.count >= shortestRun, run.contains(where: \.isASCIIDigit) else { return false }
        let letters = run.filter(\.isASCIILetter)
        let isHexadecimal = run.count >= shortestRandom && letters.allSatisfy { $0.hexDigitValue != nil }
        return !letters.isEmpty && isHexadecimal
          || letters.contains(where: \.isASCIIUpper) && letters.contains { !$0.isASCIIUpper }
      }
    }

    // MARK: - Hashes

    private static let hashLength = 8

    /// 32-bit FNV-1a in hexadecimal: it distinguishes a user's secrets, but is too short to recover one.
    static func hash(_ value: ArraySlice<UInt8>) -> String {
      let hash = value.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x100_0193 }
      return hash.hexadecimal(digitCount: hashLength)
    }

    private static func isHash(_ value: ArraySlice<UInt8>) -> Bool {
      value.count == hashLength + 1 && value.first == UInt8(ascii: "~")
        && value.dropFirst().allSatisfy { $0.hexDigitValue != nil }
    }
  }
}
