import FeedfallSystem
import Glibc

enum ScreenshotFile {
  struct Failure: Error, Equatable {
    var reason: String
  }

  /// The user's folder for pictures (xdg-user-dirs), or else the home folder.
  static var defaultFolder: String? {
    let environment = Environment.process
    guard let home = environment.home else { return nil }
    let configured = environment.userFolder("XDG_PICTURES_DIR")
    return [configured, "\(home)/Pictures"].compactMap { $0 }.first(where: isWritableFolder) ?? home
  }

  /// Creates an empty file named after the time, and numbered if there is one of the same second.
  static func create(in folder: String?, at time: time_t = time(nil)) throws(Failure) -> String {
    guard let folder else { throw Failure(reason: "HOME is not set") }
    let name = "\(folder)/feedfall \(timestamp(time))"
    for number in 1...100 {
      let path = number == 1 ? "\(name).png" : "\(name) \(number).png"
      let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        close(descriptor)
        return path
      }
      guard errno == EEXIST else { throw Failure(reason: SystemError().message) }
    }
    throw Failure(reason: "too many in one second")
  }

  static func remove(_ path: String) { unlink(path) }

  /// As in `2026-11-21 13.37.05`, in local time.
  private static func timestamp(_ time: time_t) -> String {
    var time = time
    var parts = tm()
    localtime_r(&time, &parts)
    func two(_ number: Int32) -> String { String(String(100 + Int(number) % 100).dropFirst()) }
    let day = "\(1900 + Int(parts.tm_year))-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(day) \(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
  }

  private static func isWritableFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR && access(path, W_OK) == 0
  }
}
