/// What one picture may take: nobody is to make the program slow or large by a picture.
public struct PictureLimits: Hashable, Sendable {
  /// Of the file.
  public var bytes = 8 << 20
  /// Of the picture as it is in the file.
  public var pixels = 16 << 20
  /// Of the processor's time, scaling included; giving back what a large picture took is up to a tenth more.
  public var milliseconds = 45

  public init() {}

  private init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  public static let standard = PictureLimits()
  /// For what feeds name: podcasts have covers of 3000 by 3000 pixels as PNG.
  public static let named = PictureLimits(milliseconds: 250)
}
