import FeedfallScreen
import FeedfallSystem
import Glibc
import WaterfallEngine

/// The image is transmitted and placed once; each further frame replaces its pixels, so that the placements stay and
/// nothing flickers. Where the terminal cannot do that, each frame is a new image over the last one, which is deleted
/// then. The visible parts of the region are one placement each.
struct KittyVideo {
  private let graphics = KittyGraphics()
  private var memory = SharedFrames()
  private var region: Canvas.VideoRegion?
  private var image: Image?
  /// The image before the last frame, which is still there if that is cut.
  private var previous: Image?
  private var lastNumber = 0
  /// Ends the last transmission as text; empty if there was none.
  private(set) var ending: [UInt8] = []
  private var frameCount = 0
  private var framesSinceLoss = Self.recovery
  /// Whether the terminal has lost the image twice in a short time; `retry` makes another attempt.
  private(set) var hasFailed = false
  /// Whether there is no shared memory for frames; `retry` makes another attempt.
  private(set) var lacksMemory = false

  struct Form: Equatable {
    /// Whether frames are passed in shared memory; otherwise they are encoded as text.
    var isShared: Bool
    /// Whether a frame can replace the pixels of the last one; otherwise it is a new image.
    var replacesPixels: Bool
  }

  private struct Image {
    var number: UInt32
    /// In pixels.
    var size: Size
    var placements: [KittyGraphics.Extent] = []
  }

  /// A terminal that loses images at shorter intervals, in frames, shows no video.
  private static let recovery = 90

  /// Other programs may remove the placements. Placing the image again changes nothing otherwise.
  private static let placementInterval = 30

  mutating func retry() { (framesSinceLoss, hasFailed, lacksMemory) = (Self.recovery, false, false) }

  var number: UInt32? { image?.number }

  var deletion: [UInt8]? { image.map { graphics.deletion(of: $0.number) } }
  var removal: [UInt8] { deletion.map { stringTerminator + $0 } ?? [] }

  /// Forgets the image and returns the bytes that delete it. The terminal still reads the frames before these.
  mutating func remove() -> [UInt8] {
    defer { image = nil }
    return removal
  }

  /// Forgets the image, which was removed or cleared, and removes frames that the terminal has not read.
  mutating func reset() {
    image = nil
    previous = nil
    memory.removeAll()
  }

  /// Returns the bytes that delete the image if it is lost; then the frame must be painted again.
  mutating func handleError(number: Int) -> [UInt8]? {
    guard let image, image.number == number else { return nil }
    return lose()
  }

  /// The image is lost if a processed frame's object is unread. Returns the bytes that delete it then.
  mutating func handleProgress(frameCount: Int) -> [UInt8]? {
    guard memory.hasUnread(before: frameCount) else { return nil }
    guard image != nil else {
      memory.removeAll()
      return nil
    }
    return lose()
  }

  /// Another program has cleared the screen, or the terminal has evicted the image. It may still be there, if only its last frame has failed.
  private mutating func lose() -> [UInt8] {
    defer {
      reset()
      (hasFailed, framesSinceLoss) = (framesSinceLoss < Self.recovery, 0)
    }
    return removal
  }

  mutating func setRegion(_ new: Canvas.VideoRegion?) -> [UInt8] {
    region = new
    guard new == nil else { return place() }
    return remove()
  }

  /// Nil if the terminal has not read the previous frames, or without shared memory. `index`: how many frames the
  /// terminal will have processed before this one.
  mutating func paint(_ frame: PixelBuffer, index: Int, as form: Form) -> OutputParts? {
    guard region != nil else { return nil }
    let replaced = form.replacesPixels && image?.size == frame.size ? image : nil
    let next = (lastNumber + 1) % 8
    let number = replaced?.number ?? Self.number(next)
    guard var parts = transmission(of: frame, index: index, number: number, replaces: replaced != nil, as: form)
    else { return nil }
    framesSinceLoss += 1
    ending = parts.ending
    previous = image
    if replaced != nil {
      frameCount = (frameCount + 1) % Self.placementInterval
      if frameCount == 0 { parts.extend(by: place(again: true)) }
    } else {
      // The new image covers the old one before that is deleted.
      let deletion = image.map { graphics.deletion(of: $0.number) } ?? []
      image = Image(number: number, size: frame.size)
      lastNumber = next
      frameCount = 0
      parts.extend(by: place() + deletion)
    }
    return parts
  }

  private mutating func transmission(
    of frame: PixelBuffer, index: Int, number: UInt32, replaces: Bool, as form: Form
  ) -> OutputParts? {
    guard form.isShared else { return graphics.frame(frame, number: number, replaces: replaces) }
    guard memory.hasRoom else { return nil }
    guard let name = memory.write(frame.bytes, index: index) else {
      lacksMemory = true
      return nil
    }
    return OutputParts(bytes: graphics.frame(of: frame.size, number: number, sharedName: name, replaces: replaces))
  }

  /// The terminal still has the previous image.
  mutating func cut() { image = previous }

