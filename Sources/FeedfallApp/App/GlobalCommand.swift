import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen

enum GlobalCommand: Equatable, Sendable {
  case typeCommand, showHelp, repaint, suspend
  /// Quits, or asks first if the key may have been pressed by mistake.
  case quit
  case quitAtOnce
  case control(PlayCommand)

  static let keymap = Keymap(
    title: "Everywhere", Command.global,
    rows: [
      .init(
        "global.type-command", .character(":"), command: .typeCommand, help: "type a command or an address to open"),
      .init("global.help", .character("?"), command: .showHelp, help: "show this help", hint: "help"),
      .init("global.repaint", .control("l"), command: .repaint, help: "repaint the screen"),
      .init("global.suspend", .control("z"), command: .suspend, help: "suspend; fg resumes"),
      .init("global.quit", .character("q"), command: .quit, help: "quit"),
      .init("global.quit-at-once", .control("c"), command: .quitAtOnce, help: "quit without asking"),
      .init(
        "global.pause", .character(","), command: .control(.togglePause), help: "pause or resume the playing video"),
      .init("global.back", .character("<"), command: .control(.seek(.by(-10))), help: "10 s back"),
      .init("global.forward", .character(">"), command: .control(.seek(.by(10))), help: "10 s forward"),
      .init("global.volume-up", .character("="), command: .control(.changeVolume(by: 5)), help: "volume up"),
      .init("global.volume-down", .character("-"), command: .control(.changeVolume(by: -5)), help: "volume down"),
    ])
}

enum BrowseCommand: Equatable, Sendable {
  case play, showPlaying, refreshOrRetry
  case copyPlaybackAddress, copyCoverAddress, openPage, openChannel
  case toggle(Mark)
  case undo
  case download, removeDownload
  case nextTab, previousTab
  /// The tab with this number, from 1.
  case selectTab(Int)
  /// The tab of all videos whose record has a value in this field.
  case selectRecords(UserField)

  static let keymap = Keymap(
    title: "Cards and details", Command.browse,
    rows: [
      .init("browse.play", .character(" "), command: .play, help: "play"),
      .init(
        "browse.show-playing", .character("p"), .go("p"), command: .showPlaying, help: "go to the playing video",
        hint: "playing"),
      .init("browse.refresh", .character("r"), command: .refreshOrRetry, help: "refresh, or retry after a failure"),
      .init(
        "browse.copy-playback-address", .character("y"), command: .copyPlaybackAddress,
        help: "copy the playback address", hint: "copy address"),
      .init("browse.copy-cover-address", .character("Y"), command: .copyCoverAddress, help: "copy the cover address"),
      .init(
        "browse.open-page", .character("o"), command: .openPage, help: "open the page in the browser", hint: "open page"
      ),
      .init(
        "browse.open-channel", .character("c"), .go("c"), command: .openChannel, help: "open the channel as a tab",
        hint: "channel"),
    ]
      + Mark.allCases.compactMap { mark in
        mark.row.key.map { key in
          .init(
            "browse.toggle-\(key.name)", .character(key.character), command: .toggle(mark), help: key.help,
            hint: key.hint)
        }
      } + [
        .init(
          "browse.undo", .character("u"), command: .undo, help: "undo a mark, queue change or subscription",
          hint: "undo"),
        .init("browse.download", .character("d"), command: .download, help: "download the video", hint: "download"),
        .init(
          "browse.remove-download", .character("D"), command: .removeDownload, help: "delete the download; press twice"),
        .init("browse.next-tab", .tab, command: .nextTab, help: "next tab"),
        .init("browse.previous-tab", .backTab, command: .previousTab, help: "previous tab"),
      ]
      + (1...9).map { number in
        .init(
          "browse.tab-\(number)", .character(Character(String(number))), command: .selectTab(number),
          help: "tab with this number")
      }
      + [ViewSettings.queue, .history, .downloads].compactMap { view in
        view.field.map { field in
          .init(
            "browse.\(view.name.lowercased())", .go(Character(view.name.prefix(1).lowercased())),
            command: .selectRecords(field), help: "tab \(view.name)", hint: view.name)
        }
      })
}

/// The commands for a failure of a tab's sources, which have priority over those of the cards.
enum FailureCommand: Equatable, Sendable {
  case retry, dismiss

  static let keymap = Keymap(
    title: "Failure", Command.failure,
    rows: [
      .init("failure.retry", .character("r"), command: .retry, help: "retry"),
      .init(
        "failure.dismiss", .escape, .control("c"), .control("g"), command: .dismiss, help: "dismiss the failure",
        hint: "dismiss"),
    ])
}
