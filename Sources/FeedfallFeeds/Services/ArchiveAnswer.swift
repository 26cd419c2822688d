import FeedfallDocuments
import FeedfallText

/// The answers of the Internet Archive: `advancedsearch.php`, and `metadata`, which tells of an item or a collection.
enum ArchiveAnswer: JSONAnswering {
  static func answer(_ object: JSONObject, from address: WebAddress?) -> JSONAnswer? {
    if let response = object["response"]?.object, let items = response["docs"]?.elements(limit: JSONAnswer.maximumCount)
    {
      return search(response, items, from: address)
    }
    if let facts = object["metadata"]?.object, let files = object["files"]?.elements(limit: JSONAnswer.maximumCount) {
      return item(facts, files.compactMap(\.object), from: address)
    }
    guard object.isEmpty, address?.pathSegments.first == "metadata" else { return nil }
    var answer = JSONAnswer(.archive)
    answer.failure = FeedFailure(
      .permanent, "the Internet Archive has no such item, or no longer", advice: "check the address")
    return answer
  }

  private static func search(_ response: JSONObject, _ items: [JSONValue], from address: WebAddress?) -> JSONAnswer {
    var shared = SharedTexts()
    var answer = JSONAnswer(.archive)
    answer.take(items) { facts in
      ArchiveItem(facts, address: address).map { $0.isVideo ? [$0.video(nil, &shared)] : [] }
    }
    let total = response.count("numFound")
    // Where other media are among them nobody knows how many videos there are.
    if answer.videos.count + answer.skippedCount == items.count { answer.total = total }
    let shown = min(response.count("start") ?? 0, ArchiveSite.deepestPlace) + items.count
    if !items.isEmpty, shown < min(total ?? 0, ArchiveSite.deepestPlace) {
      answer.nextAddress = address.map(ArchiveSite.page(after:))
    }
    return answer
  }

  /// A collection's videos are found by a search.
  private static func item(_ facts: JSONObject, _ files: [JSONObject], from address: WebAddress?) -> JSONAnswer? {
    guard let item = ArchiveItem(facts, address: address) else { return nil }
    var answer = JSONAnswer(.archive)
    if item.isCollection {
      answer.title = facts.line("title")
      answer.nextAddress = ArchiveSite.search(inCollection: item.identifier, from: address)
    } else {
      var shared = SharedTexts()
      answer.videos = [item.video(files, &shared)]
    }
    return answer
  }
}
