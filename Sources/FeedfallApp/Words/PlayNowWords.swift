import FeedfallText

/// The help and the messages of `feedfall play`.
package enum PlayNowWords {
  package static let command = "feedfall play"
  package static let abstract = "Play one video in the full window, then quit."
  package static let discussion = """
    Plays a file, a page, or the first video of a feed, a folder or a configured source. Other words are searched for \
    as with feedfall search, and the first result is played. The keys are those of the player. The status is 1 if \
    nothing could be played.
    """
  package static let argument = "An address, a file, the name of a source, or words to search for."
  package static let noTerminal =
    "Could not play: standard output is not a terminal. Run feedfall play in a terminal."

  package static func notAlone(_ address: String) -> String {
    "'\(cleanedLine(address.hidingPassword, limit: 80))' is an address, and only one can be played. Write it alone."
  }
}
