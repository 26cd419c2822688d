/// How much one picture may cost, so that no picture makes the program slow or large.
///
/// Every limit is a count, never a time: a picture is accepted on a slow machine exactly if it is on a fast one.
public struct PictureLimits: Hashable, Sendable {
  /// Of the file.
  public var bytes = 8 << 20
  /// Of the picture as it is in the file. Podcasts have covers of 3000 by 3000 pixels.
  public var pixels = 16 << 20
  /// Of decoding, in bytes of samples: each pixel of an ordinary PNG is three or four. Slow ways of coding count as
  /// more; see `ImageLimits` in CImages. All of it takes a quarter of a second on a processor of 2020.
  public var work = 60 << 20

  public init() {}
}
