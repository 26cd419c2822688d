import Glibc

/// The batteries of the machine (Linux, Documentation/ABI/testing/sysfs-class-power).
package struct PowerSupply: Sendable {
  private let root: String

  private static let maximumCount = 64
  private static let maximumLength = 4096

  /// - Parameter root: the folder with a folder for each power supply.
  package init(root: String = "/sys/class/power_supply") { self.root = root }

  /// Returns whether a battery of the machine discharges and has less than this percentage left. May block for some
  /// milliseconds.
  package func isLow(below percent: Int) -> Bool {
    names.contains { name in
      // Those of mice and keyboards have the scope "Device".
      text(of: "type", in: name) == "Battery" && text(of: "scope", in: name) != "Device"
        && text(of: "status", in: name) == "Discharging"
        && text(of: "capacity", in: name).flatMap { Int($0) }.map { $0 < percent } == true
    }
  }

  private var names: [String] {
    guard let stream = opendir(root) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < Self.maximumCount, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private func text(of file: String, in supply: String) -> String? {
    guard let bytes = try? Files.read("\(root)/\(supply)/\(file)".utf8, limit: Self.maximumLength) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
