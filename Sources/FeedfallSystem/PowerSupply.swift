import Glibc

/// Whether a battery discharges and has less than this percentage left (Linux,
/// Documentation/ABI/testing/sysfs-class-power). May block for some milliseconds.
package func isBatteryLow(below percent: Int, in root: String = "/sys/class/power_supply") -> Bool {
  let (maximumCount, maximumLength) = (64, 4_096)
  func text(of file: String, in supply: String) -> String? {
    guard let bytes = try? Files.read("\(root)/\(supply)/\(file)".utf8, limit: maximumLength) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
  guard case .value(let names) = Files.names(in: root) else { return false }
  return names.prefix(maximumCount).contains { name in
    // Those of mice and keyboards have the scope "Device".
    text(of: "type", in: name) == "Battery" && text(of: "scope", in: name) != "Device"
      && text(of: "status", in: name) == "Discharging"
      && text(of: "capacity", in: name).flatMap { Int($0) }.map { $0 < percent } == true
  }
}
