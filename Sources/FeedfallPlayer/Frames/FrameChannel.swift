import CFeedfall
import FeedfallSystem
import Glibc

/// The channel through which a new process sends its frames.
protocol FrameChannel {
  /// Returns the descriptors that the process gets, from 0 on.
  ///
  /// - Parameter socket: the process's end of the connection to mpv.
  func files(socket: Int32) -> [Int32]

  /// Closes the process's ends. Call it once the process has started.
  mutating func closeOtherEnds()

  /// Starts a thread that reads frames until the process has ended. Returns false if no thread could be created.
  ///
  /// - Parameter flooded: is posted when the process sends more than any video needs, or something else than frames;
  ///   then the reading ends.
  mutating func startReading(into frames: FrameBox, flooded: WakeUp) -> Bool

  /// Closes the remaining descriptors.
  mutating func close()
}

/// The channel of the program: a pipe with its output for terminals.
struct FramePipe: FrameChannel {
  private var reading: Int32
  private var writing: Int32

  /// Returns nil if the process has no descriptors left; `errno` has the reason.
  init?() {
    guard let pipe = makePipe() else { return nil }
    (reading, writing) = pipe
  }

  func files(socket: Int32) -> [Int32] { [Int32(GUARD_NULL), writing, Int32(GUARD_NULL), socket] }

  mutating func closeOtherEnds() { closeDescriptor(&writing) }

  mutating func startReading(into frames: FrameBox, flooded: WakeUp) -> Bool {
    guard FrameReader.start(pipe: reading, frames, flooded: flooded) else { return false }
    // The thread closes it.
    reading = -1
    return true
  }

  mutating func close() {
    closeDescriptor(&reading)
    closeDescriptor(&writing)
  }
}

/// Closes a descriptor, unless it is -1, and sets it to -1.
func closeDescriptor(_ descriptor: inout Int32) {
  if descriptor >= 0 { close(descriptor) }
  descriptor = -1
}
