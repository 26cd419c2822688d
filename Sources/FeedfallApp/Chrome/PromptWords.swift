import FeedfallScreen
import FeedfallText

enum PromptWords {
  static let label = "Command"

  private static var promptKey: String { Keymaps.standard.name(of: .global(.typeCommand)) }
  private static var completeKey: String { Keymaps.standard.name(of: .prompt(.complete)) }

  private static let textWidth = 40

  static let isFull =
    "Could not insert all of the text: a prompt holds at most \(TextFormat.count(Prompt.maximumLength)) characters. Shorten it."
  static let noPromptForPaste =
    "Could not paste: no prompt is open. Press \(promptKey) for a command, "
    + "\(Keymaps.standard.name(of: .cards(.search))) to search or \(Keymaps.standard.name(of: .cards(.filter))) to filter."

  static let examples =
    "Type an address, the name of a source, or a command: "
    + (CommandVocabulary.Word.all.map(\.usage) + ["OPTION VALUE"]).joined(separator: " · ")

  private static func quoted(_ text: String) -> String { "“\(excerpt(of: text, width: textWidth))”" }

  static func text(_ error: CommandVocabulary.Fault) -> String {
    switch error {
    case .unknown(let text, let similar):
      "Unknown command: \(quoted(text)). "
        + (similar.map { "Did you mean “\($0)”?" } ?? "Press \(promptKey), then \(completeKey) for all commands.")
    case .missing(let word): "Incomplete command: \(word.name) needs an argument. Type “\(word.usage)”."
    case .unneeded(let word, let rest): "Unknown command: \(quoted("\(word.name) \(rest)")). Type only “\(word.name)”."
    case .missingValue(let option): "Could not set \(option.name): the value is missing. Type “\(option.usage)”."
    case .filter(let error): "Could not filter: \(error.text)"
    case .quality(let text):
      "Could not download: \(quoted(text)) is not a quality. Type audio or a height such as 720p."
    }
  }

  static func text(_ outcome: SubscriptionRequest.Outcome, _ request: SubscriptionRequest) -> String {
    switch outcome {
    case .added(let source) where request.isUndo: RecordWords.undone("unsubscribed from \(quoted(source.name))")
    case .added(let source): RecordWords.done("subscribed to \(quoted(source.name)), saved in own.toml")
    case .removed(let name, _) where request.isUndo: RecordWords.undone("subscribed to \(quoted(name))")
    case .removed(let name, isHidden: true):
      RecordWords.done("unsubscribed from \(quoted(name)); own.toml hides it, config.toml still has it")
    case .removed(let name, isHidden: false): RecordWords.done("unsubscribed from \(quoted(name))")
    case .alreadyConfigured(let name): "\(quoted(name)) is in the configuration already"
    case .notConfigured where request.isUndo && request.change == .add:
      "Could not restore \(quoted(request.name)): it is no longer known. Add it in an editor."
    case .notConfigured: "\(quoted(request.name)) is not in the configuration"
    case .failed(let reason):
      "Could not \(action(request)) \(quoted(request.typedName ?? request.name)): \(reason)"
    }
  }

  static func replaced(damagedCopy copy: String) -> String { " · own.toml was damaged, its copy is \(copy)" }

  private static func action(_ request: SubscriptionRequest) -> String {
    switch request.change {
    case .add: request.isUndo ? "undo the removal of" : "subscribe to"
    case .remove: request.isUndo ? "undo the subscription to" : "unsubscribe from"
    }
  }

  static func found(_ words: String) -> String { "Found “\(cleanedLine(words, limit: textWidth))”" }

  /// The name of a tab, in which the host must have room.
  static func search(for words: String, on host: String) -> String {
    "Search “\(cleanedLine(words, limit: 24))” · \(host)"
  }

  static func noServerSearch(_ name: String) -> String {
    "Could not search \(quoted(name)): its server has no search. "
      + "\(Keymaps.standard.name(of: .cards(.search))) searches loaded titles, \(promptKey)find all videos ever loaded."
  }

  static func findsInstead(of name: String) -> String {
    "\(Messages.sentence(quoted(name))) has no search of its own: find searches all videos ever loaded."
  }

  static func noChannel(_ title: String) -> String {
    "Could not open the channel: the feed does not state its address. "
      + "\(Keymaps.standard.name(of: .browse(.openPage))) opens the page of \(quoted(title))."
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

  static func noViewInOrder(_ name: String) -> String {
    "Could not save the view: it cannot have the order “\(name)”. "
      + "Press \(Keymaps.standard.name(of: .cards(.nextOrder))) for the next one."
  }

  static let viewTooLong = "Could not save the view: its filter is too long, or sort: is not at its end. Change it."

  static func invalidViewName(_ name: String) -> String {
    "Could not save the view \(quoted(name)): this cannot be its name. Type another one of at most 80 characters."
  }

  static func refused(_ name: String, _ reason: String) -> String { "Could not set \(name): \(reason)" }

  static let tooManyTabs =
    "Could not open a tab: \(Browsing.maximumOpenedCount) are open. Close some with \(promptKey)close."

  static func cannotClose(_ name: String) -> String {
    "Could not close \(quoted(name)): only tabs opened with \(promptKey) can be closed."
  }

  static func cannotCloseView(_ name: String, ofRecords isOfRecords: Bool) -> String {
    isOfRecords
      ? "Could not close \(quoted(name)): it disappears once it has no videos."
      : "Could not close \(quoted(name)): it is a view. Delete it from the configuration, then start again."
  }
}
