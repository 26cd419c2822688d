extension YtDlpSearch {
  /// The lists of the account whose cookies yt-dlp uses. They are only read.
  public static let ownLists: [(name: String, title: String)] = [
    (name: ":ytrec", title: "YouTube: recommended"), (":ytsubs", "YouTube: subscriptions"),
    (":ythis", "YouTube: history"), (":ytwatchlater", "YouTube: watch later"), (":ytfav", "YouTube: liked"),
    (":ytnotif", "YouTube: notifications"),
  ]
}
