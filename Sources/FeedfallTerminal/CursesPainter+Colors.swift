import CFeedfallCurses
import FeedfallScreen

extension CursesPainter {
  /// More than text ever uses.
  private static let pairsOfText: Int32 = 1024
  private static let pairsOfPictures: Int32 = 131_071

  /// Whether so many pairs have been used that it is time to begin anew: each takes memory, of ours and of curses', and
  /// those of pictures seen long ago are of no more use. A screen full of pictures does not come to as many.
  var hasManyPairs: Bool { pairs.count > max(Int(Self.pairsOfPictures), 2 * size.width * size.height) }

  func rendition(_ style: Style) -> (attr_t, Int32) {
    let look = theme[style.role]
    var attributes = attr_t(0)
    if look.attributes.contains(.bold) { attributes |= nc_attr_bold() }
    if look.attributes.contains(.dim) { attributes |= nc_attr_dim() }
    if look.attributes.contains(.reverse) { attributes |= nc_attr_reverse() }
    if look.attributes.contains(.underline) { attributes |= nc_attr_underline() }
    guard usesColor else { return (attributes, 0) }
    let (text, ground) = depth.nearest(text: style.foreground, ground: style.background)
    let foreground = text ?? look.foreground.map { Int32($0.rawValue) } ?? -1
    let background = ground ?? look.background.map { Int32($0.rawValue) } ?? -1
    return (attributes, pair(foreground, background))
  }

  private func pair(_ foreground: Int32, _ background: Int32) -> Int32 {
    guard let (pair, isNew) = pairs.number(foreground: foreground, background: background) else {
      arePairsExhausted = true
      return 0
    }
    if isNew {
      // Room for pictures at once: when curses has to find more, it stops for a tenth of a second.
      if pair == Self.pairsOfText, canUseAllColors { init_extended_pair(Self.pairsOfPictures, 256, 257) }
      let defaults: (Int32, Int32) = hasDefaultColors ? (-1, -1) : (7, 0)
      init_extended_pair(
        pair, foreground < 0 ? defaults.0 : foreground, background < 0 ? defaults.1 : background)
    }
    return pair
  }
}
