import FeedfallFeeds
import FeedfallScreen

extension Keymap {
  static let cards = Keymap(
    "cards", title: "Cards", Command.cards,
    rows: [
      .init("move-left", "h", .left, command: .move(.left), help: "card to the left"),
      .init("move-right", "l", .right, command: .move(.right), help: "card to the right"),
      .init("move-up", "k", .up, command: .move(.up), help: "card above; at the top, pull to refresh"),
      .init("move-down", "j", .down, command: .move(.down), help: "card below"),
      .init("half-page-down", .control("d"), command: .move(.halfPageDown), help: "half a page down"),
      .init("half-page-up", .control("u"), command: .move(.halfPageUp), help: "half a page up"),
      .init("page-down", .control("f"), .pageDown, command: .move(.pageDown), help: "a page down"),
      .init("page-up", .control("b"), .pageUp, command: .move(.pageUp), help: "a page up"),
      .init("first", .go("g"), .home, command: .move(.first), help: "first card"),
      .init("last", "G", .end, command: .move(.last), help: "last card"),
      .init("open-details", .enter, command: .openDetails, help: "details"),
      .init(
        "toggle-picture-in-picture", "P", command: .togglePictureInPicture, help: "toggle picture-in-picture",
        hint: "in picture"),
      .init("load-more", "m", command: .loadMore, help: "load more"),
      .init("next-layout", "v", command: .nextLayout, help: "next layout", hint: "layout"),
      .init("previous-layout", "V", command: .previousLayout, help: "previous layout"),
      .init("search", "/", command: .search, help: "search titles", hint: "search"),
      .init("next-match", "n", command: .nextMatch, help: "next match"),
      .init("previous-match", "N", command: .previousMatch, help: "previous match"),
      .init("filter", "f", command: .filter, help: "filter the videos", hint: "filter"),
      .init("next-order", "S", command: .nextOrder, help: "next order", hint: "order"),
      .init("toggle-queued", "a", command: .toggleQueued, help: "add to the queue, or remove from it", hint: "queue"),
      .init("queue-next", "A", command: .queueNext, help: "play next: put first in the queue"),
      .init("next-unwatched", "w", command: .nextUnwatched, help: "next unwatched video, in any tab"),
      .init("previous-unwatched", "W", command: .previousUnwatched, help: "previous unwatched video, in any tab"),
      .init("select", "t", command: .pick, help: "select the video, and move on", hint: "select"),
      .init("select-all", "T", command: .pickAll, help: "select all shown videos, or none"),
      .init(
        "mark-all-watched", "M", command: .markAllWatched, help: "mark all, or the selection, as watched",
        hint: "all watched"),
      .init("move-later", "J", command: .moveLater, help: "move down in the queue"),
      .init("move-earlier", "K", command: .moveEarlier, help: "move up in the queue"),
      .init("play-sound", "e", command: .playSoundOnly, help: "play audio only"),
      .init("search-server", "s", command: .searchServer, help: "search on the server, or on a service"),
      .init("show-sources", "b", command: .showSources, help: "show the list of sources", hint: "sources"),
      .init("clear-search", .escape, command: .clearSearch, help: "clear the selection, search or filter"),
    ])

