/// The sentences about addresses that lead to no videos.
extension PageMeaning {
  static let deadLink = refused(
    "the link does not lead to a web address", advice: "use the address of the videos")

  static let spotify = refused(
    "Spotify shows its videos and podcasts only in its own programs",
    advice: "find the feed that most podcasts have elsewhere: :search podcasts NAME")

  static let reddit = refused(
    "Reddit has been closed without a login since May 2026",
    advice: "open a post by yt-dlp:ADDRESS, with cookies-from-browser in the configuration")

  static let podcastWithoutFeed = refused(
    "Apple Podcasts has no feed of this podcast", advice: "try :search podcasts NAME")

  static let userWithoutFeed = refused(
    "the server names no feed of this user", advice: "use an account of PeerTube or Mastodon, or the user's page")

  static let unknownChannel = refused("the server knows no such channel", advice: "check its name")

  static func notJSON(host: String) -> PageMeaning {
    refused("\(host) did not answer with JSON", advice: "use the address of the feed")
  }
}
