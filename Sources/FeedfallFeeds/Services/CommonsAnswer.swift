import FeedfallDocuments
import FeedfallText

/// The answers of MediaWiki's interface to questions for files with their `videoinfo` (`formatversion=2`).
enum CommonsAnswer: JSONAnswering {
  static func answer(_ object: JSONObject, from address: WebAddress?) -> JSONAnswer? {
    // A list without anything has no `query`, but is complete.
    guard object["query"]?.object != nil || object["batchcomplete"] != nil else { return nil }
    let pages = object["query"]?.object?["pages"]?.elements(limit: JSONAnswer.maximumCount) ?? []
    var shared = SharedTexts()
    var answer = JSONAnswer(.commons)
    let found = pages.compactMap { $0.object.flatMap { CommonsVideo($0, address: address) } }
    answer.videos = found.sorted { ($0.place ?? 0) < ($1.place ?? 0) }.map { $0.video(&shared) }
    answer.nextAddress = next(object["continue"]?.object, after: address)
    if answer.videos.isEmpty, address?.queryValue("titles") != nil {
      answer.failure = FeedFailure(.permanent, "that file is no video, or is not there", advice: "check the address")
    }
    return answer
  }

  /// The same question with every token of `continue`; nil where they are more than an address may hold.
  private static func next(_ tokens: JSONObject?, after address: WebAddress?) -> WebAddress? {
    guard let tokens = tokens?.texts, let address,
      tokens.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= WebAddress.maximumByteCount
    else { return nil }
    return WebAddress(tokens.reduce(address) { $0.setting(query: $1.name, to: $1.value) }.text)
  }
}
