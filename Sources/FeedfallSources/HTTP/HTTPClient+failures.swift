import CFeedfallCurl
import FeedfallText
import Glibc

extension HTTPClient {
  /// Why a request brought no answer, in words for a person; nil when it brought one.
  func failure(for result: FetchResult, from address: WebAddress) -> FeedFailure? {
    switch result.outcome {
    case .answered: nil
    case .cancelled: .cancelled
    case .tooLarge: tooLarge
    case .noLibrary:
      FeedFailure(
        .permanent, "the web needs the library libcurl, which is not installed",
        advice: "install it, as in: apt install libcurl4")
    case .failed: failure(for: result.fault, of: result, from: address)
    }
  }

  /// The failure of an answer that is cut off since it has no end in sight.
  var tooLarge: FeedFailure {
    FeedFailure(
      .permanent, "the answer is larger than \(maximumByteCount >> 20) MB",
      advice: "check that the address is \(contents)")
  }

  private func failure(
    for fault: FetchFault, of result: FetchResult, from address: WebAddress
  ) -> FeedFailure {
    let host = address.host
    return switch fault {
    case .nameNotFound:
      FeedFailure(.temporary, "the name \(host) was not found", advice: "check the address and the network")
    case .proxyNotFound:
      FeedFailure(
        .temporary, "the proxy's name was not found", advice: Self.proxyAdvice)
    case .proxyRefused: proxyRefused(host, result)
    case .noConnection: noConnection(to: host, result)
    case .timeout: .noAnswer(inSeconds: timeoutSeconds)
    case .certificate: untrusted(host, message: result.message)
    case .encryption:
      FeedFailure(
        .temporary, "no encrypted connection to \(host) came about: \(plain(result.message))",
        advice: "check whether the address begins with http rather than https")
    case .certificateFile:
      FeedFailure(
        .permanent, "the certificates that SSL_CERT_FILE names could not be read",
        advice: "check that file's name")
    case .cut: FeedFailure(.temporary, "the connection ended before the answer did")
    case .garbage:
      FeedFailure(
        .permanent, "\(host) answered what can't be read: \(plain(result.message))",
        advice: "check the address and its port")
    case .address:
      FeedFailure(.permanent, "the address is not one that can be asked", advice: "check the address")
    case .none, .other:
      FeedFailure(.temporary, "the request failed: \(plain(result.message))")
    }
  }

  private static let proxyAdvice = "check http_proxy, https_proxy and all_proxy"

  private func proxyRefused(_ host: String, _ result: FetchResult) -> FeedFailure {
    if result.proxyStatus == 407 {
      return FeedFailure(
        .permanent, "the proxy asks who you are (407)",
        advice: "write it in https_proxy, as in http://name:password@proxy:3128")
    }
    return FeedFailure(
      .temporary, "the proxy gives no way to \(host): \(plain(result.message))", advice: Self.proxyAdvice)
  }

  /// libcurl names the end that could not be reached, which is another than the host where a proxy is used.
  private func isProxy(_ message: String, for host: String) -> Bool {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let name = host.filter { $0 != "[" && $0 != "]" }
    return message.contains(" port ") && !message.contains(name) && names.contains { getenv($0) != nil }
  }

  private func noConnection(to host: String, _ result: FetchResult) -> FeedFailure {
    if isProxy(result.message, for: host) {
      return FeedFailure(
        .temporary, "no connection to the proxy came about: \(plain(result.message))", advice: Self.proxyAdvice)
    }
    return switch Int32(truncatingIfNeeded: result.systemError) {
    case ECONNREFUSED:
      FeedFailure(
        .temporary, "\(host) refused the connection", advice: "check the address and whether the server runs")
    case ENETUNREACH, EHOSTUNREACH:
      FeedFailure(.temporary, "there is no way to \(host)", advice: "check whether the network is up")
    default:
      FeedFailure(.temporary, "no connection to \(host) came about", advice: "check the network")
    }
  }

  private func untrusted(_ host: String, message: String) -> FeedFailure {
    let message = message.lowercased()
    let isForOther = ["subject name", "does not match", "hostname mismatch"].contains(where: message.contains)
    if message.contains("expired") || message.contains("expiration") {
      return FeedFailure(
        .permanent, "the certificate of \(host) has expired", advice: "check this computer's clock")
    }
    if isForOther {
      return FeedFailure(
        .permanent, "the certificate of \(host) is for another name", advice: "check the address")
    }
    return FeedFailure(
      .permanent, "the certificate of \(host) is not trusted",
      advice: "where it is your own, name its file in SSL_CERT_FILE")
  }

  /// libcurl may quote the server.
  private func plain(_ message: String) -> String {
    String(
      String.UnicodeScalarView(message.unicodeScalars.prefix(160).filter { (0x20..<0x7f).contains($0.value) })
    )
  }
}

extension FeedFailure {
  /// The end of a request that took as long as it might.
  static func noAnswer(inSeconds seconds: Double) -> FeedFailure {
    let rounded = seconds.rounded()
    guard seconds.isFinite, abs(rounded) < 1e6 else { return FeedFailure(.temporary, "no answer in time") }
    return FeedFailure(.temporary, "no answer in " + (rounded == seconds ? "\(Int(rounded)) s" : "\(seconds) s"))
  }
}
