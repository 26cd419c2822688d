import FeedfallRecords
import Foundation
import Testing

@testable import FeedfallProgram

protocol UserLogSuite {}

extension UserLogSuite {
  var key: VideoKey { VideoKey(text: "films.example 1") }

  func log(_ folder: String, state: String? = nil) -> UserLog {
    UserLog(folder: folder, stateFolder: state ?? folder)
  }

  func event(_ value: UserValue, key: String = "films.example 1", time: Int = 1_000) -> UserEvent {
    UserEvent(time: time, device: "other", key: VideoKey(text: key), value: value)
  }

  /// The path of the only log of a folder.
  func path(in folder: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
    return try "\(folder)/\(#require(names.first))"
  }

  func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
