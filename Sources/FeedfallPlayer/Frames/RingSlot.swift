import CFeedfall
import FeedfallScreen
import WaterfallEngine

/// The checked place of a frame in the ring.
struct RingSlot: Equatable {
  let index: Int
  /// In pixels.
  let size: Size
  let entry: Int
  private let stride: Int
  private let start: Int

  /// Returns nil if the frame is not completely in its slot.
  init?(_ header: mpv_frame, ringByteCount: Int) {
    let slotByteCount = ringByteCount / Int(MPV_RING_SLOTS)
    let (width, height, stride) = (Int(header.width), Int(header.height), Int(header.stride))
    let (byteCount, isTooLarge) = stride.multipliedReportingOverflow(by: height)
    guard header.slot < MPV_RING_SLOTS, width > 0, height > 0, stride >= width * 3, !isTooLarge,
      byteCount <= slotByteCount
    else { return nil }
    index = Int(header.slot)
    size = Size(width: width, height: height)
    entry = Int(header.entry)
    self.stride = stride
    start = index * slotByteCount
  }

  /// Complexity: O(number of pixels).
  func frame(in ring: UnsafeRawBufferPointer) -> PixelBuffer? {
    let length = size.width * 3
    let bytes = [UInt8](unsafeUninitializedCapacity: length * size.height) { bytes, count in
      for y in 0..<size.height {
        let row = UnsafeRawBufferPointer(rebasing: ring[(start + y * stride)...].prefix(length))
        UnsafeMutableRawBufferPointer(bytes).baseAddress?.advanced(by: y * length)
          .copyMemory(from: row.baseAddress!, byteCount: length)
      }
      count = length * size.height
    }
    return PixelBuffer(size: size, bytes: bytes)
  }
}
