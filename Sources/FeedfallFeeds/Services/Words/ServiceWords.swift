/// The refusals of addresses without videos.
extension PageMeaning {
  static let deadLink = refused(
    "the link does not lead to a web address", advice: "use the address of the videos")

  static let spotify = refused(
    "Spotify shows its videos and podcasts only in its own programs",
    advice: "find the feed of the podcast with :search podcasts NAME")

  static let reddit = refused(
    "Reddit has required a login since May 2026",
    advice: "open a post as yt-dlp:ADDRESS, with cookies-from-browser in the configuration")

  static let podcastWithoutFeed = refused(
    "Apple Podcasts has no feed for this podcast", advice: "try :search podcasts NAME")

  static let userWithoutFeed = refused(
    "the server names no feed for this user", advice: "use an account of PeerTube or Mastodon, or the user's page")

  static let unknownChannel = refused("the server does not know this channel", advice: "check its name")

  static func notJSON(host: String) -> PageMeaning {
    refused("\(host) did not answer with JSON", advice: "use the address of the feed")
  }
}

extension YtDlpSearch {
  /// The lists of the account whose cookies yt-dlp uses. They are only read.
  public static let ownLists: [(name: String, title: String)] = [
    (name: ":ytrec", title: "YouTube: recommended"), (":ytsubs", "YouTube: subscriptions"),
    (":ythis", "YouTube: history"), (":ytwatchlater", "YouTube: watch later"), (":ytfav", "YouTube: liked"),
    (":ytnotif", "YouTube: notifications"),
  ]
}
