import FeedfallText

// Sites whose pages have feeds in XML, and share links of single files.

extension Site {
  static let vimeo = Site(
    "vimeo.com", "www.vimeo.com",
    where: ["user": { !vimeoPages.contains($0) && !$0.allSatisfy(\.isNumber) }],
    pages: [
      Route("/{kind:channels|groups}/{name}", "https://vimeo.com/{kind}/{name}/videos/rss"),
      Route("/{kind:channels|groups}/{name}/videos", "https://vimeo.com/{kind}/{name}/videos/rss"),
      Route("/{user}", "https://vimeo.com/{user}/videos/rss"),
      Route("/{user}/videos", "https://vimeo.com/{user}/videos/rss"),
    ])

  /// The first path segments on Vimeo that name no user.
  private static let vimeoPages: Set<String> = [
    "album", "blog", "categories", "channels", "create", "features", "for-hire", "groups", "help", "home", "join",
    "log_in", "manage", "ondemand", "search", "settings", "showcase", "solutions", "stock", "upgrade", "watch",
  ]

  static let odysee = Site(
    "odysee.com", "www.odysee.com", pages: [Route("/@{channel}", "https://odysee.com/$/rss/@{channel}")])

  /// A channel whose address has an ID in place of its name has no feed and is listed by yt-dlp.
  static let bitChute = Site(
    "bitchute.com", "www.bitchute.com", "old.bitchute.com", mayNeedYtDlp: true,
    pages: [Route("/channel/{name}", "https://www.bitchute.com/feeds/rss/channel/{name}/")])

  /// `#query=WORDS` and `#everywhere=true` are a search.
  static let mediathekView = Site(
    "mediathekviewweb.de", "www.mediathekviewweb.de",
    pages: [
      Route("/") { page in
        let names = (page.address.fragment ?? "").split(separator: "&").filter {
          $0.hasPrefix("query=") || $0.hasPrefix("everywhere=")
        }
        return page.list(
          "https://mediathekviewweb.de/feed" + (names.isEmpty ? "" : "?" + names.joined(separator: "&")))
      }
    ])

  static let webFinger = Site(WebFinger.isHere, pages: [Route("/…") { .list($0.address) }])

  static let shares: [Site] = [
    Site(
      "dropbox.com", "www.dropbox.com",
      pages: ["/s/{id}/{name}/…", "/scl/fi/…"].map { form in
        Route(form) { .list($0.address.setting(query: "dl", to: "1")) }
      }),
    // Also with the number of the user's account.
    Site(
      "drive.google.com", "docs.google.com",
      pages: [
        Route("/file/d/{id}/…", driveFile), Route("/file/u/{account}/d/{id}/…", driveFile),
        Route("/open|uc", driveFile), Route("/u/{account}/open|uc", driveFile),
      ]),
    Site(
      { $0.host.hasSuffix(".sharepoint.com") },
      pages: [Route("/:v:/…") { .list($0.address.setting(query: "download", to: "1")) }]),
  ]

  /// `confirm` skips the warning about large files.
  @Sendable private static func driveFile(_ page: Page) -> PageMeaning? {
    guard let id = page["id"] ?? page["?id"], id.utf8.count >= 20 else { return nil }
    let file = WebAddress("https://drive.usercontent.google.com/download")?
      .appending([("id", id), ("export", "download"), ("confirm", "t")])
    return (page["?resourcekey"].map { file?.appending([("resourcekey", $0)]) } ?? file).map(PageMeaning.list)
  }
}
