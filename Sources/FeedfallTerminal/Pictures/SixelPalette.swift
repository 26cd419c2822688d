import FeedfallScreen

/// Reduces a picture's colors to a palette: the mean colors of boxes found by median cut (Heckbert 1982), over
/// colors of five bits a channel.
struct SixelPalette {
  private(set) var colors: [RGB] = []
  /// Maps each color of five bits a channel to its index in `colors`.
  private(set) var indices = [UInt8](repeating: 0, count: 1 << 15)

  /// - Parameters:
  ///   - bins: the colors of the picture's pixels, five bits a channel.
  ///   - count: the maximum number of colors, at most 256.
  init(bins: [UInt16], count: Int) {
    var weights = [UInt32](repeating: 0, count: 1 << 15)
    for bin in bins { weights[Int(bin)] += 1 }
    var used = (0..<1 << 15).filter { weights[$0] > 0 }.map { UInt16($0) }
    var boxes = [Box(used.indices, of: used, weights)]
    while boxes.count < min(count, 256),
      let index = boxes.indices.filter({ boxes[$0].span > 0 }).max(by: { boxes[$0].urgency < boxes[$1].urgency })
    {
      let (one, other) = boxes[index].halves(&used, weights)
      boxes[index] = one
      boxes.append(other)
    }
    for (index, box) in boxes.enumerated() {
      colors.append(box.mean(of: used, weights))
      for bin in used[box.range] { indices[Int(bin)] = UInt8(index) }
    }
  }

  /// A range of colors in the sorted list.
  private struct Box {
    var range: Range<Int>
    /// The lowest bit of the channel with the widest range of values.
    private var shift: UInt16 = 0
    /// The width of that range; 0 for a single color.
    private(set) var span: UInt16 = 0
    private var weight: UInt32 = 0

    /// The gain of splitting the box: larger for wide boxes and for many pixels.
    var urgency: UInt64 { UInt64(span) * UInt64(span) * UInt64(weight) }

    init(_ range: Range<Int>, of colors: [UInt16], _ weights: [UInt32]) {
      self.range = range
      var least: [UInt16] = [31, 31, 31]
      var most: [UInt16] = [0, 0, 0]
      for color in colors[range] {
        weight += weights[Int(color)]
        for channel in 0..<3 {
          let value = color >> (5 * UInt16(channel)) & 31
          least[channel] = min(least[channel], value)
          most[channel] = max(most[channel], value)
        }
      }
      for channel in 0..<3 where most[channel] >= least[channel] && most[channel] - least[channel] > span {
        span = most[channel] - least[channel]
        shift = UInt16(5 * channel)
      }
    }

    /// Splits the box at its median pixel; both halves have colors.
    func halves(_ colors: inout [UInt16], _ weights: [UInt32]) -> (Box, Box) {
      let shift = shift
      colors[range].sort { ($0 >> shift & 31, $0) < ($1 >> shift & 31, $1) }
      var cut = range.lowerBound
      var before: UInt32 = 0
      while cut < range.upperBound - 1, cut == range.lowerBound || before * 2 < weight {
        before += weights[Int(colors[cut])]
        cut += 1
      }
      return (
        Box(range.lowerBound..<cut, of: colors, weights), Box(cut..<range.upperBound, of: colors, weights)
      )
    }

    func mean(of colors: [UInt16], _ weights: [UInt32]) -> RGB {
      var sums: [UInt64] = [0, 0, 0]
      for color in colors[range] {
        for channel in 0..<3 {
          sums[channel] += UInt64(color >> (5 * UInt16(channel)) & 31) * UInt64(weights[Int(color)])
        }
      }
      func channel(_ index: Int) -> UInt8 { UInt8(sums[index] * 255 / (31 * UInt64(max(1, weight)))) }
      return RGB(red: channel(2), green: channel(1), blue: channel(0))
    }
  }
}
