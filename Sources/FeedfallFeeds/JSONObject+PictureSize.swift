import FeedfallDocuments

extension JSONObject {
  func pictureSize(_ width: StaticString = "width", _ height: StaticString = "height") -> PixelSize? {
    guard let width = self[width]?.integer, let height = self[height]?.integer else { return nil }
    return PixelSize(width: width, height: height)
  }
}
