import FeedfallFeeds
import FeedfallScreen

extension CardsCommand {
  static let keymap = Keymap(
    title: "Cards", Command.cards,
    rows: [
      .init("cards.move-left", .character("h"), .left, command: .move(.left), help: "card to the left"),
      .init("cards.move-right", .character("l"), .right, command: .move(.right), help: "card to the right"),
      .init(
        "cards.move-up", .character("k"), .up, command: .move(.up), help: "card above; at the top, pull to refresh"),
      .init("cards.move-down", .character("j"), .down, command: .move(.down), help: "card below"),
      .init("cards.half-page-down", .control("d"), command: .move(.halfPageDown), help: "half a page down"),
      .init("cards.half-page-up", .control("u"), command: .move(.halfPageUp), help: "half a page up"),
      .init("cards.page-down", .control("f"), .pageDown, command: .move(.pageDown), help: "a page down"),
      .init("cards.page-up", .control("b"), .pageUp, command: .move(.pageUp), help: "a page up"),
      .init("cards.first", .go("g"), .home, command: .move(.first), help: "first card"),
      .init("cards.last", .character("G"), .end, command: .move(.last), help: "last card"),
      .init("cards.open-details", .enter, command: .openDetails, help: "details"),
      .init(
        "cards.toggle-picture-in-picture", .character("P"), command: .togglePictureInPicture,
        help: "toggle picture-in-picture", hint: "in picture"),
      .init("cards.load-more", .character("m"), command: .loadMore, help: "load more"),
      .init("cards.next-layout", .character("v"), command: .nextLayout, help: "next layout", hint: "layout"),
      .init("cards.previous-layout", .character("V"), command: .previousLayout, help: "previous layout"),
      .init("cards.search", .character("/"), command: .search, help: "search titles", hint: "search"),
      .init("cards.next-match", .character("n"), command: .nextMatch, help: "next match"),
      .init("cards.previous-match", .character("N"), command: .previousMatch, help: "previous match"),
      .init("cards.filter", .character("f"), command: .filter, help: "filter the videos", hint: "filter"),
      .init("cards.next-order", .character("S"), command: .nextOrder, help: "next order", hint: "order"),
      .init(
        "cards.toggle-queued", .character("a"), command: .toggleQueued, help: "add to the queue, or remove from it",
        hint: "queue"),
      .init("cards.queue-next", .character("A"), command: .queueNext, help: "play next: put first in the queue"),
      .init(
        "cards.next-unwatched", .character("w"), command: .nextUnwatched, help: "next unwatched video, in any tab"),
      .init(
        "cards.previous-unwatched", .character("W"), command: .previousUnwatched,
        help: "previous unwatched video, in any tab"),
      .init("cards.select", .character("t"), command: .pick, help: "select the video, and move on", hint: "select"),
      .init("cards.select-all", .character("T"), command: .pickAll, help: "select all shown videos, or none"),
      .init(
        "cards.mark-all-watched", .character("M"), command: .markAllWatched,
        help: "mark all, or the selection, as watched", hint: "all watched"),
      .init("cards.move-later", .character("J"), command: .moveLater, help: "move down in the queue"),
      .init("cards.move-earlier", .character("K"), command: .moveEarlier, help: "move up in the queue"),
      .init("cards.play-sound", .character("e"), command: .playSoundOnly, help: "play audio only"),
      .init(
        "cards.search-server", .character("s"), command: .searchServer, help: "search on the server, or on a service"),
      .init(
        "cards.show-sources", .character("b"), command: .showSources, help: "show the list of sources",
        hint: "sources"),
      .init("cards.clear-search", .escape, command: .clearSearch, help: "clear the selection, search or filter"),
    ])
}

