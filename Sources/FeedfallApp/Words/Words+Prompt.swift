import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText

extension Words {
  private static let textWidth = 40

  static let promptIsFull =
    "Could not insert all of the text: a prompt holds at most \(TextFormat.count(Prompt.maximumLength)) characters. Shorten it."
  var noPromptForPaste: String {
    "Could not paste: no prompt is open."
      + choices([
        (.global(.typeCommand), "for a command"), (.cards(.search), "to search"), (.cards(.filter), "to filter"),
      ])
  }

  static let commandExamples =
    "Type an address, the name of a source, or a command: "
    + (CommandVocabulary.Word.allCases.map(\.usage) + ["OPTION VALUE"]).joined(separator: " · ")

  func text(_ error: CommandVocabulary.Fault) -> String {
    switch error {
    case .unknown(let text, let similar):
      "Unknown command: \(Self.quoted(text)). " + (similar.map { "Did you mean “\($0)”?" } ?? allCommands)
    case .missing(let word): "Incomplete command: \(word.rawValue) needs an argument. Type “\(word.usage)”."
    case .unneeded(let word, let rest):
      "Unknown command: \(Self.quoted("\(word.rawValue) \(rest)")). Type only “\(word.rawValue)”."
    case .missingValue(let option): "Could not set \(option.name): the value is missing. Type “\(option.usage)”."
    case .filter(let error): "Could not filter: \(error.text)"
    case .quality(let text):
      "Could not download: \(Self.quoted(text)) is not a quality. Type audio or a height such as 720p."
    case .list(let text):
      "Could not open \(Self.quoted(text)): it is not a list of a channel. Type one of "
        + ChannelList.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .mark(let text): "Could not mark: \(Marking.fault(text))"
    case .name(let name):
      "Could not rename the source: \(Self.quoted(name)) is not a valid name. Type one line of at most 80 characters."
    case .tags(let text):
      "Could not set the tags: \(Self.quoted(text)) are not valid tags. Type at most "
        + "\(SubscriptionRequest.Change.maximumTagCount), each of at most 80 characters."
    }
  }

  private var allCommands: String {
    guard let prompt = keys.name(of: .global(.typeCommand)), let complete = keys.name(of: .prompt(.complete)) else {
      return "Type :help for all commands."
    }
    return "Press \(prompt), then \(complete) for all commands."
  }

  func text(_ outcome: SubscriptionRequest.Outcome, _ request: SubscriptionRequest) -> String {
    if let batch = request.batch, outcome != .notConfigured, Self.failure(outcome, request) == nil {
      let name = "\(TextFormat.count(batch.sourceCount)) sources changed"
      return request.isUndo ? Self.undone(name) : done(name + ", saved in own.toml")
    }
    return switch outcome {
    case .added(let source) where request.isUndo: Self.undone("unsubscribed from \(Self.quoted(source.name))")
    case .added(let source): done("subscribed to \(Self.quoted(source.name)), saved in own.toml")
    case .removed(let name, _) where request.isUndo: Self.undone("subscribed to \(Self.quoted(name))")
    case .removed(let name, isHidden: true):
      done("unsubscribed from \(Self.quoted(name)); own.toml hides it, config.toml still has it")
    case .removed(let name, isHidden: false): done("unsubscribed from \(Self.quoted(name))")
    case .changed(let before, let after) where request.isUndo: Self.undone(Self.change(from: after, to: before))
    case .changed(let before, let after): done(Self.change(from: before, to: after) + ", saved in own.toml")
    case .alreadyConfigured(let name): "\(Self.quoted(name)) is in the configuration already"
    case .nameInUse, .notConfigured, .failed:
      Self.failure(outcome, request) ?? "\(Self.quoted(request.name)) is not in the configuration"
    }
  }

  /// Nil for an outcome that is no failure.
  static func failure(_ outcome: SubscriptionRequest.Outcome, _ request: SubscriptionRequest) -> String? {
    switch outcome {
    // The source that the undo should restore is lost.
    case .notConfigured where request.isUndo && request.change == .add:
      "Could not restore \(quoted(request.name)): it is no longer known. Add it in an editor."
    case .nameInUse:
      "Could not \(action(request)) \(quoted(request.name)): another source has the new name. Type a different one."
    case .failed(let reason): "Could not \(action(request)) \(quoted(request.typedName ?? request.name)): \(reason)"
    case .added, .removed, .changed, .alreadyConfigured, .notConfigured: nil
    }
  }

  static func replaced(damagedCopy copy: String) -> String { " · own.toml was damaged, its copy is \(copy)" }

  private static func action(_ request: SubscriptionRequest) -> String {
    switch request.change {
    case .add: request.isUndo ? "undo the removal of" : "subscribe to"
    case .remove: request.isUndo ? "undo the subscription to" : "unsubscribe from"
    case .rename: "rename"
    case .tag: "set the tags of"
    }
  }