  /// `again`: whether to repeat the placements that are right.
  private mutating func place(again: Bool = false) -> [UInt8] {
    guard let image, let region else { return [] }
    let wanted = region.parts.prefix(PlacedPicture.maximumParts).map {
      KittyGraphics.Extent(source: $0.pixels(of: image.size, over: region.frame), cells: $0)
    }
    guard again || wanted != image.placements else { return [] }
    var bytes: [UInt8] = []
    for (index, placement) in wanted.enumerated()
    where again || !image.placements.indices.contains(index) || image.placements[index] != placement {
      bytes += graphics.placement(of: image.number, placement: index + 1, placement)
    }
    for index in image.placements.indices.dropFirst(wanted.count) {
      bytes += graphics.removal(of: image.number, placement: index + 1)
    }
    self.image?.placements = wanted
    return bytes
  }

  /// Returns a number that covers do not use. The last ones are not reused at once, because their deletion may be
  /// pending.
  private static func number(_ index: Int) -> UInt32 {
    let salt = UInt32(max(1, UInt8(truncatingIfNeeded: getpid())))
    return salt << 16 | (salt ^ 0x5A) << 8 | UInt32(KittyPictures.Name.count + index)
  }

  /// POSIX shared memory that passes pixels to a terminal on the same machine, which removes each object it has read.
  /// Each is locked while this process runs, so that other programs recognize objects left by a crash, also in another
  /// container, where they do not see this process.
  struct SharedFrames {
    private var count = 0
    /// The objects that the terminal may not have read yet, oldest first.
    private var objects: [Object] = []

    private struct Object {
      var name: String
      /// Holds the lock.
      var file: Int32
      var index: Int

      var isRead: Bool {
        var facts = stat()
        return fstat(file, &facts) == 0 && facts.st_nlink == 0
      }
    }

    /// A terminal that leaves more unread is too slow.
    static let maximumUnread = 3
    private static let prefix = "feedfall-"
    /// Names that another process uses are skipped, at most this many: processes of two containers may have the same
    /// number.
    private static let maximumAttempts = 32
    /// Where glibc and musl keep the objects.
    private static let folder = "/dev/shm"

    var hasRoom: Bool { objects.count { !$0.isRead } < Self.maximumUnread }

    /// Returns the name of a new object; nil if it cannot be created. `index` increases with each frame.
    mutating func write(_ bytes: [UInt8], index: Int = 0) -> String? {
      removeReadObjects()
      guard let (name, file) = create() else { return nil }
      guard flock(file, LOCK_EX | LOCK_NB) == 0, (try? Files.write(bytes[...], to: file)) != nil else {
        shm_unlink(name)
        close(file)
        return nil
      }
      objects.append(Object(name: name, file: file, index: index))
      return name
    }

    private mutating func create() -> (name: String, file: Int32)? {
      for _ in 0..<Self.maximumAttempts {
        count += 1
        let name = "/\(Self.prefix)\(getpid())-\(count)"
        let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        if file >= 0 { return (name, file) }
        guard errno == EEXIST else { return nil }
      }
      return nil
    }

    var areAllRead: Bool { !objects.isEmpty && objects.allSatisfy(\.isRead) }

    func hasUnread(before index: Int) -> Bool { objects.contains { $0.index < index && !$0.isRead } }

    private mutating func removeReadObjects() {
      let read = objects.filter(\.isRead)
      guard !read.isEmpty else { return }
      for object in read { close(object.file) }
      objects.removeAll { object in read.contains { $0.file == object.file } }
    }

    mutating func removeAll() {
      for object in objects {
        if !object.isRead { shm_unlink(object.name) }
        close(object.file)
      }
      objects = []
    }

    static func removeLeftovers() {
      guard let entries = opendir(folder) else { return }
      defer { closedir(entries) }
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if isObject(name) { removeUnlocked("/\(name)") }
      }
    }

    private static func removeUnlocked(_ name: String) {
      let file = shm_open(name, O_RDWR, 0)
      guard file >= 0 else { return }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { shm_unlink(name) }
    }

    private static func isObject(_ name: String) -> Bool {
      let parts = name.dropFirst(prefix.utf8.count).split(separator: "-", omittingEmptySubsequences: false)
      return name.hasPrefix(prefix) && parts.count == 2 && parts.allSatisfy { UInt($0) != nil }
    }
  }

  /// Any answer confirms the protocol. The terminal reads shared memory if the answer says so and the object is gone.
  struct Proof {
    private var objects = SharedFrames()
    private var isAsked = false
    /// Nil while the protocol is not confirmed; false if pixels must be transmitted as text.
    private(set) var isShared: Bool?

    var canQuery: Bool { !isAsked && isShared == nil }

    /// The number of the image in the query, which the answer repeats.
    static let number = 31
    /// An object that does not exist. The answer is an error then, which confirms the protocol.
    private static let missingName = "/feedfall-none"

    mutating func query() -> [UInt8] {
      guard canQuery else { return [] }
      SharedFrames.removeLeftovers()
      isAsked = true
      return KittyGraphics().sharedQuery(objects.write([0, 0, 0]) ?? Self.missingName, number: Self.number)
    }

    mutating func handleAnswer(number: Int, isOK: Bool) {
      guard isAsked, number == Self.number else { return }
      (isAsked, isShared) = (false, isOK && objects.areAllRead)
      objects.removeAll()
    }

    /// Removes an object that the terminal has not read. A query without an answer can be repeated then.
    mutating func end() {
      objects.removeAll()
      isAsked = false
    }
  }
}
