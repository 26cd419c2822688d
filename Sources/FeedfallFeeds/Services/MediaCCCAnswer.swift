import FeedfallDocuments
import FeedfallText

/// The answers of voctoweb, the program behind media.ccc.de: talks, a talk by itself, and the list of conferences.
enum MediaCCCAnswer: JSONAnswering {
  static func answer(_ object: JSONObject, from address: WebAddress?) -> JSONAnswer? {
    if let conferences = object["conferences"]?.elements(limit: JSONAnswer.maximumCount) {
      return folder(conferences.compactMap(\.object), from: address)
    }
    var shared = SharedTexts()
    var answer = JSONAnswer(.mediaCCC)
    if let talk = TalkVideo(object, address: address) {
      answer.videos = [talk.video(&shared)]
      return answer
    }
    guard let talks = object["events"]?.elements(limit: JSONAnswer.maximumCount) else { return nil }
    answer.title = object.line("title")
    answer.take(talks) { talk in TalkVideo(talk, address: address).map { [$0.video(&shared)] } }
    return talks.isEmpty || !answer.videos.isEmpty ? answer : nil
  }

  /// Conferences are no videos: their talks are, conference after conference, that with the newest talks first. The
  /// address's fragment may name a folder of them.
  private static func folder(_ conferences: [JSONObject], from address: WebAddress?) -> JSONAnswer {
    let folder = MediaCCCSite.folder(in: address)
    let dated = conferences.compactMap { conference -> (UnixTime, WebAddress)? in
      guard isIn(folder, conference["slug"]?.string ?? ""),
        let newest = conference["event_last_released_at"]?.string.flatMap({ UnixTime(rfc3339: $0) }),
        let talks = conference.address("url", base: address)
      else { return nil }
      return (newest, talks)
    }
    var answer = JSONAnswer(.mediaCCC)
    answer.parts = dated.sorted { $0.0 > $1.0 }.map(\.1)
    if dated.isEmpty {
      answer.failure = FeedFailure(.permanent, "no conference with talks is there", advice: "check the address")
    }
    return answer
  }

  private static func isIn(_ folder: String, _ place: String) -> Bool {
    folder.isEmpty || place == folder || place.hasPrefix(folder + "/")
  }
}
