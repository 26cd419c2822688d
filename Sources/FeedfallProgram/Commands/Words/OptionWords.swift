/// The help of options.
enum OptionWords {
  static let unwatchedOnly = "Hide watched videos, except those watched since the start, or not (default)."
  static let newSource = "How many videos of a new source count as unwatched: the newest n (default: 5), or all."
  static let newSourceFault = "Write a whole number from 0 to 1000, or all."
}
