/// What has a tab in the bar.
public enum TabChoice: String, CaseIterable, Sendable {
  case sources, tags

  public static let help = "What has a tab: each source (default), or each tag of the sources."
}

extension RefreshRule {
  public static let help =
    "When to refresh sources: at the start (default), then also after a time such as 30m, 2h or 1d, or manually."
  public static let meaning =
    "when it is refreshed: `start`, a time such as `30m`, or `manual` (default: the option `refresh`)"
  public static let fault = "this is not a time to refresh"
  public static let advice = "Write start, manual or a time from 5m to 30d, such as 30m, 2h or 1d."
}
