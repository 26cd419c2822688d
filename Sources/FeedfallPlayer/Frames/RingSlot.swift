import CFeedfall
import FeedfallScreen
import WaterfallEngine

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

extension Rect {
  /// The rectangle that mpv scales a picture of these proportions to, with mpv's rounding (`aspect.c`).
  init(letterboxing proportions: Size, in frame: Size) {
    guard proportions.width > 0, proportions.height > 0 else {
      self.init(origin: .zero, size: frame)
      return
    }
    // In single precision, as in mpv.
    func scaled(_ known: Int, _ numerator: Int, _ denominator: Int) -> Int {
      Int(min(Float(known) / Float(numerator) * Float(denominator), Float(Int32.max)))
    }
    var size = frame
    size.height = scaled(frame.width, proportions.width, proportions.height)
    if size.height > frame.height {
      size = Size(width: scaled(frame.height, proportions.height, proportions.width), height: frame.height)
    }
    size = Size(width: min(max(size.width, 1), frame.width), height: min(max(size.height, 1), frame.height))
    self.init(
      x: (frame.width - size.width) / 2, y: (frame.height - size.height) / 2, width: size.width, height: size.height)
  }
}
