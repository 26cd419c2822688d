import Foundation
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct PowerSupplyTests {
  /// Returns whether a supply with these files counts as nearly empty.
  private func isLow(_ files: [String: String]) async throws -> Bool {
    try await withFolder { folder in
      for (name, text) in files {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data("\(text)\n".utf8).write(to: URL(filePath: path))
      }
      return isBatteryLow(below: 20, in: folder)
    }
  }

  private func battery(_ status: String, _ capacity: String, scope: String? = nil) -> [String: String] {
    var files = ["BAT0/type": "Battery", "BAT0/status": status, "BAT0/capacity": capacity, "AC/type": "Mains"]
    files["BAT0/scope"] = scope
    return files
  }

  @Test func `a discharging battery below the limit is low`() async throws {
    #expect(try await isLow(battery("Discharging", "19")))
    #expect(try await !isLow(battery("Discharging", "20")))
    #expect(try await !isLow(battery("Charging", "5")))
  }

  @Test func `batteries of devices, unreadable values and machines without a battery are not low`() async throws {
    #expect(try await !isLow(battery("Discharging", "5", scope: "Device")))
    #expect(try await !isLow(battery("Discharging", "x")))
    #expect(try await !isLow(["AC/type": "Mains"]))
    #expect(!isBatteryLow(below: 20, in: "/nonexistent"))
  }
}
