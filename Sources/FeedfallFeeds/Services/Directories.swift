import FeedfallText

// Servers whose answers name the place of a feed.

extension KnownSite {
  private static let maximumDirectoryByteCount = 4 << 20

  /// The directories, and the list that their answers name; nil for an answer that has the videos itself.
  private static let directories:
    [(isHere: @Sendable (WebAddress) -> Bool, meaning: @Sendable (JSONObject, WebAddress) -> PageMeaning?)] = [
      (WebFinger.isHere, { answer, _ in WebFinger.meaning(of: answer) }),
      (AppleDirectory.isHere, AppleDirectory.meaning), (InvidiousDirectory.isHere, InvidiousDirectory.meaning),
    ]

  /// Returns `@user@host` for the request that asks WebFinger for that user; nil for other addresses.
  public static func user(of request: WebAddress) -> String? {
    guard WebFinger.isHere(request), let resource = request.queryValue("resource"), resource.hasPrefix("acct:") else {
      return nil
    }
    return "@" + resource.dropFirst("acct:".count)
  }

  /// Whether the answer to a request only names the place of the videos.
  public static func isDirectory(_ request: WebAddress) -> Bool { directories.contains { $0.isHere(request) } }

  /// Returns the list that a directory names; nil for an answer of another server, and for one with the videos.
  public static func meaning(ofDirectory answer: [UInt8], at request: WebAddress) -> PageMeaning? {
    guard let row = directories.first(where: { $0.isHere(request) }) else { return nil }
    guard answer.count <= maximumDirectoryByteCount, let object = JSONObject(document: answer) else {
      return .notJSON(host: request.shownHost)
    }
    return row.meaning(object, request)
  }
}

/// The directory of the users of a server (RFC 7033): accounts and channels of PeerTube, and users of Mastodon and of
/// other servers with feeds.
enum WebFinger {
  private static let path = "/.well-known/webfinger"
  private static let maximumLinkCount = 100

  /// Returns the request for `@user@host`; nil for other texts.
  static func address(ofUser user: String, onHost host: String) -> WebAddress? {
    let isUser =
      (1...200).contains(user.utf8.count)
      && user.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".utf8.contains($0) }
    guard isUser, host.utf8.allSatisfy({ !"/?#@ ".utf8.contains($0) }), let server = WebAddress(typed: host),
      server.path.isEmpty
    else { return nil }
    let name = server.origin.drop { $0 != ":" }.dropFirst(3)
    return WebAddress("\(server.origin)\(path)?resource=acct:\(user)@\(PercentCoding.encode(String(name)))")
  }

  @Sendable static func isHere(_ address: WebAddress) -> Bool { address.path == path }

  /// A link leads from https to https only.
  static func meaning(of answer: JSONObject) -> PageMeaning {
    let links = answer.objects("links", limit: maximumLinkCount)
    func link(_ relation: String) -> WebAddress? {
      links.firstNonNil { $0["rel"]?.string == relation ? $0.address("href", base: nil) : nil }
    }
    let (actor, profile) = (link("self"), link("http://webfinger.net/rel/profile-page"))
    let feed =
      actor.flatMap(peerTubeList) ?? link("http://schemas.google.com/g/2010#updates-from")
      ?? profile.flatMap(mastodonFeed) ?? actor.flatMap(mastodonFeed)
    return feed.map(PageMeaning.list) ?? .userWithoutFeed
  }

  private static func peerTubeList(_ actor: WebAddress) -> WebAddress? {
    let path = actor.pathSegments
    guard path.count == 2, ["accounts", "video-channels"].contains(path[0]) else { return nil }
    return WebAddress("\(actor.origin)/api/v1/\(path[0])/\(PercentCoding.encodeSegment(path[1]))/videos")
  }

  private static func mastodonFeed(_ page: WebAddress) -> WebAddress? {
    let forms: [PageForm] = ["/@{name}", "/users/{name}"]
    let name = forms.firstNonNil { $0.values(in: page.pathSegments)?["name"] }
    return name.flatMap { WebAddress("\(page.origin)/@\(PercentCoding.encodeSegment($0)).rss") }
  }
}

/// The IDs of the channels of YouTube by their names (`/api/v1/resolveurl` of iv-org/invidious). The fragment of the
/// request is the list of the channel.
private enum InvidiousDirectory {
  private static let lists: Set = ["shorts", "streams", "playlists"]

  @Sendable static func isHere(_ address: WebAddress) -> Bool { address.path == "/api/v1/resolveurl" }

  @Sendable static func meaning(of answer: JSONObject, at address: WebAddress) -> PageMeaning {
    let channel = YouTubeSite.ChannelID(answer["ucid"]?.string)
    let list = address.fragment.flatMap { lists.contains($0) ? $0 : nil } ?? "videos"
    return channel.flatMap { WebAddress("\(address.origin)/api/v1/channels/\($0.text)/\(list)") }.map(PageMeaning.list)
      ?? .unknownChannel
  }
}
