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
