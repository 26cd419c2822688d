import FeedfallDocuments
import FeedfallFeeds
import FeedfallText

extension HTTPAnswer {
  /// How long a server wants to be left alone that says nothing but that it was asked too often, in seconds.
  static let usualWait = 600

  /// Why this answer is not what was asked for, in words for a person; nil when it is.
  var failure: FeedFailure? {
    guard !(200...299).contains(status) else { return nil }
    if isPassingFailure {
      return FeedFailure(
        .temporary, "YouTube answered \(status), as it does at times for feeds that are there",
        advice: "try again later")
    }
    let answered = "the server answered \(status)\(Self.phrase(status).map { " " + $0 } ?? "")"
    return switch status {
    case 429:
      FeedFailure(
        .wait(seconds: retryAfter ?? Self.usualWait), "the server was asked too often (429 Too Many Requests)"
      )
    case 503 where retryAfter != nil:
      FeedFailure(.wait(seconds: retryAfter ?? Self.usualWait), answered + detail)
    case 408, 425, 500...599: FeedFailure(.temporary, answered + detail)
    case _ where Redirect.isAnnounced(by: status):
      FeedFailure(.permanent, answered + " without an address to go on to")
    case 401, 403:
      FeedFailure(.permanent, answered + detail, advice: "the server shows this only to those it knows")
    case 404, 410: FeedFailure(.permanent, answered + detail, advice: "check the address")
    default: FeedFailure(.permanent, answered + detail)
    }
  }

  /// Whether this is YouTube's answer to every so many requests for feeds that are there.
  var isPassingFailure: Bool { KnownSite.failsAtTimes(address) && (status == 404 || (500...599).contains(status)) }

  private var detail: String {
    ProblemDetails.summary(body).map { ": \($0)" } ?? ""
  }

  /// The usual name of a status, as HTTP/2 sends none (RFC 9110, 15).
  private static func phrase(_ status: Int) -> String? {
    let phrases = [
      300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
      307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
      402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
      406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 410: "Gone",
      418: "I'm a teapot", 425: "Too Early",
      451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
      502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    return phrases[status]
  }
}
