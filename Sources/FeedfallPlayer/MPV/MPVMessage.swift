import FeedfallDocuments
import FeedfallPlaying

/// What mpv says: the answer to a command, or what has happened.
enum MPVMessage: Equatable, Sendable {
  /// The answer to the command with this number; of a `loadfile` it names the entry.
  case answered(number: Int, entry: Int?)
  case refused(number: Int, reason: String)
  /// An entry begins to load. What is told from here on is about it.
  case started(entry: Int)
  /// There is something to see or hear, at first and after each seek.
  case restarted
  case ended(entry: Int, End)
  case property(MPVProperty)
  case complained(MPVComplaint)

  enum End: Equatable, Sendable {
    case atEnd
    case stopped
    /// The person has closed the window.
    case quit
    /// mpv's words for what was wrong.
    case failed(String)
    /// It was a list, which this entry took the place of.
    case replaced(byEntry: Int)
  }

  /// Understands a line; nil for what we have no use for, and for what is no such line.
  init?(line: [UInt8]) {
    guard let object = JSONObject(line, 0..<line.count) else { return nil }
    if let event = object["event"]?.string {
      self.init(event: event, object)
    } else if let number = object["request_id"]?.integer, let result = object["error"]?.string {
      self =
        result == "success"
        ? .answered(number: number, entry: object["data"]?.object?["playlist_entry_id"]?.integer)
        : .refused(number: number, reason: result)
    } else {
      return nil
    }
  }

  private init?(event: String, _ object: JSONObject) {
    switch event {
    case "start-file":
      guard let entry = object["playlist_entry_id"]?.integer else { return nil }
      self = .started(entry: entry)
    case "playback-restart": self = .restarted
    case "end-file":
      guard let entry = object["playlist_entry_id"]?.integer else { return nil }
      self = .ended(entry: entry, End(object))
    case "property-change":
      guard let property = MPVProperty(object) else { return nil }
      self = .property(property)
    case "log-message":
      guard let complaint = MPVComplaint(object["text"]?.string ?? "") else { return nil }
      self = .complained(complaint)
    default: return nil
    }
  }
}

extension MPVMessage.End {
  fileprivate init(_ object: JSONObject) {
    switch object["reason"]?.string {
    case "eof": self = .atEnd
    case "quit": self = .quit
    case "error": self = .failed(object["file_error"]?.string ?? "")
    case "redirect": self = object["playlist_insert_id"]?.integer.map { .replaced(byEntry: $0) } ?? .failed("")
    default: self = .stopped
    }
  }
}
