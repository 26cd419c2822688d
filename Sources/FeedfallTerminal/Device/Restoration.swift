import CFeedfall

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

  /// The images that the terminal may store.
  ///
  /// The state of the program is ahead of the bytes that are written. Therefore a deleted image stays in the set, and the end
  /// of a transmission is always repeated: without it, the next command would be read as part of the pixels.
  struct SentImages {
    private var known: Set<[UInt8]> = []
    private var deletions: [UInt8] = []
    private var transmissionEnd: [UInt8] = []

    /// The bytes that end a transmission and delete all images.
    var removal: [UInt8] { known.isEmpty ? [] : stringTerminator + transmissionEnd + deletions }

    /// Adds images that are about to be sent, by the bytes that delete them.
    mutating func add(_ new: [[UInt8]], by graphics: KittyGraphics) {
      for deletion in new where known.insert(deletion).inserted { deletions += deletion }
      transmissionEnd = graphics.transmissionEnd
    }
  }
}