extension DetailsCommand {
  static let keymap = Keymap(
    title: "Details", Command.details,
    rows: [
      .init("details.scroll-down", .character("j"), .down, command: .scrollDown, help: "scroll down"),
      .init("details.scroll-up", .character("k"), .up, command: .scrollUp, help: "scroll up"),
      .init("details.half-page-down", .control("d"), command: .halfPageDown, help: "half a page down"),
      .init("details.half-page-up", .control("u"), command: .halfPageUp, help: "half a page up"),
      .init("details.page-down", .control("f"), .pageDown, command: .pageDown, help: "a page down"),
      .init("details.page-up", .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("details.top", .go("g"), .home, command: .scrollToTop, help: "top of the text"),
      .init("details.end", .character("G"), .end, command: .scrollToEnd, help: "end of the text"),
      .init("details.previous-video", .character("h"), .left, command: .previousVideo, help: "previous video"),
      .init("details.next-video", .character("l"), .right, command: .nextVideo, help: "next video", hint: "next"),
      .init("details.toggle-cover", .character("i"), command: .toggleCover, help: "toggle the full-window cover"),
      .init("details.close", .character("q"), .escape, command: .close, help: "back to the cards", hint: "back"),
    ])
}

extension GlobalCommand {
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

extension BrowseCommand {
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
      .init(
        "browse.back", .backspace, command: .goBack, help: "go back to the card that opened the tab"),
      .init(
        "browse.open-related", .go("r"), command: .openRelated, help: "open related videos as a tab", hint: "related"),
      .init(
        "browse.open-links", .go("l"), command: .openLinks, help: "open a link in the description", hint: "links"),
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
      + [
        .init("browse.queue", .go("q"), command: .selectRecords(.queued), help: "tab Queue", hint: Words.queueTab),
        .init(
          "browse.history", .go("h"), command: .selectRecords(.played), help: "tab History", hint: Words.historyTab),
        .init(
          "browse.downloads", .go("d"), command: .selectRecords(.download), help: "tab Downloads",
          hint: Words.downloadsTab),
      ])
}

extension FailureCommand {
  static let keymap = Keymap(
    title: "Failure", Command.failure,
    rows: [
      .init("failure.retry", .character("r"), command: .retry, help: "retry"),
      .init(
        "failure.dismiss", .escape, .control("c"), .control("g"), command: .dismiss, help: "dismiss the failure",
        hint: "dismiss"),
    ])
}

extension RedirectQuestion.Answer {
  static let keymap = Keymap(
    title: "Question", Command.answer,
    rows: [
      .init("question.yes", .character("y"), command: .yes, help: "yes"),
      .init("question.no", .character("n"), command: .no, help: "no"),
    ])
}

extension Prompt.Command {
  static let keymap = Keymap(
    title: "Prompts", FeedfallApp.Command.prompt,
    rows: [
      .init("prompt.move-left", .left, .control("b"), command: .moveLeft, help: "a character to the left"),
      .init("prompt.move-right", .right, .control("f"), command: .moveRight, help: "a character to the right"),
      .init(
        "prompt.word-left", Key(.left, .control), Key(.left, .alt), .alt("b"), command: .moveWordLeft,
        help: "a word to the left"),
      .init(
        "prompt.word-right", Key(.right, .control), Key(.right, .alt), .alt("f"), command: .moveWordRight,
        help: "a word to the right"),
      .init("prompt.start", .home, .control("a"), command: .moveToStart, help: "start of the text"),
      .init("prompt.end", .end, .control("e"), command: .moveToEnd, help: "end of the text"),
      .init("prompt.previous", .up, .control("p"), command: .previousText, help: "previous text"),
      .init("prompt.next", .down, .control("n"), command: .nextText, help: "next text"),
      .init("prompt.delete-backward", .backspace, command: .deleteBackward, help: "delete a character"),
      .init(
        "prompt.delete-forward", .delete, .control("d"), command: .deleteForward, help: "delete the next character"),
      .init(
        "prompt.delete-word", .control("w"), Key(.backspace, .control), command: .deleteWord,
        help: "delete to the previous blank"),
      .init(
        "prompt.delete-word-backward", Key(.backspace, .alt), command: .deleteWordBackward, help: "delete a word"),
      .init(
        "prompt.delete-word-forward", .alt("d"), Key(.delete, .control), command: .deleteWordForward,
        help: "delete the next word"),
      .init("prompt.delete-to-start", .control("u"), command: .deleteToStart, help: "delete to the start"),
      .init("prompt.delete-to-end", .control("k"), command: .deleteToEnd, help: "delete to the end"),
      .init("prompt.complete", .tab, command: .complete, help: "complete the command", hint: "complete"),
      .init("prompt.complete-backward", .backTab, command: .completeBackward, help: "previous completion"),
      .init("prompt.accept", .enter, command: .accept, help: "apply the text, or run the command"),
      .init(
        "prompt.cancel", .escape, .control("c"), .control("g"), command: .cancel,
        help: "cancel the search, restore the filter", hint: "cancel"),
    ])
}

extension HelpScreen.Command {
  static let keymap = Keymap(
    title: Words.help, FeedfallApp.Command.help,
    rows: [
      .init("help.scroll-down", .character("j"), .down, command: .scrollDown, help: "scroll down"),
      .init("help.scroll-up", .character("k"), .up, command: .scrollUp, help: "scroll up"),
      .init(
        "help.page-down", .control("d"), .control("f"), .pageDown, .character(" "), command: .pageDown,
        help: "a page down", hint: "page down"),
      .init("help.page-up", .control("u"), .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("help.top", .go("g"), .home, command: .scrollToTop, help: "first key"),
      .init("help.end", .character("G"), .end, command: .scrollToEnd, help: "last key"),
      .init("help.filter", .character("/"), command: .filter, help: "filter the keys", hint: "filter"),
      .init("help.back", .escape, command: .back, help: "clear the filter, or close the help"),
      .init(
        "help.close", .character("q"), .character("?"), .control("c"), .control("g"), command: .close,
        help: "close the help", hint: "close"),
    ])
}

extension PlayerCommand {
  static let keymap = Keymap(title: "Player", Command.player, rows: playback + sound + picture + screen)

