import FeedfallText

/// The cure for a failure of yt-dlp. Most of its messages are a site's own words, which change: yt-dlp's hints and
/// the kinds of its errors are more reliable.
public enum YtDlpCure: CaseIterable, Sendable {
  case tooOld
  case lacksRuntime
  case lacksScripts
  case needsMembership
  case isPrivate
  case isRemoved
  case isBlockedInCountry
  case isPremiere
  case tooManyRequests
  case needsCookies
  case wrongArgument
  case unreadableCookies

  package static let installation = "pipx install 'yt-dlp[default,deno]'"
  private static let update = "pipx install --force 'yt-dlp[default,deno]'"

  /// Words of each cure in lower case, in the order in which they are looked for: yt-dlp adds its hint about cookies to
  /// several messages (extractor/common.py, extractor/youtube).
  private static let signs: [(cure: YtDlpCure, words: [String])] = [
    (
      .wrongArgument,
      ["no such option", "config location", "invalid js runtime", "ambiguous option", "option requires"]
    ),
    (
      .unreadableCookies,
      [
        "cookies database", "netscape format", "could not copy chrome cookie",
        "failed to decrypt", "unsupported browser", "unsupported keyring",
      ]
    ),
    (.needsCookies, ["rate-limit reached or login", "exceeded the rate-limit"]),
    (.tooManyRequests, ["http error 429", "too many requests", "rate-limited", "rate limit"]),
    (.isPremiere, ["premieres in", "premiere will begin", "live event will begin", "premiere begins in"]),
    (
      .needsMembership,
      [
        "members-only", "members only", "join this channel", "subscribers only", "paid video",
        "requires payment", "requires purchase",
      ]
    ),
    (.isPrivate, ["private video", "video is private", "playlist is private", "granted access"]),
    (
      .isBlockedInCountry,
      [
        "in your country", "geo restrict", "geo-restrict", "your location", "from your region",
        "this video is available in",
      ]
    ),
    (
      .isRemoved,
      [
        "been removed", "been terminated", "no longer available", "been deleted", "video unavailable",
        "does not exist", "account has been closed", "copyright claim",
      ]
    ),
    (
      .needsCookies,
      [
        "--cookies", "sign in to", "log in to", "login required", "registered users", "confirm your age",
        "not a bot", "age-restricted",
      ]
    ),
    (.lacksScripts, ["challenge solver", "ejs:github", "yt-dlp-ejs"]),
    (.lacksRuntime, ["javascript runtime", "requested format is not available", "only images are available"]),
    (
      .tooOld,
      [
        "please report this issue", "unable to extract", "signature extraction failed", "nsig extraction", "yt-dlp -u",
        "confirm you are on the latest version",
      ]
    ),
  ]

  /// Nil if the words say nothing that is known.
  init?(_ words: String, _ installation: YtDlpInstallation?) {
    // Without the site, the ID and addresses.
    let message = words.hasPrefix("[") ? words.firstRange(of: ": ").map { words[$0.upperBound...] } : nil
    let text = (message ?? words[...]).split(separator: " ").filter { !$0.contains("://") }.joined(separator: " ")
    let bytes = Array(text.lowercased().utf8)
    guard let sign = Self.signs.first(where: { $0.words.contains { bytes.contains(sequence: $0.utf8) } }) else {
      return nil
    }
    self = sign.cure
    guard self == .lacksRuntime, let installation else { return }
    if installation.version != nil, !installation.knowsRuntimes {
      self = .tooOld
    } else if installation.hasRuntime {
      self = .lacksScripts
    }
  }

  /// Whether another attempt ends in the same way.
  package var isLasting: Bool { ![.isPremiere, .tooManyRequests].contains(self) }

  package var advice: String {
    switch self {
    case .tooOld: "update yt-dlp: \(Self.update)"
    case .lacksRuntime: "install a JavaScript runtime: \(Self.update)"
    case .lacksScripts:
      "install yt-dlp's scripts: \(Self.update), or add \"--remote-components\", \"ejs:github\" to arguments below [yt-dlp]"
    case .needsMembership: "use an account that may see it: write cookies-from-browser = \"firefox\" below [yt-dlp]"
    case .isPrivate: "use an account that may see it: write cookies-from-browser = \"firefox\" below [yt-dlp]"
    case .isRemoved: "choose another address"
    case .isBlockedInCountry: "use a server in another country with --proxy ADDRESS"
    case .isPremiere: "wait until then"
    case .tooManyRequests: "wait an hour, or use another address with --proxy ADDRESS"
    case .needsCookies:
      "log in with a browser and write cookies-from-browser = \"firefox\" below [yt-dlp] in config.toml"
    case .wrongArgument: "correct arguments below [yt-dlp] in config.toml, or yt-dlp's own configuration"
    case .unreadableCookies: "correct cookies-from-browser or cookies below [yt-dlp] in config.toml"
    }
  }
}
