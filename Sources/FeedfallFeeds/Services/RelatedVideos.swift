import FeedfallText

/// How the videos related to a video are found.
public enum RelatedVideos: Equatable, Sendable {
  /// At this address, which a source can open.
  case list(WebAddress)
  /// By the details of the video, which are not loaded yet.
  case afterDetails
}

extension KnownSite {
  /// Nil if the service of a video has no list of related ones.
  ///
  /// - Parameters:
  ///   - source: the address that lists the video.
  ///   - hasYtDlp: whether yt-dlp can list the videos of an address.
  public static func related(to video: Video, listedBy source: WebAddress?, hasYtDlp: Bool) -> RelatedVideos? {
    Service.all.firstNonNil { service in
      let related = service.related(video, source)
      if case .list(let list)? = related, needsYtDlp(list), !hasYtDlp { return nil }
      return related
    }
  }
}

extension WebAddress {
  private static let relatedMark = "#related="

  /// The ID of the video to which the videos of this address are related; the list leaves it out.
  package var relatedID: String? {
    fragment.flatMap { fragment in
      let mark = Self.relatedMark.dropFirst()
      guard fragment.hasPrefix(mark) else { return nil }
      return PercentCoding.decode(fragment.utf8.dropFirst(mark.utf8.count), plusIsBlank: false).nonEmpty
    }
  }

  /// The address for a program that does not know this use of the fragment.
  package var withoutRelatedID: WebAddress {
    guard relatedID != nil, let start = text.firstIndex(of: "#") else { return self }
    return WebAddress(unchecked: String(text[..<start]))
  }
}

extension RelatedVideos {
  /// The ID is stored in the fragment, which is not sent to the server.
  static func list(_ address: String, relatedTo id: String) -> RelatedVideos? {
    WebAddress("\(address)#related=\(PercentCoding.encode(id))").map(list)
  }
}

extension Service {
  private static let maximumItemCount = 1_000

  /// Decodes the list of related videos in the details of a video; nil for another answer.
  func relatedVideos(in details: JSONObject, _ list: StaticString, from address: WebAddress?) -> ServiceAnswer? {
    address?.relatedID == nil ? nil : decodeList(list, in: details, from: address)
  }

  /// Decodes a list of videos and of other lists; nil without that list.
  func decodeList(_ list: StaticString, in object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    guard object[list]?.elements(limit: 0) != nil else { return nil }
    let items = object.objects(list, limit: Self.maximumItemCount)
    return ServiceAnswer(kind: kind, videos: videos(of: items, from: address))
  }
}
