import CFeedfall
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Glibc

/// The run of one download: its addresses in order, then its cover.
struct DownloadJob: Sendable {
  let entry: DownloadEntry
  let tools: DownloadTools
  /// Whether one failure of the network suffices.
  let isProbe: Bool
  let progress: @Sendable (DownloadProgress) -> Void
  /// Stores the final name of the video file before it appears, so that a killed program leaves no unknown file.
  let choose: @Sendable (StoredFile) throws(DownloadFailure) -> Void

  private static let maximumCoverByteCount = 8 << 20

  var folder: DownloadFolder { tools.folder(entry.folder) }

  struct Output: Equatable, Sendable {
    var videoFile: StoredFile
    var companions: [StoredFile] = []
  }

  func files() async throws(DownloadFailure) -> Output {
    var files = try await videoFile()
    // Of another address, or of a program that was killed.
    try? folder.removeParts(entry.stem)
    guard !files.companions.contains(where: { ProgramDownload.isPicture($0.name) }),
      let cover = await cover(of: files.videoFile.name)
    else { return files }
    files.companions.append(cover)
    return files
  }

  private func videoFile() async throws(DownloadFailure) -> Output {
    // It was complete when the program was killed.
    if let known = entry.videoFile, folder.mark(of: known.name) == known.mark { return Output(videoFile: known) }
    var failures: [DownloadFailure] = []
    for (index, address) in entry.request.addresses.enumerated() {
      do throws(DownloadFailure) { return try await videoFile(at: try await authorized(address), index) } catch {
        guard error.concernsAddress else { throw error }
        failures.append(error)
      }
    }
    // An address whose server was not reached may still have the file, and the user may allow another one.
    throw failures.first { $0.obstacle != nil } ?? failures.first(where: \.isForUser) ?? failures.first ?? .empty
  }

  /// The address with the authorization of its source, which the list does not have.
  private func authorized(_ address: DownloadAddress) async throws(DownloadFailure) -> DownloadAddress {
    guard address.needsLogin else { return address }
    let known = address.headers?.authorization
    guard let authorization = await tools.authorization(entry.request.source, address.address) ?? known else {
      throw .noLogin(source: entry.request.source)
    }
    var authorized = address
    authorized.headers = RequestHeaders(address.headers, authorization: authorization)
    return authorized
  }

  private func videoFile(at address: DownloadAddress, _ index: Int) async throws(DownloadFailure) -> Output {
    guard address.kind == .file else { return try await stream(at: address) }
    do throws(DownloadFailure) {
      return Output(videoFile: try await FileDownload(job: self, address: address, index: index).file())
    } catch .notMedia(let type) where MediaKind.isStreamType(type) {
      var stream = address
      stream.kind = .stream
      return try await self.stream(at: stream)
    }
  }

  private func stream(at address: DownloadAddress) async throws(DownloadFailure) -> Output {
    if address.kind == .stream {
      var request = FileRequest(address.address, headers: address.headers)
      request.allowsHTTP = allowsHTTP
      if case .leavesHTTPS(let redirect) = await tools.client.route(of: request) {
        throw DownloadFailure(.redirect(.notEncrypted(redirect)), of: request)
      }
    }
    return try await ProgramDownload(job: self, address: address, wantsCover: entry.request.cover == nil).files()
  }

  var allowsHTTP: Bool { entry.request.allowsHTTP || tools.allowsHTTP(entry.request.source) }

  /// Nil without one, since the video matters more.
  private func cover(of videoFile: String) async -> StoredFile? {
    guard let address = entry.request.cover, let end = videoFile.lastIndex(of: ".") else { return nil }
    var client = tools.client
    client.maximumByteCount = Self.maximumCoverByteCount
    if let owner = entry.request.addresses.first(where: { $0.needsLogin && $0.address.hasSameOrigin(as: address) }),
      let authorization = try? await authorized(owner).headers?.authorization
    {
      client.authorization = { $0.hasSameOrigin(as: address) ? authorization : nil }
    }
    var load = client.load(nil)
    guard let answer = try? await load.get(address, accept: "image/jpeg,image/png,image/webp"), answer.failure == nil,
      let pathExtension = Self.pictureExtension(answer.body)
    else { return nil }
    return folder.create("\(videoFile[..<end]).\(pathExtension)", with: answer.body)
  }

  private static func pictureExtension(_ bytes: [UInt8]) -> String? {
    switch ImageFormat(firstBytes: bytes) {
    case .JPEG: "jpg"
    case .PNG: "png"
    case .webP: "webp"
    case .GIF, nil: nil
    }
  }
}

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
