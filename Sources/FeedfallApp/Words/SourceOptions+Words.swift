/// The contents of the tabs in the bar.
public enum TabChoice: String, CaseIterable, Sendable {
  case sources, tags

  public static let help = "Show a tab for each source (default), or for each tag of the sources."
}

extension RefreshRule {
  public static let help =
    "When to refresh sources: at the start (default), also at an interval such as 30m, 2h or 1d, or only manually."
  public static let meaning =
    "when it is refreshed: `start`, an interval such as `30m`, or `manual` (default: the option `refresh`)"
  public static let fault = "this is not a valid interval"
  public static let advice = "Write start, manual, or an interval from 5m to 30d, such as 30m, 2h or 1d."
}
