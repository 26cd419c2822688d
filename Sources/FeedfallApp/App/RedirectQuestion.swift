import FeedfallRecords
import FeedfallText

struct RedirectQuestion: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    case download(FeedFailure)
    case playing
  }

  let key: VideoKey
  let title: String
  let redirect: UnencryptedRedirect
  let purpose: Purpose

  /// Nil for the failure of a download that the user cannot allow.
  init?(_ key: VideoKey, _ title: String, _ failure: FeedFailure) {
    guard let redirect = failure.redirect else { return nil }
    (self.key, self.title, self.redirect, purpose) = (key, title, redirect, .download(failure))
  }

  init(_ item: PlayItem, _ redirect: UnencryptedRedirect) {
    (key, title, self.redirect, purpose) = (item.key, item.title, redirect, .playing)
  }

  fileprivate func report(_ words: Words) -> String {
    switch purpose {
    case .download(let failure): words.downloadFailed(failure, title)
    case .playing: words.playFailed(.leavesHTTPS(redirect), title: title)
    }
  }

  /// The answers to a question, which names their keys. Any other key withdraws it.
  enum Answer: Equatable, Sendable {
    case yes, no
  }
}

extension AppState {
  /// The list of sources may ask meanwhile.
  var isQuestionShown: Bool { toast.showsLasting && redirectQuestion.map { words.text($0) } == toast.text }

  /// Asks, or only reports the failure if the next letter belongs to a prompt, to the help or to another question.
  mutating func ask(_ new: RedirectQuestion) {
    if isQuestionShown, redirectQuestion == new { return }
    guard !hasPrompt, !isCovered, pendingPrefix == nil, !isQuestionShown else { return toast.show(new.report(words)) }
    redirectQuestion = new
    toast.hide()
    toast.showUntilKey(words.text(new))
  }

  mutating func perform(_ answer: RedirectQuestion.Answer) -> [AppEffect] {
    guard let asked = redirectQuestion.take() else { return [] }
    toast.hide()
    return switch (asked.purpose, answer) {
    case (.download, .yes): browsing.allowHTTP(of: asked.key)
    case (.download, .no): []
    case (.playing, .yes): allowHTTP(of: asked.key)
    case (.playing, .no): refuseHTTP(of: asked)
    }
  }
}