  private static let playback: [KeyRow<PlayerCommand>] =
    [
      .init("player.pause", .character(" "), command: .control(.togglePause), help: "pause or resume"),
      .init("player.back", .left, command: .control(.seek(.by(-5))), help: "5 s back"),
      .init("player.forward", .right, command: .control(.seek(.by(5))), help: "5 s forward"),
      .init("player.back-far", .shiftLeft, command: .control(.seek(.by(-15))), help: "15 s back"),
      .init("player.forward-far", .shiftRight, command: .control(.seek(.by(15))), help: "15 s forward"),
    ]
    + (0...9).map { tenth in
      .init(
        "player.jump-\(tenth * 10)", .character(Character(String(tenth))),
        command: .control(.seek(.share(Double(tenth) / 10))), help: "jump to 0 % … 90 %")
    } + [
      .init(
        "player.previous-chapter", .character("{"), command: .control(.seekChapter(by: -1)), help: "previous chapter"),
      .init("player.next-chapter", .character("}"), command: .control(.seekChapter(by: 1)), help: "next chapter"),
      .init("player.play-next", .character("n"), command: .playNext, help: "play the next video", hint: "next"),
      .init("player.play-previous", .character("p"), command: .playPrevious, help: "play the previous video"),
      .init("player.toggle-autoplay", .character("N"), command: .control(.toggleAutoplay), help: "toggle autoplay"),
      .init(
        "player.play-skipped", .character("U"), command: .control(.playSkipped), help: "play the part skipped last"),
      .init("player.mark-loop", .character("t"), command: .control(.markLoop), help: "A–B loop: start, end, off"),
      .init("player.cycle-loop", .character("L"), command: .control(.cycleLoop), help: "loop the video, the list, off"),
      .init("player.toggle-shuffle", .character("S"), command: .control(.toggleShuffle), help: "toggle shuffle"),
      .init("player.replay", .character("r"), command: .control(.replay), help: "replay, or retry after a failure"),
      .init("player.faster", .character("]"), command: .control(.changeRate(faster: true)), help: "faster"),
      .init("player.slower", .character("["), command: .control(.changeRate(faster: false)), help: "slower"),
    ]