  private static func change(from before: Subscription, to after: Subscription) -> String {
    if before.name != after.name { return "renamed \(quoted(before.name)) to \(quoted(after.name))" }
    return after.tags.isEmpty
      ? "removed the tags of \(quoted(after.name))"
      : "set the tags of \(quoted(after.name)) to \(quoted(after.tags.joined(separator: ", ")))"
  }

  static func found(_ words: String) -> String { "\(cleanedLine(words, limit: textWidth)) · found" }

  static func searches(_ place: String) -> String {
    "Searches \(excerpt(of: place, width: 40)). For another service, type its name first, such as youtube."
  }

  /// The name of a tab, in which the place must have room.
  static func search(for words: String, on place: String) -> String {
    "\(cleanedLine(words, limit: 24)) · \(place)"
  }

  func noChannel(hasPage: Bool) -> String {
    "Could not open the channel: the feed does not state its address."
      + (hasPage ? press(.browse(.openPage), "to open its page") : "")
  }

  static func cannotSubscribe(_ name: String) -> String {
    "\(quoted(name)) is not a source with an address. Select the tab of one."
  }

  static func changed(_ name: String, _ value: String) -> String {
    "\(name) = \(quoted(value)) until you quit · :save to keep"
  }

  static let nothingToSave = "There is nothing to save: no option has changed. Change one, such as :columns 3."

  static func saved(_ settings: SavedSettings) -> String {
    switch settings {
    case .options(let options):
      let values = options.sorted { $0.key < $1.key }.map { "\($0.key) = \(quoted($0.value))" }
      return "Saved in own.toml: \(values.joined(separator: ", "))"
    case .view(let view): return "Saved the view \(quoted(view.name)) in own.toml"
    }
  }

  static func notSaved(_ settings: SavedSettings, _ reason: String) -> String {
    switch settings {
    case .options: "Could not save the options: \(reason)"
    case .view(let view): "Could not save the view \(quoted(view.name)): \(reason)"
    }
  }

  static func notInViews(_ name: String) -> String {
    "Could not save a view of \(quoted(name)): views show only saved sources. Type :subscribe first."
  }

  static let noViewOfDownloads =
    "Could not save a view of the downloads: no filter includes only them. Select another tab."

  func noViewInOrder(_ name: String) -> String {
    "Could not save the view: it cannot have the order “\(name)”." + press(.cards(.nextOrder), "for the next one")
  }

  static let viewTooLong = "Could not save the view: its filter is too long, or sort: is not at its end. Change it."

  static func invalidViewName(_ name: String) -> String {
    "Could not save the view \(quoted(name)): this cannot be its name. Type another one of at most 80 characters."
  }

  static func refused(_ name: String, _ reason: String) -> String { "Could not set \(name): \(reason)" }

  static let tooManyTabs = "Could not open a tab: \(Browsing.maximumOpenedCount) are open. Close some with :close."

  static func cannotClose(_ name: String) -> String {
    "Could not close \(quoted(name)): only tabs opened with : can be closed."
  }

  static func cannotCloseView(_ name: String, ofRecords isOfRecords: Bool) -> String {
    isOfRecords
      ? "Could not close \(quoted(name)): it disappears once it has no videos."
      : "Could not close \(quoted(name)): it is a view. Delete it from the configuration, then start again."
  }
}

extension CommandVocabulary.Word {
  var row: (argument: Argument, help: String) {
    switch self {
    case .open: (.required("ADDRESS"), "open a feed, a page, a file or a folder as a tab")
    case .close: (.none, "close a tab that was opened here")
    case .find: (.required("WORDS"), "search all videos that were ever loaded")
    case .search: (.required("[SERVICE] WORDS"), "search on a service such as youtube, or on the server of the tab")
    case .list: (.required("LIST"), "open a list of the channel of the tab: videos, shorts, live or playlists")
    case .subscribe: (.optional("NAME"), "add the source of the tab to the configuration")
    case .unsubscribe: (.none, "remove the source of the tab from the configuration")
    case .rename: (.required("NAME"), "rename the source of the tab in the configuration")
    case .tag: (.optional("TAG…"), "set the tags of the source of the tab, or remove all")
    case .stop: (.none, "stop refreshing the sources that are still waiting")
    case .save: (.none, "save the options that were changed here")
    case .view: (.required("NAME"), "save the filter, the order and the layout of the tab as a view")
    case .filter: (.optional("FILTER"), "filter the videos of the tab")
    case .download: (.optional("audio|720p"), "download the selected video, audio only or at most this height")
    case .mark: (.required("MARK [above|below|FILTER]"), "set or remove a mark of all shown or selected videos")
    case .help: (.none, "show all keys")
    case .quit: (.none, "quit")
    }
  }
}
