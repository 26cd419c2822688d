import FeedfallApp
import FeedfallSystem

/// A file of this device. Without it, or if it is damaged, the program starts with the first tab.
extension ShownPlace {
  private static func path(inFolder folder: String) -> String { folder + "/shown" }

  init?(inFolder folder: String) {
    guard let bytes = try? Files.readOwn(Self.path(inFolder: folder), limit: Self.maximumLength),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init(text: text)
  }

  func write(inFolder folder: String) {
    _ = try? Files.makeFolder(folder, mode: 0o700)
    try? Files.replace(Self.path(inFolder: folder), with: Array(text.utf8), mode: 0o600)
  }
}
