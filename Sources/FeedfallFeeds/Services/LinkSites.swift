import FeedfallText

// Sites whose pages lead elsewhere, and sites without an open way to their videos.

extension Site {
  /// The pages of sites that count clicks, ask for consent or open a program, and the parameters with their targets.
  private static let linkPages: [(hosts: [String], form: PageForm, targets: [String])] = [
    (YouTubeSite.hosts, "/redirect", ["q"]), (YouTubeSite.hosts, "/attribution_link", ["u"]),
    (["consent.youtube.com", "consent.google.com"], "/…", ["continue"]),
    (["google.com", "www.google.com"], "/url", ["q", "url"]),
    (["antennapod.org", "www.antennapod.org"], "/deeplink/subscribe", ["url"]),
  ]

  static let links: [Site] = linkPages.map { hosts, form, targets in
    Site(
      { hosts.contains($0.host) },
      pages: [
        Route(form) { page in
          targets.firstNonNil { page.address.queryValue($0).nonEmpty }.map { link(to: $0, on: page.address) }
        }
      ])
  }

  /// A target is read as if the user had typed it, but it is never a file: a path is one on the site of the link.
  private static func link(to target: String, on page: WebAddress) -> PageMeaning {
    let text = TypedAddress.shortForm(target) ?? target.withoutFeedScheme
    let address = text.hasPrefix("/") ? WebAddress(resolving: text, against: page) : WebAddress(typed: text)
    return address.map(PageMeaning.list) ?? .deadLink
  }

  static let closed = [
    refusing(
      .spotify, "open.spotify.com", "spotify.link", "creators.spotify.com", "podcasters.spotify.com"),
    refusing(
      .reddit, "reddit.com", "www.reddit.com", "old.reddit.com", "new.reddit.com", "np.reddit.com", "m.reddit.com",
      "redd.it"),
  ]

  /// A feed with the token of its user stays open.
  private static func refusing(_ refusal: PageMeaning, _ hosts: String...) -> Site {
    Site(
      { hosts.contains($0.host) },
      pages: [Route("/…") { $0.address.path.hasSuffix(".rss") || $0["?feed"] != nil ? nil : refusal }])
  }
}

extension KnownSite {
  static func target(ofLink link: WebAddress) -> WebAddress? {
    Site.links.firstNonNil { $0.isHere(link) ? $0.meaning(of: link)?.list : nil }
  }
}
