import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct DeviceNameTests {
  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  @Test func `a device keeps its name, and a damaged one is replaced`() async throws {
    try await withFolder { folder in
      let names = try [0, 1].map { _ in try DeviceName.ofUser(inFolder: folder) }
      #expect(names[0] == names[1])
      #expect(try self.names(in: folder) == ["device"])
      for damage in ["", "../../name\n", "torn", String(repeating: "a", count: 1_000) + "\n"] {
        try write(damage, to: folder + "/device")
        let name = try DeviceName.ofUser(inFolder: folder)
        #expect(name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
        #expect(try DeviceName.ofUser(inFolder: folder) == name)
      }
    }
  }

  @Test func `the name stays when the host gets another one`() async throws {
    try await withFolder { folder in
      try write("other-host-12345678\n", to: folder + "/device")
      #expect(try DeviceName.ofUser(inFolder: folder) == "other-host-12345678")
    }
  }

  @Test func `the name that an earlier version stored for a host is adopted`() async throws {
    try await withFolder { folder in
      try write("zebra-12345678\n", to: folder + "/device-zebra")
      #expect(try DeviceName.ofUser(inFolder: folder) == "zebra-12345678")
      try write("apple-12345678\n", to: folder + "/device-apple")
      #expect(try DeviceName.ofUser(inFolder: folder) == "zebra-12345678")
    }
  }

  @Test func `without room for the name nothing is written, and the marks are written later`() async throws {
    try await withFolder { folder in
      let state = folder + "/state"
      try write("", to: state)
      let log = UserLog(folder: folder + "/logs", stateFolder: state)
      log.add([UserEvent(time: 1, device: "", key: VideoKey(text: "a"), value: .flag(.starred, true))])
      #expect(log.write()?.hasSuffix(": Not a directory") == true && log.pendingCount == 1)
      #expect(!Files.exists(folder + "/logs"))
      unlink(state)
      #expect(log.write() == nil && log.pendingCount == 0)
      #expect(try DeviceName.ofUser(inFolder: state) == log.device)
      #expect(try names(in: folder + "/logs") == ["\(log.device).jsonl"])
    }
  }

  @Test func `programs that start at once agree on a name`() async throws {
    try await withFolder { folder in
      let names = await withTaskGroup(of: String?.self) { group in
        for _ in 0..<8 { group.addTask { try? DeviceName.ofUser(inFolder: folder) } }
        return await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(names.count == 1 && !names.contains(nil))
    }
  }
}
