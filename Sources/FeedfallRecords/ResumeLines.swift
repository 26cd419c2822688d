import FeedfallText

extension UserEvent {
  private static let maximumLineCount = 2_000

  /// Parses the file of resume positions that earlier versions wrote: in each line the second, a space and the ID. A time
  /// follows the second as `@` and the seconds since 1970. Invalid lines are skipped.
  package static func events(ofResumeLines text: String, device: String) -> [UserEvent] {
    text.split(separator: "\n").suffix(maximumLineCount).compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let numbers = parts[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
      guard let seconds = numbers[0], let time = numbers.count == 2 ? numbers[1] : 0,
        (0...maximumTime / 1_000).contains(time)
      else { return nil }
      let event = UserEvent(
        time: time * 1_000, device: device, key: VideoKey(text: String(parts[1])),
        value: .position(seconds == 0 ? nil : seconds))
      return event.value.isValid && event.key.isValid ? event : nil
    }
  }
}
