import FeedfallScreen

/// A part of the program that handles keys. A key goes to the topmost layer that binds it.
enum Layer: Int, CaseIterable, Sendable {
  // In the order of the help, and of `Keymaps.standard`.
  case player, details, cards, browse, sources, failure, prompt, help, global, answer

  /// The messages of questions name the keys of their answers.
  static let inHelp = allCases.filter { $0 != .answer }
}

/// The screen that has the keys if neither a prompt nor the help is open.
enum Focus: Equatable, Sendable {
  case cards, details, player
  /// The player without the details around it.
  case fullWindow

  /// The topmost first. The cards beside the details have the keys that these do not bind.
  func layers(hasFailure: Bool) -> [Layer] {
    switch self {
    case .cards: (hasFailure ? [.failure] : []) + [.cards, .browse, .global]
    case .details: [.details, .cards, .browse, .global]
    case .player: [.player, .details, .cards, .browse, .global]
    case .fullWindow: [.player, .browse, .global]
    }
  }
}

/// The prompt that has the keys.
enum OpenPrompt: Equatable, Sendable {
  case command, filter, search, links, help, sources
}

extension AppState {
  var openPrompt: OpenPrompt? {
    if commandPrompt.prompt != nil { return .command }
    if let prompt = tabs.selected.openPrompt { return prompt }
    return help?.hasPrompt == true ? .help : help == nil && areSourcesShown && sourceList.hasPrompt ? .sources : nil
  }

  /// Those of a prompt or the help, else of a question and the focused screen, the topmost first.
  var layers: [Layer] {
    if openPrompt != nil { return [.prompt] }
    if help != nil { return [.help] }
    if areSourcesShown { return [.sources, .global] }
    let layers = focus.layers(hasFailure: failure != nil)
    return isQuestionShown ? [.answer] + layers : layers
  }

  /// Prompts, the help and the list of sources leave no other keys to the layers below than those with modifiers.
  private func command(for key: Key) -> Command? {
    let layers = layers
    if let command = keys.command(for: key, in: layers) { return command }
    switch (layers[0], key.modifiers) {
    case (.prompt, .control), (.help, .control): return keys[.global].command(for: key)
    case (.help, .go), (.sources, .go): return keys[.browse].command(for: key)
    default: return nil
    }
  }

  // MARK: - Prefixes

  /// The hints for the keys that may follow the typed prefix; nil without one.
  var prefixHints: [KeyHint]? {
    pendingPrefix.map { keys.hints(after: $0, in: isCovered ? [layers[0], .browse] : layers) }
  }

  /// Returns a key with the prefix that was typed before it; nil if it only cancels the prefix.
  private mutating func completing(_ key: Key) -> Key? {
    guard let prefix = pendingPrefix else { return key }
    pendingPrefix = nil
    if key == .escape { return nil }
    return key.modifiers.isEmpty ? Key(key.base, prefix) : key
  }

  private mutating func handleUnbound(_ key: Key) -> [AppEffect] {
    if Keymaps.prefixes.values.contains(key.modifiers) { return browsing.show(words.unbound(key)) }
    if layers != [.prompt] { pendingPrefix = Keymaps.prefixes[key] }
    return []
  }

  // MARK: - Keys

  mutating func keyPressed(_ key: Key) -> [AppEffect] {
    guard let key = completing(key) else { return [] }
    let command = command(for: key)
    guard key.modifiers.isEmpty || command != nil else { return handleUnbound(key) }
    if case .answer? = command, let command { return perform(command) }
    redirectQuestion = nil
    browsing.shownOffer = toast.offer
    toast.hide()
    if key.modifiers == .control, case .global(let command)? = command { return perform(command) }
    if let openPrompt { return handle(Prompt.Input(key, keys), in: openPrompt) }
    if help != nil, command?.layer != .browse { return handleHelp(key, command) }
    help = nil
    if areSourcesShown, command?.layer != .browse { return handleSources(key, command) }
    return sourceList.close() + handleOnScreen(key, command)
  }

  private mutating func handle(_ input: Prompt.Input, in prompt: OpenPrompt) -> [AppEffect] {
    switch prompt {
    case .command: return handleCommandPrompt(input)
    case .filter, .search: return followingSelection { $0.browsing.handlePrompt(input) }
    case .links: return handleLinks(input)
    case .help: help?.handle(input)
    case .sources: sourceList.handle(input)
    }
    return []
  }

  private mutating func handleHelp(_ key: Key, _ command: Command?) -> [AppEffect] {
    guard case .help(let command)? = command else { return handleUnbound(key) }
    let size = regions.whole.size
    if help?.perform(command, size: size) == false {
      help = nil
      screenClosed(by: key)
    }
    return []
  }

  private mutating func handleSources(_ key: Key, _ command: Command?) -> [AppEffect] {
    guard let command else { return handleUnbound(key) }
    let effects = perform(command)
    if !areSourcesShown { screenClosed(by: key) }
    return effects
  }

  private mutating func handleOnScreen(_ key: Key, _ command: Command?) -> [AppEffect] {
    let waking = showControls()
    if command != .browse(.removeDownload) { browsing.downloads.cancelRemoval() }
    let opensPrompt = focus != .cards && !areCardsVisible && wantsPrompt(key, command)
    if refusedText.contains(key, opensPrompt: opensPrompt, at: now) {
      if refusedText.isNew { toast.show(isFullWindow ? words.promptNeedsWindow : words.promptNeedsCards) }
      return waking
    }
    guard let command else { return waking + handleUnbound(key) }
    if command == .details(.close) || command == .player(.stop) { screenClosed(by: key) }
    if focus == .cards, command.layer != .cards { browsing.tabs.selected.cards.pull.cancel() }
    return waking + perform(command)
  }

  /// Whether a key opens a prompt for the cards, or has no meaning but this.
  private func wantsPrompt(_ key: Key, _ command: Command?) -> Bool {
    guard case .cards(let command)? = command ?? keys[.cards].command(for: key) else { return false }
    return command.opensPrompt
  }

  /// The text that the user types for a prompt that could not be opened: its letters are no commands.
  struct RefusedText: Equatable, Sendable {
    /// When its last letter arrived, in milliseconds since 1970.
    private var time: Int?
    /// Whether the last letter was the key of the prompt.
    private(set) var isNew = false

    /// In milliseconds.
    private static let pause = 600

    /// Returns whether a key belongs to the text. `opensPrompt`: whether the key begins one.
    mutating func contains(_ key: Key, opensPrompt: Bool, at now: Int) -> Bool {
      let goesOn = key.typed != nil && time.map { (0..<Self.pause).contains(now - $0) } == true
      isNew = opensPrompt && !goesOn
      time = opensPrompt || goesOn ? now : nil
      return time != nil
    }
  }
}
