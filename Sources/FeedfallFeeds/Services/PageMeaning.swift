import FeedfallText

/// The list that a page of a site shows, as a request to the API of the site.
public enum PageMeaning: Equatable, Sendable {
  case list(WebAddress)
  /// The API has no such list. Another one must not be shown in its place.
  case refused(FeedFailure)
}

extension PageMeaning {
  /// A list of an API, with those parameters of the page that the API also has.
  ///
  /// - Parameters:
  ///   - base: the address of the API, without a slash at its end.
  ///   - names: the names of these parameters, in order.
  static func list(_ base: String, _ path: String, passing names: [String] = [], of page: WebAddress) -> PageMeaning? {
    let items = names.flatMap { name in page.queryItems.filter { $0.name == name && !$0.value.isEmpty } }
    return WebAddress("\(base)/\(path)").map { .list(items.isEmpty ? $0 : $0.appending(items)) }
  }

  static func refused(_ reason: String, advice: String) -> PageMeaning {
    .refused(FeedFailure(.permanent, reason, advice: advice))
  }

  /// The page lists something else, such as playlists.
  static func refused(listOf items: String, advice: String) -> PageMeaning {
    refused("the page is a list of \(items), not of videos", advice: advice)
  }

  var list: WebAddress? { if case .list(let address) = self { address } else { nil } }

  var refusal: FeedFailure? { if case .refused(let failure) = self { failure } else { nil } }
}
