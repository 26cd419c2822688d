import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb

package struct DownloadTools: Sendable {
  /// Its time-out applies to connections and to pauses in the data.
  var client: HTTPClient
  /// The use of yt-dlp, and that of sources with their own.
  var ytDlp: YtDlpDirectory
  var ffmpegPath: String?
  /// In pixels; yt-dlp selects the nearest height.
  var maximumHeight: Int?
  var ffprobePath: String?
  var disk: @Sendable (String) -> DownloadFolder.Disk = DownloadFolder.Disk.init(of:)
  /// Returns the authorization of an open source for an address; nil if it is not open, or has none.
  package var authorization: @Sendable (_ source: String?, WebAddress) async -> Authorization? = { _, _ in nil }
  /// Returns the rules for proxies of a configured source; nil for those of the program.
  package var proxies: @Sendable (_ source: String?) -> Proxies? = { _ in nil }
  /// Returns the use of yt-dlp by a configured source; nil for that of the program.
  package var ownYtDlp: @Sendable (_ source: String?) -> YtDlp? = { _ in nil }
  package var allowsHTTP: @Sendable (_ source: String?) -> Bool = { _ in false }
  /// Nil if the server of an address answers. Programs do not distinguish an outage from other failures.
  var outage: @Sendable (DownloadAddress) async -> WebFailure?
  var pause: @Sendable (_ seconds: Int) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
  /// Waits for the next download, also while the computer is suspended.
  var awaitTurn: @Sendable (_ seconds: Int) async -> Void = {
    try? await Task.sleep(for: .seconds($0), clock: .continuous)
  }
  /// The time in seconds, with that of suspension.
  var now: @Sendable () -> Int = { [start = ContinuousClock.now] in Int((.now - start) / .seconds(1)) }

  /// In seconds.
  private static let shortestTimeout = 30.0

  package init(
    userAgent: String, timeoutSeconds: Double = 0, maximumHeight: Int? = nil,
    proxies: ProxyDirectory = .ofEnvironment, ytDlp: YtDlpDirectory = YtDlpDirectory(YtDlp())
  ) {
    client = HTTPClient(
      timeoutSeconds: max(timeoutSeconds, Self.shortestTimeout), userAgent: userAgent, proxies: proxies)
    outage = { [client] in await client.outage(at: $0) }
    self.maximumHeight = maximumHeight
    self.ytDlp = ytDlp
    ffmpegPath = InstalledPrograms.path(of: "ffmpeg")
    ffprobePath = InstalledPrograms.path(of: "ffprobe")
  }

  func folder(_ path: String) -> DownloadFolder { DownloadFolder(path: path, disk: disk) }
}

extension HTTPClient {
  fileprivate func outage(at address: DownloadAddress) async -> WebFailure? {
    do throws(WebFailure) {
      let head = try await head(of: FileRequest(address.address, headers: address.headers))
      let failure = WebFailure.status(head.status, retryAfter: head.retryAfter)
      return failure.scope == .address ? nil : failure
    } catch {
      return error.scope == .address || error == .cancelled ? nil : error
    }
  }
}
