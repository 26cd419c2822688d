import CFeedfall
import FeedfallSystem
import FeedfallText
import Glibc

/// A label and a random number. The label is the name of the host that the first program ran on, which may change
/// later, in containers and by DHCP.
enum DeviceName {
  private static let maximumHostLength = 32
  /// In bytes, of the file.
  private static let maximumLength = 100
  private static let fileName = "device"

  static func ofUser(inFolder folder: String) throws(SystemError) -> String {
    switch stored(inFolder: folder) {
    case .value(let name?): name
    case .unreadable(let error): throw error
    case .none, .value(nil): try store(earlier(inFolder: folder) ?? random(), inFolder: folder)
    }
  }

  static func known(inFolder folder: String) -> String? {
    if case .value(let name) = stored(inFolder: folder) { name } else { nil }
  }

  /// Returns the stored name, which may be that of another program.
  @discardableResult
  static func store(_ name: String, inFolder folder: String) throws(SystemError) -> String {
    try Files.makeFolder(folder, mode: 0o700)
    let path = "\(folder)/\(fileName)"
    let temporary = "\(path).\(name)"
    try Files.replace(temporary, with: Array("\(name)\n".utf8), mode: 0o600)
    defer { unlink(temporary) }
    // It never replaces the name that another program has just stored.
    if guard_rename_new(AT_FDCWD, temporary, path) != 0 {
      guard errno == EEXIST else { throw SystemError() }
      if case .value(nil) = stored(inFolder: folder), rename(temporary, path) != 0 { throw SystemError() }
    }
    Files.synchronizeFolder(of: path)
    guard case .value(let stored?) = stored(inFolder: folder) else { throw SystemError(EIO) }
    return stored
  }

  static func random() -> String {
    "\(hostName)-\(String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16))"
  }

  /// The value is nil if the file is damaged.
  private static func stored(inFolder folder: String, _ file: String = fileName) -> Reading<String?> {
    Files.stored("\(folder)/\(file)".utf8, limit: 1 << 20).map { bytes in
      guard bytes.last == UInt8(ascii: "\n"), (2...maximumLength).contains(bytes.count) else { return nil }
      let name = bytes.dropLast()
      return name.allSatisfy { isValid($0) } ? String(decoding: name, as: UTF8.self) : nil
    }
  }

  /// The name that an earlier version stored for this host, or else for another one.
  private static func earlier(inFolder folder: String) -> String? {
    let start = fileName + "-"
    let files = [start + hostName] + names(in: folder).filter { $0.hasPrefix(start) }
    return files.lazy.compactMap { file in
      if case .value(let name?) = stored(inFolder: folder, file) { name } else { nil }
    }.first
  }

  private static func names(in folder: String) -> [String] {
    if case .value(let names) = Files.names(in: folder) { names } else { [] }
  }

  private static var hostName: String {
    var system = utsname()
    guard uname(&system) == 0 else { return "device" }
    let bytes = withUnsafeBytes(of: system.nodename) { Array($0.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }) }
    let name = String(decoding: bytes.filter { isValid($0) }.prefix(maximumHostLength), as: UTF8.self)
    return name.isEmpty ? "device" : name.lowercased()
  }

  private static func isValid(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
  }
}