  static let details = Keymap(
    "details", title: "Details", Command.details,
    rows: [
      .init("scroll-down", "j", .down, command: .scrollDown, help: "scroll down"),
      .init("scroll-up", "k", .up, command: .scrollUp, help: "scroll up"),
      .init("half-page-down", .control("d"), command: .halfPageDown, help: "half a page down"),
      .init("half-page-up", .control("u"), command: .halfPageUp, help: "half a page up"),
      .init("page-down", .control("f"), .pageDown, command: .pageDown, help: "a page down"),
      .init("page-up", .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("top", .go("g"), .home, command: .scrollToTop, help: "top of the text"),
      .init("end", "G", .end, command: .scrollToEnd, help: "end of the text"),
      .init("previous-video", "h", .left, command: .previousVideo, help: "previous video"),
      .init("next-video", "l", .right, command: .nextVideo, help: "next video", hint: "next"),
      .init("toggle-cover", "i", command: .toggleCover, help: "toggle the full-window cover"),
      .init("close", "q", .escape, command: .close, help: "back to the cards", hint: "back"),
    ])

  static let global = Keymap(
    "global", title: "Everywhere", Command.global,
    rows: [
      .init("type-command", ":", command: .typeCommand, help: "type a command or an address to open"),
      .init("help", "?", command: .showHelp, help: "show this help", hint: "help"),
      .init("repaint", .control("l"), command: .repaint, help: "repaint the screen"),
      .init("suspend", .control("z"), command: .suspend, help: "suspend; fg resumes"),
      .init("quit", "q", command: .quit, help: "quit"),
      .init("quit-at-once", .control("c"), command: .quitAtOnce, help: "quit without asking"),
      .init("pause", ",", command: .control(.togglePause), help: "pause or resume the playing video"),
      .init("back", "<", command: .control(.seek(.by(-10))), help: "10 s back"),
      .init("forward", ">", command: .control(.seek(.by(10))), help: "10 s forward"),
      .init("volume-up", "=", command: .control(.changeVolume(by: 5)), help: "volume up"),
      .init("volume-down", "-", command: .control(.changeVolume(by: -5)), help: "volume down"),
    ])

  static let browse = Keymap(
    "browse", title: "Cards and details", Command.browse, rows: opening + marks + others + numbers + records)

  private static let opening: [KeyRow<BrowseCommand>] = [
    .init("play", " ", command: .play, help: "play"),
    .init("show-playing", "p", .go("p"), command: .showPlaying, help: "go to the playing video", hint: "playing"),
    .init("refresh", "r", command: .refreshOrRetry, help: "refresh, or retry after a failure"),
    .init(
      "copy-playback-address", "y", command: .copyPlaybackAddress, help: "copy the playback address",
      hint: "copy address"),
    .init("copy-cover-address", "Y", command: .copyCoverAddress, help: "copy the cover address"),
    .init("open-page", "o", command: .openPage, help: "open the page in the browser", hint: "open page"),
    .init("open-channel", "c", .go("c"), command: .openChannel, help: "open the channel as a tab", hint: "channel"),
    .init("back", .backspace, command: .goBack, help: "go back to the card that opened the tab"),
    .init("open-related", .go("r"), command: .openRelated, help: "open related videos as a tab", hint: "related"),
    .init("open-links", .go("l"), command: .openLinks, help: "open a link in the description", hint: "links"),
  ]

  private static let marks: [KeyRow<BrowseCommand>] = Mark.allCases.compactMap { mark in
    mark.row.key.map { key in
      .init("toggle-\(key.name)", .character(key.character), command: .toggle(mark), help: key.help, hint: key.hint)
    }
  }

  private static let others: [KeyRow<BrowseCommand>] = [
    .init("undo", "u", command: .undo, help: "undo a mark, queue change or subscription", hint: "undo"),
    .init("download", "d", command: .download, help: "download the video", hint: "download"),
    .init("remove-download", "D", command: .removeDownload, help: "delete the download; press twice"),
    .init("next-tab", .tab, command: .nextTab, help: "next tab"),
    .init("previous-tab", .backTab, command: .previousTab, help: "previous tab"),
  ]

  private static let numbers: [KeyRow<BrowseCommand>] = (1...9).map { number in
    .init(
      "tab-\(number)", .character(Character(String(number))), command: .selectTab(number), help: "tab with this number")
  }

  private static let records: [KeyRow<BrowseCommand>] = [
    .init("queue", .go("q"), command: .selectRecords(.queued), help: "tab Queue", hint: Words.queueTab),
    .init("history", .go("h"), command: .selectRecords(.played), help: "tab History", hint: Words.historyTab),
    .init("downloads", .go("d"), command: .selectRecords(.download), help: "tab Downloads", hint: Words.downloadsTab),
  ]

  static let failure = Keymap(
    "failure", title: "Failure", Command.failure,
    rows: [
      .init("retry", "r", command: .retry, help: "retry"),
      .init(
        "dismiss", .escape, .control("c"), .control("g"), command: .dismiss, help: "dismiss the failure",
        hint: "dismiss"),
    ])

  static let answer = Keymap(
    "question", title: "Question", Command.answer,
    rows: [
      .init("yes", "y", command: .yes, help: "yes"),
      .init("no", "n", command: .no, help: "no"),
    ])

  static let prompt = Keymap(
    "prompt", title: "Prompts", Command.prompt,
    rows: [
      .init("move-left", .left, .control("b"), command: .moveLeft, help: "a character to the left"),
      .init("move-right", .right, .control("f"), command: .moveRight, help: "a character to the right"),
      .init(
        "word-left", Key(.left, .control), Key(.left, .alt), .alt("b"), command: .moveWordLeft,
        help: "a word to the left"),
      .init(
        "word-right", Key(.right, .control), Key(.right, .alt), .alt("f"), command: .moveWordRight,
        help: "a word to the right"),
      .init("start", .home, .control("a"), command: .moveToStart, help: "start of the text"),
      .init("end", .end, .control("e"), command: .moveToEnd, help: "end of the text"),
      .init("previous", .up, .control("p"), command: .previousText, help: "previous text"),
      .init("next", .down, .control("n"), command: .nextText, help: "next text"),
      .init("delete-backward", .backspace, command: .deleteBackward, help: "delete a character"),
      .init("delete-forward", .delete, .control("d"), command: .deleteForward, help: "delete the next character"),
      .init(
        "delete-word", .control("w"), Key(.backspace, .control), command: .deleteWord,
        help: "delete to the previous blank"),
      .init("delete-word-backward", Key(.backspace, .alt), command: .deleteWordBackward, help: "delete a word"),
      .init(
        "delete-word-forward", .alt("d"), Key(.delete, .control), command: .deleteWordForward,
        help: "delete the next word"),
      .init("delete-to-start", .control("u"), command: .deleteToStart, help: "delete to the start"),
      .init("delete-to-end", .control("k"), command: .deleteToEnd, help: "delete to the end"),
      .init("complete", .tab, command: .complete, help: "complete the command", hint: "complete"),
      .init("complete-backward", .backTab, command: .completeBackward, help: "previous completion"),
      .init("accept", .enter, command: .accept, help: "apply the text, or run the command"),
      .init(
        "cancel", .escape, .control("c"), .control("g"), command: .cancel,
        help: "cancel the search, restore the filter", hint: "cancel"),
    ])

  static let help = Keymap(
    "help", title: Words.help, Command.help,
    rows: [
      .init("scroll-down", "j", .down, command: .scrollDown, help: "scroll down"),
      .init("scroll-up", "k", .up, command: .scrollUp, help: "scroll up"),
      .init(
        "page-down", .control("d"), .control("f"), .pageDown, " ", command: .pageDown, help: "a page down",
        hint: "page down"),
      .init("page-up", .control("u"), .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("top", .go("g"), .home, command: .scrollToTop, help: "first key"),
      .init("end", "G", .end, command: .scrollToEnd, help: "last key"),
      .init("filter", "/", command: .filter, help: "filter the keys", hint: "filter"),
      .init("back", .escape, command: .back, help: "clear the filter, or close the help"),
      .init("close", "q", "?", .control("c"), .control("g"), command: .close, help: "close the help", hint: "close"),
    ])

  static let player = Keymap(
    "player", title: "Player", Command.player, rows: seeks + jumps + playback + sound + picture + screen)

  private static let seeks: [KeyRow<PlayerCommand>] = [
    .init("pause", " ", command: .control(.togglePause), help: "pause or resume"),
    .init("back", .left, command: .control(.seek(.by(-5))), help: "5 s back"),
    .init("forward", .right, command: .control(.seek(.by(5))), help: "5 s forward"),
    .init("back-far", .shiftLeft, command: .control(.seek(.by(-15))), help: "15 s back"),
    .init("forward-far", .shiftRight, command: .control(.seek(.by(15))), help: "15 s forward"),
  ]

  private static let jumps: [KeyRow<PlayerCommand>] = (0...9).map { tenth in
    .init(
      "jump-\(tenth * 10)", .character(Character(String(tenth))),
      command: .control(.seek(.share(Double(tenth) / 10))), help: "jump to 0 % … 90 %")
  }

  private static let playback: [KeyRow<PlayerCommand>] = [
    .init("previous-chapter", "{", command: .control(.seekChapter(by: -1)), help: "previous chapter"),
    .init("next-chapter", "}", command: .control(.seekChapter(by: 1)), help: "next chapter"),
    .init("play-next", "n", command: .playNext, help: "play the next video", hint: "next"),
    .init("play-previous", "p", command: .playPrevious, help: "play the previous video"),
    .init("toggle-autoplay", "N", command: .control(.toggleAutoplay), help: "toggle autoplay"),
    .init("play-skipped", "U", command: .control(.playSkipped), help: "play the part skipped last"),
    .init("mark-loop", "t", command: .control(.markLoop), help: "A–B loop: start, end, off"),
    .init("cycle-loop", "L", command: .control(.cycleLoop), help: "loop the video, the list, off"),
    .init("toggle-shuffle", "S", command: .control(.toggleShuffle), help: "toggle shuffle"),
    .init("replay", "r", command: .control(.replay), help: "replay, or retry after a failure"),
    .init("faster", "]", command: .control(.changeRate(faster: true)), help: "faster"),
    .init("slower", "[", command: .control(.changeRate(faster: false)), help: "slower"),
  ]

  private static let sound: [KeyRow<PlayerCommand>] = [
    .init("volume-up", "+", "=", command: .control(.changeVolume(by: 5)), help: "volume up", hint: "louder"),
    .init("volume-down", "-", command: .control(.changeVolume(by: -5)), help: "volume down"),
    .init("toggle-mute", "m", command: .control(.toggleMute), help: "mute or unmute", hint: "mute"),
    .init("next-audio-track", "A", command: .control(.cycleSoundTracks), help: "next audio track", hint: "audio"),
    .init(
      "next-subtitles", "c", command: .control(.cycleSubtitles), help: "next subtitles, or none", hint: "subtitles"),
  ]

  private static let picture: [KeyRow<PlayerCommand>] = [
    .init("toggle-full-window", "f", command: .toggleFullWindow, help: "toggle full window", hint: "full window"),
    .init(
      "toggle-separate-window", "w", command: .control(.togglePresentation(.window)), help: "toggle a separate window"),
    .init("toggle-audio-only", "e", "a", command: .control(.togglePresentation(.soundOnly)), help: "toggle audio only"),
    .init(
      "picture-in-picture", "P", command: .pictureInPicture, help: "back to the cards, with picture-in-picture",
      hint: "in picture"),
    .init("toggle-fit", "z", command: .control(.toggleFit), help: "fit or fill the picture"),
    .init("brighter", "B", command: .control(.changeBrightness(by: 5)), help: "brighter"),
    .init("darker", "b", command: .control(.changeBrightness(by: -5)), help: "darker"),
    .init("next-resolution", "H", command: .control(.cycleHeight), help: "next resolution of the feed"),
    .init("screenshot", "s", command: .control(.takeScreenshot), help: "save a screenshot"),
  ]

  private static let screen: [KeyRow<PlayerCommand>] = [
    .init("leave", .enter, command: .leave, help: "back to the cards; playback continues"),
    .init("stop", "q", .escape, command: .stop, help: "stop; in full window, leave it"),
  ]

  static let sources = Keymap(
    "sources", title: "List of sources", Command.sources,
    rows: [
      .init("move-down", "j", .down, command: .move(.down), help: "next row"),
      .init("move-up", "k", .up, command: .move(.up), help: "previous row"),
      .init("half-page-down", .control("d"), command: .move(.halfPageDown), help: "half a page down"),
      .init("half-page-up", .control("u"), command: .move(.halfPageUp), help: "half a page up"),
      .init("page-down", .control("f"), .pageDown, command: .move(.pageDown), help: "a page down"),
      .init("page-up", .control("b"), .pageUp, command: .move(.pageUp), help: "a page up"),
      .init("first", .go("g"), .home, command: .move(.first), help: "first row"),
      .init("last", "G", .end, command: .move(.last), help: "last row"),
      .init("open", .enter, command: .open, help: "show the tab, fold the tag, follow a list", hint: "open"),
      .init("filter", "/", command: .filter, help: "filter by letters of names and tags", hint: "filter"),
      .init("pick", "t", command: .pick, help: "select the source, and move down"),
      .init("pick-all", "T", command: .pickAll, help: "select all sources, or none"),
      .init("mark-watched", "M", command: .markWatched, help: "mark all its videos as watched", hint: "mark watched"),
      .init("undo", "u", command: .undo, help: "undo a mark or a subscription"),
      .init("refresh", "r", command: .refresh, help: "refresh the source", hint: "refresh"),
      .init("refresh-all", "R", command: .refreshAll, help: "refresh all sources", hint: "refresh all"),
      .init("next-order", "S", command: .nextOrder, help: "next order: name, unwatched, age", hint: "order"),
      .init("fold", "z", command: .fold, help: "fold or unfold the tag", hint: "fold"),
      .init("keep-dropped", "x", command: .keepDropped, help: "keep the sources that a live list drops", hint: "keep"),
      .init("back", .escape, command: .back, help: "clear, stop the refresh, or close"),
      .init("close", "q", "b", .control("c"), .control("g"), command: .close, help: "close the list", hint: "back"),
    ])
}

/// The hints of the contexts in the status line, the most useful last; a narrow line shows only these.
struct KeyHints: Equatable, Sendable {
  /// `catalogue`: for a user who has not added a source.
  let cards, cardsDuringPlayback, catalogue, details, player, failedPlayer, failedPlayerWithPage: [KeyHint]
  /// For a card that is a list.
  let list, listWithWayBack, listDetails: [KeyHint]
  let emptyTab, emptyTabWithFailure, emptyTabLoading, noMatch, noMatchOfFilter, retry, failure: [KeyHint]
  let prompt, command, links, help, sources, droppingList: [KeyHint]

  init(_ keys: [Keymap]) {
    func hints(_ commands: Command...) -> [KeyHint] { commands.flatMap { keys.hint($0) } }
    let showHelp = hints(.global(.showHelp))
    let end = hints(.global(.quit)) + showHelp
    let others = hints(
      .browse(.download), .browse(.copyPlaybackAddress), .browse(.undo), .cards(.nextOrder), .cards(.nextLayout),
      .browse(.toggle(.starred)), .browse(.toggle(.watched)), .cards(.toggleQueued), .cards(.filter))
    let usual = hints(.cards(.openDetails), .browse(.play), .cards(.search))
    cards = others + usual + end
    catalogue = others + usual + keys.hint(.global(.typeCommand), "open") + end
    let (wayBack, search) = (keys.hint(.browse(.goBack), "back"), hints(.cards(.search)) + end)
    let open =
      hints(
        .browse(.copyPlaybackAddress), .browse(.openPage), .cards(.nextOrder), .cards(.nextLayout), .cards(.filter))
      + keys.hint(.cards(.openDetails), "open")
    (list, listWithWayBack) = (open + search, open + wayBack + search)
    listDetails =
      hints(.details(.nextVideo), .browse(.openPage), .browse(.copyPlaybackAddress))
      + keys.hint(.browse(.play), "open") + hints(.details(.close)) + showHelp
    cardsDuringPlayback =
      others
      + hints(
        .global(.control(.seek(.by(-10)))), .global(.control(.seek(.by(10)))), .cards(.togglePictureInPicture),
        .browse(.showPlaying))
      + usual + keys.hint(.global(.control(.togglePause)), "pause") + end
    details =
      hints(
        .browse(.download), .browse(.undo), .browse(.toggle(.starred)), .browse(.toggle(.watched)),
        .cards(.toggleQueued), .details(.nextVideo), .browse(.openPage))
      + hints(.browse(.copyPlaybackAddress), .browse(.play), .details(.close)) + showHelp
    player =
      hints(
        .player(.pictureInPicture), .player(.control(.changeRate(faster: true))),
        .player(.control(.cycleSubtitles)), .player(.control(.cycleSoundTracks)), .player(.control(.toggleMute)),
        .player(.control(.changeVolume(by: 5))), .player(.control(.seek(.by(-5)))),
        .player(.control(.seek(.by(5)))), .player(.playNext), .player(.toggleFullWindow))
      + keys.hint(.player(.control(.togglePause)), "pause") + keys.hint(.player(.stop), "stop") + showHelp
    failedPlayer = keys.hint(.player(.control(.replay)), "retry") + keys.hint(.player(.stop), "back") + showHelp
    failedPlayerWithPage = hints(.browse(.openPage)) + failedPlayer
    retry = hints(.failure(.retry))
    failure = retry + hints(.failure(.dismiss))
    emptyTab = keys.hint(.browse(.refreshOrRetry), "refresh") + end
    emptyTabWithFailure = retry + end
    emptyTabLoading = end
    let change = keys.hint(.cards(.filter), "change the filter")
    (noMatch, noMatchOfFilter) = (change + end, change + keys.hint(.cards(.clearSearch), "clear it") + end)
    prompt = keys.hint(.prompt(.accept), "apply") + hints(.prompt(.cancel))
    command = hints(.prompt(.complete)) + keys.hint(.prompt(.accept), "run") + hints(.prompt(.cancel))
    links = keys.hint(.prompt(.accept), "open") + hints(.prompt(.cancel))
    sources =
      hints(
        .sources(.fold), .sources(.nextOrder), .sources(.refreshAll), .sources(.refresh), .sources(.markWatched),
        .sources(.filter), .sources(.open), .sources(.close)) + showHelp
    droppingList =
      keys.hint(.sources(.keepDropped), Words.keepThem) + keys.hint(.sources(.open), Words.dropThem)
      + hints(.sources(.close)) + showHelp
    help = hints(.help(.pageDown), .help(.filter), .help(.close))
  }
}
