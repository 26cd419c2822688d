import FeedfallText

/// A list of a channel.
public enum ChannelList: String, CaseIterable, Sendable {
  case videos, shorts, live, playlists
}

extension KnownSite {
  /// Returns what opens a list of a channel; nil for an address that is not a channel's or has no such list.
  ///
  /// - Parameter channel: the page of the channel, one of its lists, or its feed.
  public static func address(of list: ChannelList, of channel: WebAddress) -> String? {
    if let channel = YouTubeSite.channel(channel) {
      return switch list {
      // All of them; the feed has only the newest.
      case .videos: "\(SourcePrefix.ytDlp.rawValue)\(channel)/videos"
      case .shorts: channel + "/shorts"
      case .live: channel + "/streams"
      case .playlists: channel + "/playlists"
      }
    }
    guard let channel = PeerTubeEndpoint.channel(channel) else { return nil }
    return switch list {
    case .videos: channel + "/videos"
    case .live: channel + "/videos?live=true"
    case .playlists: channel + "/video-playlists"
    case .shorts: nil
    }
  }

  /// Returns the address of the videos that a channel has for words; nil for an address that is not a channel's, or of a
  /// site without such a search.
  public static func search(for words: String, inChannel channel: WebAddress) -> WebAddress? {
    YouTubeSite.channel(channel).flatMap { WebAddress("\($0)/search?query=\(PercentCoding.encode(words))") }
  }
}

extension YouTubeSite {
  /// Returns the address of the channel to which a page or a feed belongs, without a slash at its end.
  static func channel(_ address: WebAddress) -> String? {
    guard hosts.contains(address.host) else { return nil }
    let path = address.pathSegments
    let parts: [String]
    switch path.first {
    case let handle? where handle.hasPrefix("@"): parts = [handle]
    case "channel"?, "c"?, "user"?: parts = Array(path.prefix(2))
    case "feeds"?:
      // The playlist of all videos of a channel, or of all but its Shorts, has its ID after other letters.
      let list = address.queryValue("playlist_id").flatMap { list in
        ["UULF", "UU"].first { list.hasPrefix($0) }.map { "UC" + list.dropFirst($0.count) }
      }
      let id = ChannelID(address.queryValue("channel_id") ?? list)?.text
      parts = id.map { ["channel", $0] } ?? address.queryValue("user").nonEmpty.map { ["user", $0] } ?? []
    default: parts = []
    }
    guard let last = parts.last, last != "@", parts.count == (last.hasPrefix("@") ? 1 : 2) else { return nil }
    return "https://www.youtube.com/" + parts.map(PercentCoding.encodeSegment).joined(separator: "/")
  }
}

extension PeerTubeEndpoint {
  private static let forms: [PageForm] = [
    "/c|video-channels/{name}", "/c|video-channels/{name}/{list:videos|video-playlists|about}",
    "/api/v1/video-channels/{name}/{list:videos|video-playlists}",
  ]

  /// Returns the address of the channel to which a page or a request belongs, without a slash at its end.
  fileprivate static func channel(_ address: WebAddress) -> String? {
    guard !KnownSite.isKnown(address), let name = forms.firstNonNil({ $0.values(in: address.pathSegments)?["name"] })
    else { return nil }
    return "\(address.origin)/c/\(PercentCoding.encodeSegment(name))"
  }
}
