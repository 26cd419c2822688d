import FeedfallSystem
import FeedfallText
import FeedfallUserData
import FeedfallWeb

/// The client and the programs with which videos are downloaded.
package struct DownloadTools: Sendable {
  /// Its time-out applies to connections and to pauses in the data.
  var client: HTTPClient
  /// Nil if it is not installed.
  var ytDlpPath: String?
  var ffmpegPath: String?
  /// In pixels; yt-dlp selects the nearest height.
  var maximumHeight: Int?
  var freeByteCount: (@Sendable (String) -> Int?)?
  /// Waits before a retry.
  var pause: @Sendable (_ seconds: Int) async -> Void = { try? await Task.sleep(for: .seconds($0)) }

  /// In seconds.
  private static let timeout = 30.0

  package init(userAgent: String, maximumHeight: Int? = nil, proxies: ProxyDirectory = .ofEnvironment) {
    client = HTTPClient(timeoutSeconds: Self.timeout, userAgent: userAgent, proxies: proxies)
    self.maximumHeight = maximumHeight
    ytDlpPath = InstalledPrograms.path(of: "yt-dlp")
    ffmpegPath = InstalledPrograms.path(of: "ffmpeg")
  }

  func folder(_ path: String) -> DownloadFolder {
    var folder = DownloadFolder(path: path)
    if let freeByteCount { folder.freeByteCount = freeByteCount }
    return folder
  }
}

/// The files of a download, in its folder.
struct DownloadedFiles: Equatable, Sendable {
  var videoFile: StoredFile
  /// The subtitles and the cover.
  var companions: [StoredFile] = []
}

/// The place of one download, and the callbacks of its run.
struct DownloadRun: Sendable {
  var folder: DownloadFolder
  /// The name of its files without extension.
  var stem: String
  var tools: DownloadTools
  var progress: @Sendable (DownloadProgress) -> Void
  /// Stores the final name of the video file before it appears, so that a killed program leaves no unknown file.
  var choose: @Sendable (StoredFile) throws(DownloadFailure) -> Void
}
