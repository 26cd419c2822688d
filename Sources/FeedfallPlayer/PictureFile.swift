import FeedfallFeeds
import FeedfallSystem
import Glibc

/// A new file for a picture that a person keeps.
enum PictureFile {
  /// The person's own folder for pictures, else the home.
  static var usualFolder: String? {
    let environment = Environment.process
    guard let home = environment.home else { return nil }
    let named = environment["XDG_PICTURES_DIR"] ?? namedFolder(home: home)
    return [named, "\(home)/Pictures"].compactMap { $0 }.first(where: isFolder) ?? home
  }

  /// Makes an empty file that was not there before; a second one in the same second gets a number.
  static func make(in folder: String?, at time: time_t = time(nil)) -> Result<String, PictureFileError> {
    guard let folder else { return .failure(PictureFileError(reason: "there is no folder for it")) }
    let name = "\(folder)/feedfall \(stamp(time))"
    for number in 1...100 {
      let path = number == 1 ? "\(name).png" : "\(name) \(number).png"
      let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        close(descriptor)
        return .success(path)
      }
      guard errno == EEXIST else { return .failure(PictureFileError(reason: SystemError().message)) }
    }
    return .failure(PictureFileError(reason: "there are too many from this second"))
  }

  /// Takes one away that no picture came into.
  static func discard(_ path: String) { unlink(path) }

  /// As in `2026-11-21 13.37.05`.
  private static func stamp(_ time: time_t) -> String {
    var time = time
    var parts = tm()
    localtime_r(&time, &parts)
    func two(_ number: Int32) -> String { String(String(100 + Int(number) % 100).dropFirst()) }
    let day = "\(1900 + Int(parts.tm_year))-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(day) \(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR && access(path, W_OK) == 0
  }

  /// As in `XDG_PICTURES_DIR="$HOME/Bilder"` of xdg-user-dirs.
  private static func namedFolder(home: String) -> String? {
    let folder = Environment.process.configurationFolder ?? "\(home)/.config"
    guard let bytes = try? Files.read("\(folder)/user-dirs.dirs".utf8, limit: 64 << 10) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").lazy
      .compactMap { namedFolder(inLine: String($0), home: home) }.first
  }

  static func namedFolder(inLine line: String, home: String) -> String? {
    guard line.hasPrefix("XDG_PICTURES_DIR=\"") else { return nil }
    let value = line.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
    if value.hasPrefix("$HOME/") { return home + value.dropFirst(5) }
    return value.hasPrefix("/") ? String(value) : nil
  }
}

/// Why there is no file.
struct PictureFileError: Error, Equatable {
  var reason: String
}
