import CFeedfallGuard

/// The bytes that hand the terminal back.
struct Restoration: Equatable {
  /// Removes pictures. The crash handler leaves it out if there is no room.
  var removal: [UInt8] = []
  var restore: [UInt8] = []

  var bytes: [UInt8] { removal + restore }

  /// Makes the crash handler write the bytes and restore the device's modes.
  func arm(_ device: TerminalDevice) {
    var modes = device.cookedModes
    removal.withUnsafeBytes { removal in
      restore.withUnsafeBytes { restore in
        _ = guard_arm(device.output, &modes, removal.baseAddress, removal.count, restore.baseAddress, restore.count)
      }
    }
  }
}
