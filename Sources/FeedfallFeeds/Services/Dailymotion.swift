import FeedfallText

extension Service {
  /// Dailymotion (developers.dailymotion.com/api): the videos of a user, a channel or a playlist, or those that it finds.
  static let dailymotion = Service(
    .dailymotion,
    site: Site(
      "www.dailymotion.com", "dailymotion.com", "api.dailymotion.com",
      search: "https://api.dailymotion.com/videos?search=", mayNeedYtDlp: true, api: "https://api.dailymotion.com",
      pages: [
        Route("/{list:user|channel|playlist}/{id}/videos") { dailymotion("/{list}/{id}/videos", $0) },
        Route("/videos") { dailymotion("/videos", $0) },
        Route("/playlist/{id}") { dailymotion("/playlist/{id}/videos", $0) },
        Route("/search/{words}/…") { dailymotion("/videos?search={words}", $0) },
        Route("/{id}") { dailymotion("/user/{id}/videos", $0) },
      ]),
    list: "list",
    other: { item, _ in item["title"] == nil ? .unusable : nil },
    facts: [
      .id("id") { $0.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } }, .title("title"), .page("url"),
      Fact { draft in
        let page = draft.video.pageURL ?? WebAddress("https://www.dailymotion.com/video/" + draft.video.id)
        draft.video.pageURL = page
        draft.video.playback = page.map(Playback.page) ?? .unknown
        // The names of these members have a dot.
        draft.video.channel = draft.shared.shared(draft.item.line("owner.screenname"))
        draft.video.channelURL = draft.shared.shared(draft.item.address("owner.url", base: nil))
      },
      .duration("duration"), .covers("thumbnail_360_url", "thumbnail_720_url"), .published("created_time"),
      .views("views_total"), .summary("description", as: .html), .language("language"),
      .statedFlag(.sensitive, "explicit"),
    ],
    next: { address, end in
      guard end.facts["has_more"]?.bool == true, end.itemCount > 0 else { return nil }
      let page = address.queryValue("page").flatMap { Int($0) } ?? 1
      return NextPage(tokens: [("page", String(min(max(page, 1), maximumDailymotionPage) + 1))], after: address)
    })

  /// In videos per page.
  private static let maximumDailymotionCount = 100
  private static let maximumDailymotionPage = 1_000_000

  private static let dailymotionFields = """
    id,title,url,description,duration,thumbnail_360_url,thumbnail_720_url,owner.screenname,owner.url,created_time,\
    views_total,language,explicit
    """

  /// An address of the API keeps its parameters.
  private static func dailymotion(_ list: String, _ page: Page) -> PageMeaning? {
    let isAPI = page.address.host == "api.dailymotion.com"
    let wanted = isAPI ? page.address : PageForm.expanded(list) { page[$0] }.flatMap { page.list($0)?.list }
    guard var request = wanted else { return nil }
    if request.queryValue("fields") == nil { request = request.appending([("fields", dailymotionFields)]) }
    if let count = page.count {
      request = request.setting(query: "limit", to: String(min(max(count, 1), maximumDailymotionCount)))
    }
    return .list(request)
  }
}
