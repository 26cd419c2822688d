import FeedfallScreen
import FeedfallText
import FeedfallUserData

/// Asks whether a download may leave https.
struct RedirectQuestion: Equatable, Sendable {
  let key: VideoKey
  let title: String
  let failure: FeedFailure
  let redirect: UnencryptedRedirect

  /// Nil for a failure that the user cannot allow.
  init?(_ key: VideoKey, _ title: String, _ failure: FeedFailure) {
    guard let redirect = failure.redirect else { return nil }
    (self.key, self.title, self.failure, self.redirect) = (key, title, failure, redirect)
  }
}

extension AppState {
  private var isQuestionShown: Bool { redirectQuestion.map { toast.text == DownloadWords.text($0) } == true }

  /// Asks, or only reports the failure if the next letter belongs to a prompt, to the help or to another question.
  mutating func ask(_ new: RedirectQuestion) {
    guard !hasPrompt, help == nil, !isQuestionShown else {
      return toast.show(DownloadWords.failed(new.failure, new.title))
    }
    redirectQuestion = new
    toast.hide()
    toast.showUntilKey(DownloadWords.text(new))
  }

  /// Handles the answer to the question on the screen; nil for a key with another meaning, which withdraws it.
  mutating func answer(_ key: Key) -> [AppEffect]? {
    guard let asked = redirectQuestion else { return nil }
    let isShown = isQuestionShown && !hasPrompt && help == nil
    redirectQuestion = nil
    guard isShown, let answer = AnswerCommand.keymap.command(for: key) else { return nil }
    toast.hide()
    return switch answer {
    case .yes: perform(browsing.allowHTTP(of: asked.key))
    case .no: []
    }
  }
}
