import FeedfallRecords
import FeedfallText
import Synchronization

extension ProgramDownload {
  /// Reads the progress that a program prints, and the messages that show whether a stream is complete.
  final class Reader: Sendable {
    enum Language: Sendable { case ytDlp, ffmpeg }

    struct Gap: Equatable, Sendable {
      /// The message of the program; nil if the stream is only shorter than its list states.
      var message: String?
    }

    private struct State {
      var output = LineSplitter(maximumLength: 4_096)
      var errors = LineSplitter(maximumLength: 4_096)
      var shortage: DownloadFailure?
      var lastError: String?
      var gapMessage: String?
      /// In seconds, as the list of the stream states.
      var statedDuration: Double?
      /// In seconds, of the file so far.
      var duration: Double?
    }

    private let language: Language
    private let report: @Sendable (DownloadProgress) -> Void
    private let findShortage: @Sendable () -> DownloadFailure?
    private let state = Mutex(State())

    /// Messages of ffmpeg about a part of a stream that it skips (hls.c, dashdec.c, http.c).
    private static let gapMessages = [
      "Failed to open segment", "Failed to open fragment", "Failed to open an initialization section",
      "Stream ends prematurely", "failed too many times", "segments ahead, expired from playlist",
      // A connection that is reset within a segment is noticed only by its last packet (mpegts.c).
      "PES packet size mismatch",
    ]

    init(
      _ language: Language, report: @escaping @Sendable (DownloadProgress) -> Void,
      findShortage: @escaping @Sendable () -> DownloadFailure?
    ) {
      (self.language, self.report, self.findShortage) = (language, report, findShortage)
    }

    var shortage: DownloadFailure? { state.withLock { $0.shortage } }
    var lastError: String? { state.withLock { $0.lastError } }

    /// Nil for a stream that is complete as far as the program has said.
    var gap: Gap? {
      state.withLock { state in
        if let message = state.gapMessage { return Gap(message: message) }
        guard let stated = state.statedDuration, let duration = state.duration else { return nil }
        return DownloadTools.isTooShort(duration, stated: stated) ? Gap(message: nil) : nil
      }
    }

    // MARK: - Output

    /// Returns false if the disk has no space.
    func read(_ output: ArraySlice<UInt8>) -> Bool {
      let progress = state.withLock { state in
        state.output.lines(in: output).reduce(nil as DownloadProgress?) { parse($1, &state) ?? $0 }
      }
      if let progress { report(progress) }
      guard let shortage = findShortage() else { return true }
      state.withLock { $0.shortage = shortage }
      return false
    }

    private func parse(_ line: [UInt8], _ state: inout State) -> DownloadProgress? {
      switch language {
      case .ytDlp:
        let numbers = Self.numbers(line[...])
        guard numbers.count == 3, let count = numbers[0] else { return nil }
        return DownloadProgress(byteCount: count, totalByteCount: numbers[1] ?? numbers[2])
      case .ffmpeg:
        if let microseconds = Self.number("out_time_us=", line) { state.duration = Double(microseconds) / 1_000_000 }
        return Self.number("total_size=", line).map { DownloadProgress(byteCount: $0) }
      }
    }

    private static func number(_ name: StaticString, _ line: [UInt8]) -> Int? {
      let name = Array(name.description.utf8)
      return line.starts(with: name) ? numbers(line.dropFirst(name.count)).first ?? nil : nil
    }

    private static func numbers(_ line: ArraySlice<UInt8>) -> [Int?] {
      String(decoding: line, as: UTF8.self).split(separator: " ").map { word in
        Double(word).flatMap { $0.isFinite && (0..<1e15).contains($0) ? Int($0) : nil }
      }
    }

    // MARK: - Messages

    /// Always returns true: messages end no download.
    func readErrors(_ output: ArraySlice<UInt8>) -> Bool {
      state.withLock { state in
        for line in state.errors.lines(in: output) where !line.isEmpty {
          handle(String(decoding: line, as: UTF8.self), &state)
        }
      }
      return true
    }

    private func handle(_ line: String, _ state: inout State) {
      guard language == .ffmpeg else {
        state.lastError = line
        return
      }
      if let stated = Self.statedDuration(line) { state.statedDuration = state.statedDuration ?? stated }
      let levels = ["[error] ", "[fatal] ", "[panic] "]
      if let level = levels.first(where: line.contains) { state.lastError = line.replacing(level, with: "") }
      if state.gapMessage == nil, Self.gapMessages.contains(where: line.contains) {
        state.gapMessage = line.split(separator: "] ").last.map { String($0) }
      }
    }

    /// The seconds in a line such as `[info]   Duration: 00:01:30.50, start: 0.000000`.
    private static func statedDuration(_ line: String) -> Double? {
      let words = line.split(separator: " ")
      guard words.count > 2, words[0] == "[info]", words[1] == "Duration:" else { return nil }
      let parts = words[2].split { $0 == ":" || $0 == "," }.map { Double($0) }
      guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
      return hours * 3_600 + minutes * 60 + seconds
    }
  }
}