  private static let sound: [KeyRow<PlayerCommand>] = [
    .init(
      "player.volume-up", .character("+"), .character("="), command: .control(.changeVolume(by: 5)), help: "volume up",
      hint: "louder"),
    .init("player.volume-down", .character("-"), command: .control(.changeVolume(by: -5)), help: "volume down"),
    .init("player.toggle-mute", .character("m"), command: .control(.toggleMute), help: "mute or unmute", hint: "mute"),
    .init(
      "player.next-audio-track", .character("A"), command: .control(.cycleSoundTracks), help: "next audio track",
      hint: "audio"),
    .init(
      "player.next-subtitles", .character("c"), command: .control(.cycleSubtitles), help: "next subtitles, or none",
      hint: "subtitles"),
  ]

  private static let picture: [KeyRow<PlayerCommand>] = [
    .init(
      "player.toggle-full-window", .character("f"), command: .toggleFullWindow, help: "toggle full window",
      hint: "full window"),
    .init(
      "player.toggle-separate-window", .character("w"), command: .control(.togglePresentation(.window)),
      help: "toggle a separate window"),
    .init(
      "player.toggle-audio-only", .character("e"), .character("a"), command: .control(.togglePresentation(.soundOnly)),
      help: "toggle audio only"),
    .init(
      "player.picture-in-picture", .character("P"), command: .pictureInPicture,
      help: "back to the cards, with picture-in-picture",
      hint: "in picture"),
    .init("player.toggle-fit", .character("z"), command: .control(.toggleFit), help: "fit or fill the picture"),
    .init("player.brighter", .character("B"), command: .control(.changeBrightness(by: 5)), help: "brighter"),
    .init("player.darker", .character("b"), command: .control(.changeBrightness(by: -5)), help: "darker"),
    .init(
      "player.next-resolution", .character("H"), command: .control(.cycleHeight), help: "next resolution of the feed"),
    .init("player.screenshot", .character("s"), command: .control(.takeScreenshot), help: "save a screenshot"),
  ]

  private static let screen: [KeyRow<PlayerCommand>] = [
    .init("player.leave", .enter, command: .leave, help: "back to the cards; playback continues"),
    .init("player.stop", .character("q"), .escape, command: .stop, help: "stop; in full window, leave it"),
  ]
}

/// The hints of the contexts in the status line, the most useful last; a narrow line shows only these.
struct KeyHints: Equatable, Sendable {
  let cards: [KeyHint]
  let cardsDuringPlayback: [KeyHint]
  /// For a user who has not added a source.
  let catalogue: [KeyHint]
  let details: [KeyHint]
  let player: [KeyHint]
  let failedPlayer: [KeyHint]
  let failedPlayerWithPage: [KeyHint]
  let emptyTab: [KeyHint]
  let emptyTabWithFailure: [KeyHint]
  let emptyTabLoading: [KeyHint]
  let noMatch: [KeyHint]
  let noMatchWithFailure: [KeyHint]
  let retry: [KeyHint]
  let failure: [KeyHint]
  let prompt: [KeyHint]
  let command: [KeyHint]
  let links: [KeyHint]
  let help: [KeyHint]
  let sources: [KeyHint]

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
    noMatchWithFailure = keys.hint(.cards(.filter), "change the filter") + end
    noMatch = keys.hint(.cards(.filter), "change the filter") + keys.hint(.cards(.clearSearch), "clear it") + end
    prompt = keys.hint(.prompt(.accept), "apply") + hints(.prompt(.cancel))
    command = hints(.prompt(.complete)) + keys.hint(.prompt(.accept), "run") + hints(.prompt(.cancel))
    links = keys.hint(.prompt(.accept), "open") + hints(.prompt(.cancel))
    sources =
      hints(
        .sources(.fold), .sources(.nextOrder), .sources(.refreshAll), .sources(.refresh), .sources(.markWatched),
        .sources(.filter), .sources(.open), .sources(.close)) + showHelp
    help = hints(.help(.pageDown), .help(.filter), .help(.close))
  }
}
