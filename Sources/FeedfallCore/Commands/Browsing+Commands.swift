import FeedfallFeeds
import FeedfallFilters
import FeedfallText

/// The commands that open and close tabs and filter them.
extension Browsing {
  /// The maximum number of tabs that the user has opened at the same time.
  static let maximumOpenedCount = 100

  /// The names that commands can contain now.
  var vocabulary: CommandVocabulary {
    CommandVocabulary(
      options: settings.options, tabs: tabs.visible.map { ($0, library.name(of: tabs[$0].content)) },
      configuredNames: settings.subscriptions.map(\.name))
  }

  /// Opens a source as a tab and selects it; an open one is only selected.
  mutating func open(_ text: String) -> [Intent] {
    if let subscription = subscription(named: text) { return open(subscription) }
    if let tab = openTab(where: { $0.address == text }) { return selectTab(tab) }
    var source = SourceSettings(name: Self.name(of: text), isLocal: Self.isPath(text))
    source.address = text
    return open(source, .address(text))
  }

  private mutating func open(_ subscription: Subscription) -> [Intent] {
    let (name, address) = (subscription.name, subscription.address)
    if let tab = openTab(where: { $0.address == address && $0.givenName == name }) { return selectTab(tab) }
    var source = SourceSettings(name: name, isLocal: Self.isPath(address))
    (source.address, source.givenName, source.query) = (address, name, subscription.query)
    return open(source, .configured(name: name))
  }

  /// The source of the configuration with this name; case matters only if several names differ in nothing else.
  private func subscription(named name: String) -> Subscription? {
    settings.subscriptions.first { $0.name == name }
      ?? settings.subscriptions.first { $0.name.lowercased() == name.lowercased() }
  }

  private func openTab(where isMatch: (SourceSettings) -> Bool) -> Int? {
    library.sources.last { isMatch($0.settings) }.flatMap { tabs.index(of: $0.id) }
  }

  /// Opens a tab with the videos ever loaded that have all words.
  mutating func find(_ words: String) -> [Intent] {
    var source = SourceSettings(name: PromptWords.found(words), isLocal: true)
    source.policy.debounce = .milliseconds(30)
    return open(source, .find(words))
  }

  mutating func open(_ source: SourceSettings, _ request: SourceRequest) -> [Intent] {
    guard tabs.openedCount < Self.maximumOpenedCount else { return [.showMessage(PromptWords.tooManyTabs)] }
    let id = library.open(source)
    let tab = tabs.open(id, order: CardOrder(source.query.order), settings: settings)
    return [.effect(.openSource(id, request))] + selectTab(tab)
  }

  /// Closes the selected tab, if the user has opened it.
  mutating func closeTab() -> [Intent] {
    guard tabs.isSelectedOpened, case .source(let source) = content else {
      return [.showMessage(PromptWords.cannotClose(library.name(of: content)))]
    }
    let effects = library.close(source)
    tabs.closeSelected(settings: settings)
    return effects.map(Intent.effect) + [.effect(.closeSource(source))] + completeDetails()
  }

  /// Adds the source of the selected tab to the configuration.
  func subscribe(name: String?) -> [Intent] {
    guard case .source(let source) = content, isConfigurable(source) else {
      return [.showMessage(PromptWords.cannotSubscribe(library.name(of: content)))]
    }
    let name = name ?? library[source].ownName
    return [.effect(.subscribe(name: name, address: library[source].settings.address))]
  }

  /// Removes the source of the selected tab from the configuration.
  func unsubscribe() -> [Intent] {
    guard case .source(let source) = content, isConfigurable(source) else {
      return [.showMessage(PromptWords.cannotSubscribe(library.name(of: content)))]
    }
    return [.effect(.unsubscribe(name: library[source].ownName, address: library[source].settings.address))]
  }

  private func isConfigurable(_ source: SourceID) -> Bool { !["", "-"].contains(library[source].settings.address) }

  mutating func filter(by query: FilterQuery) -> [Intent] {
    changeFilter { $0.set(query) }
    return completeDetails()
  }

  private static func isPath(_ text: String) -> Bool {
    ["/", "./", "../", "~/", "file://"].contains(where: text.hasPrefix)
  }

  /// The host and the path, until the feed states its title.
  private static func name(of text: String) -> String {
    guard !isPath(text), let address = WebAddress(typed: text) else {
      return cleanedLine(text.hidingPassword, limit: 48)
    }
    return cleanedLine(address.host + (address.path == "/" ? "" : address.path), limit: 48)
  }
}
