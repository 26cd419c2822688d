import Foundation
import TestSupport

/// A folder as `CFeedfallRecorder` has recorded it: its content after each change, and what a crash leaves of it.
struct RecordedDisk {
  /// The data that a crash destroys.
  enum Crash: CaseIterable {
    /// The program is killed; the last write is complete.
    case killed
    /// The program is killed in the last write.
    case killedWhileWriting
    /// The power fails: only synchronized data remains.
    case powerCut
    /// The power fails after the names of files were written, but before their content.
    case powerCutWithNames
    /// As above, with half of the content.
    case powerCutWithHalf
    /// As above, with zeros in place of the content.
    case powerCutWithZeros
  }

  private enum Entry: Equatable {
    case folder
    case file(Int)
  }

  private struct File {
    var bytes = Data()
    /// The bytes when the file was synchronized last.
    var durable = Data()
    /// When the bytes were written last; nil for a file of the start.
    var time: timespec?
  }

  private var files: [File] = []
  /// The places in `files` by the numbers that the system has given them, which it uses again.
  private var numbers: [Int: Int] = [:]
  private var entries: [String: Entry] = [:]
  private var durableEntries: [String: Entry] = [:]
  /// The last change if it was a write.
  private var lastWrite: (file: Int, before: Data)?

  /// A folder with synchronized files, which are on a disk.
  init(_ content: [String: Data?], in folder: String) {
    for (path, bytes) in content {
      guard let bytes else {
        entries[path] = .folder
        continue
      }
      entries[path] = .file(files.count)
      var status = stat()
      if stat("\(folder)/\(path)", &status) == 0 { numbers[Int(status.st_ino)] = files.count }
      files.append(File(bytes: bytes, durable: bytes))
    }
    durableEntries = entries
  }

  mutating func apply(_ line: String) throws {
    let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    lastWrite = nil
    switch words[0] {
    case "mkdir": entries[words[1]] = .folder
    case "create":
      numbers[try number(words[1])] = files.count
      entries[words[2]] = .file(files.count)
      files.append(File())
    case "write": try write(words)
    case "truncate":
      let (file, size) = (try file(words[1]), try number(words[2]))
      files[file].bytes = (files[file].bytes + Data(count: size)).prefix(size)
      if words.count > 4 { files[file].time = try timespec(tv_sec: number(words[3]), tv_nsec: number(words[4])) }
    case "sync":
      let file = try file(words[1])
      files[file].durable = files[file].bytes
    case "rename": entries[words[2]] = entries.removeValue(forKey: words[1])
    case "link": entries[words[2]] = entries[words[1]]
    case "unlink": entries[words[1]] = nil
    case "syncfolder":
      durableEntries = durableEntries.filter { Self.folder(of: $0.key) != words[1] }
        .merging(entries.filter { Self.folder(of: $0.key) == words[1] }) { $1 }
    default: throw TestFailure("the record has the line \(line.prefix(80))")
    }
  }

  private func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw TestFailure("the record has the number \(word)") }
    return number
  }

  private func file(_ word: String) throws -> Int {
    guard let file = numbers[try number(word)] else { throw TestFailure("the record lacks the file \(word)") }
    return file
  }

  private mutating func write(_ words: [String]) throws {
    let (file, offset) = (try file(words[1]), try number(words[2]))
    let digits = Array(words[3].utf8).map { $0 <= UInt8(ascii: "9") ? $0 - 48 : $0 - 87 }
    let new = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    var bytes = files[file].bytes
    lastWrite = (file, bytes)
    if bytes.count < offset + new.count { bytes += Data(count: offset + new.count - bytes.count) }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
    files[file].bytes = bytes
    files[file].time = try timespec(tv_sec: number(words[4]), tv_nsec: number(words[5]))
  }

  /// Sets the times of the last writes to the files of a rebuilt folder, by which the program knows its files.
  func setTimes(in folder: String) {
    for (path, entry) in entries {
      guard case .file(let file) = entry, let time = files[file].time else { continue }
      var times = [time, time]
      utimensat(AT_FDCWD, "\(folder)/\(path)", &times, 0)
    }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The content of each file after a crash, nil for a folder, by the path.
  func content(after crash: Crash) -> [String: Data?] {
    let left = crash == .powerCut ? durableEntries : entries
    let reachable = left.filter { path, _ in
      var folder = Self.folder(of: path)
      while !folder.isEmpty {
        guard left[folder] == .folder else { return false }
        folder = Self.folder(of: folder)
      }
      return true
    }
    return reachable.mapValues { entry in if case .file(let file) = entry { bytes(of: file, after: crash) } else { nil }
    }
  }

  private func bytes(of file: Int, after crash: Crash) -> Data {
    let (bytes, durable) = (files[file].bytes, files[file].durable)
    let isAppended = bytes.prefix(durable.count) == durable
    switch crash {
    case .killed: return bytes
    case .killedWhileWriting:
      guard let (last, before) = lastWrite, last == file, bytes.prefix(before.count) == before else { return bytes }
      return bytes.prefix((before.count + bytes.count) / 2)
    case .powerCut, .powerCutWithNames: return durable
    case .powerCutWithHalf: return isAppended ? bytes.prefix((durable.count + bytes.count) / 2) : durable
    case .powerCutWithZeros:
      return isAppended ? durable + Data(count: bytes.count - durable.count) : durable
    }
  }
}

extension [String: Data?] {
  func write(to folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in keys.sorted() {
      if let bytes = self[path] ?? nil {
        try bytes.write(to: URL(filePath: "\(folder)/\(path)"))
      } else {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
      }
    }
  }
}
