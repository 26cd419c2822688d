import FeedfallScreen

struct CommandPrompt: Equatable, Sendable {
  private(set) var prompt: Prompt?
  /// The card that the command means: the one that was selected when the prompt was opened.
  @Boxed private(set) var card: Card? = nil
  /// The tabs that the command means, if the list of sources is shown.
  private(set) var tabs: MeantTabs?
  private var history: Prompt.History
  private var completion: Completion?

  private struct Completion: Equatable, Sendable {
    var texts: [String]
    var index: Int
  }

  private static let maximumShownCompletions = 40

  init(history texts: [String]) {
    history = Prompt.History(maximumCount: AppSettings.maximumCommandCount)
    for text in texts { history.add(text) }
  }

  mutating func begin(with start: String = "", for card: Card? = nil, in tabs: MeantTabs? = nil) {
    (self.card, self.tabs) = (card, tabs)
    prompt = Prompt(needle: start, history: history)
  }

  mutating func paste(_ text: String) {
    prompt?.paste(text)
    completion = nil
  }

  /// Returns a command that was accepted.
  mutating func handle(_ input: Prompt.Input, _ vocabulary: CommandVocabulary) -> String? {
    switch input {
    case .command(.complete): complete(by: 1, vocabulary)
    case .command(.completeBackward): complete(by: -1, vocabulary)
    case .command, .character, .none: return edit(input)
    }
    return nil
  }

  private mutating func edit(_ input: Prompt.Input) -> String? {
    completion = nil
    switch prompt?.handle(input) {
    case nil, .changed: return nil
    case .cancelled:
      prompt = nil
      return nil
    case .accepted:
      let text = prompt.take()?.needle
      text.map { history.add($0) }
      return text
    }
  }

  /// Completes the text as far as all completions agree, then shows one after the other.
  private mutating func complete(by step: Int, _ vocabulary: CommandVocabulary) {
    if let completion {
      let next = (completion.index + step + completion.texts.count) % completion.texts.count
      self.completion?.index = next
      prompt?.replaceText(completion.texts[next])
      return
    }
    guard let prompt, prompt.isCursorAtEnd else { return }
    let texts = vocabulary.completions(of: prompt.needle)
    guard let first = texts.first else { return }
    let common = texts.dropFirst().reduce(first) { common, text in
      String(zip(common, text).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
    if texts.count == 1 {
      self.prompt?.replaceText(first + (vocabulary.help(for: first) == nil || first.contains(" ") ? "" : " "))
    } else if common.count > prompt.needle.count {
      self.prompt?.replaceText(common)
    } else {
      let index = step > 0 ? 0 : texts.count - 1
      completion = Completion(texts: texts, index: index)
      self.prompt?.replaceText(texts[index])
    }
  }

  /// - Parameter searchPlace: the service, server or channel that gets the words; nil for another command.
  func line(_ vocabulary: CommandVocabulary, searchPlace: String?) -> Prompt.Line? {
    let search = searchPlace.map { StatusLine.Note(text: Words.searches($0), role: .hint) }
    return prompt.map { Prompt.Line(Words.commandLabel, $0, result: nil, note: search ?? note(for: $0, vocabulary)) }
  }

  private func note(for prompt: Prompt, _ vocabulary: CommandVocabulary) -> StatusLine.Note? {
    if let help = vocabulary.help(for: prompt.needle) { return StatusLine.Note(text: help, role: .hint) }
    let texts = completion?.texts ?? vocabulary.completions(of: prompt.needle)
    let shown =
      prompt.needle.isEmpty
      ? Words.commandExamples : Words.completions(Array(texts.prefix(Self.maximumShownCompletions)))
    return shown.isEmpty ? nil : StatusLine.Note(text: shown, role: .hint)
  }
}
