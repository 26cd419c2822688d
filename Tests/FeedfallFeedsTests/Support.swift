import FeedfallFeeds
import FeedfallText

func decode(_ text: String, from address: String = "https://feed.example/list?page=1") throws
  -> DecodedDocument
{
  try FeedDecoder.decode(Array(text.utf8), from: WebAddress(address))
}

/// The one item of an article list.
func article(_ item: String) throws -> Video? {
  try decode(#"{"data":{"info_list":["# + item + #"],"end":0}}"#).videos.first
}

/// Why decoding fails; nil where it does not.
func failure(_ body: String) -> FeedFailure? { failure(Array(body.utf8)) }

func failure(_ body: [UInt8]) -> FeedFailure? {
  do {
    _ = try FeedDecoder.decode(body, from: nil)
    return nil
  } catch {
    return error
  }
}

extension FeedDocumentReader {
  /// Takes all that can be taken now, and the failure that comes after it.
  mutating func readAll(by count: Int = 7) -> (videos: [Video], failure: FeedFailure?) {
    var videos: [Video] = []
    do {
      while true {
        let some = try nextVideos(count)
        if some.isEmpty { return (videos, nil) }
        videos += some
      }
    } catch {
      return (videos, error)
    }
  }
}
