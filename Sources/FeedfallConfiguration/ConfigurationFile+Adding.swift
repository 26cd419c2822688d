import FeedfallFeeds
import Glibc

extension ConfigurationFile {
  /// Adds feeds to the file, which is made where there is none: either all of them or nothing is written.
  public func add(_ feeds: [SubscriptionList.Feed]) throws(ConfigurationFault) -> Addition {
    let addition = try Configuration.adding(feeds, to: try bytes() ?? [])
    if !addition.added.isEmpty { try write(addition.bytes) }
    return addition
  }

  /// Puts a whole new file in the place of the old one. A link goes on to lead to it.
  private func write(_ bytes: [UInt8]) throws(ConfigurationFault) {
    makeFolders()
    let target = resolved ?? path
    var facts = stat()
    let mode = stat(target, &facts) == 0 ? facts.st_mode & 0o777 : 0o644
    let temporary = "\(target).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw .unwritten() }
    let isWhole = fchmod(descriptor, mode) == 0 && Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
    let trouble = errno
    close(descriptor)
    guard isWhole else {
      unlink(temporary)
      throw .unwritten(trouble)
    }
    guard rename(temporary, target) == 0 else {
      let trouble = errno
      unlink(temporary)
      throw .unwritten(trouble)
    }
    Self.syncFolder(of: target)
  }

  /// The file that the path leads to in the end; nil where there is none.
  private var resolved: String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Where one cannot be made, writing the file tells why.
  private func makeFolders() {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// So that the new name outlives a failure of the power.
  private static func syncFolder(of path: String) {
    guard let end = path.lastIndex(of: "/") else { return }
    let descriptor = open(String(path[...end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension ConfigurationFault {
  fileprivate static func unwritten(_ trouble: Int32 = errno) -> ConfigurationFault {
    ConfigurationFault(at: nil, "it could not be written: \(String(cString: strerror(trouble))); nothing is changed")
  }
}
