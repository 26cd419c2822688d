import CFeedfall
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The settings of requests, which are limited in time and size.
package struct HTTPClient: Sendable {
  /// The longest silence of a server. An answer that keeps arriving has six times as long.
  package var timeoutSeconds: Double
  package var userAgent: String
  package var maximumByteCount: Int
  /// The count of bytes that are read of a video or a sound, at most one piece more; nil for all.
  package var mediaByteCount: Int?
  /// Whether a server fails at random for existing pages.
  package var failsAtRandom: @Sendable (WebAddress) -> Bool
  package var method = Method.get
  /// Whether an address contains a secret, so that neither it nor its answer is cached.
  package var hasSecret: @Sendable (WebAddress) -> Bool = { _ in false }
  /// Asked again for the target of each redirect. Nil for a client without a login.
  package var authorization: (@Sendable (WebAddress) -> Authorization?)?
  package var cookie: @Sendable (WebAddress) -> String? = { _ in nil }
  package var handleFailure: @Sendable (HTTPAnswer) -> Void = { _ in }
  /// Inspects the beginning of the body of each successful answer, and returns whether to be called again with a longer
  /// one. Nil for none. Runs on the thread of all requests, so it must be fast.
  package var inspect: (@Sendable ([UInt8]) -> Bool)?
  /// Whether a GET request that has failed for a moment is sent a second time. A repeated POST could have side effects.
  package var retries: Bool
  /// A known answer. Its server sends another one only if that differs, else the status 304.
  package var known: AnswerVersion?
  package var referrer: WebAddress?
  package let cache: AnswerCache
  package var proxies: ProxyDirectory

  package init(
    timeoutSeconds: Double, userAgent: String, maximumByteCount: Int = 32 << 20, mediaByteCount: Int? = nil,
    cache: AnswerCache = AnswerCache(), proxies: ProxyDirectory = .ofEnvironment,
    retries: Bool = false, failsAtRandom: @escaping @Sendable (WebAddress) -> Bool = { _ in false }
  ) {
    (self.timeoutSeconds, self.userAgent) = (timeoutSeconds, userAgent)
    (self.maximumByteCount, self.mediaByteCount) = (maximumByteCount, mediaByteCount)
    (self.cache, self.proxies, self.retries) = (cache, proxies, retries)
    self.failsAtRandom = failsAtRandom
  }

  /// A nil `use` bypasses the cache.
  package func load(_ use: CacheUse?, firstPageAt: UnixTime? = nil) -> WebLoad {
    WebLoad(self, use, firstPageAt: firstPageAt)
  }

  /// The time for one answer with its redirects and a second request, as a multiple of the time-out.
  static let totalTimeoutFactor = 6

  /// Clamped so that the conversion cannot trap.
  var timeout: Duration {
    let isUsable = timeoutSeconds.isFinite && timeoutSeconds > 0
    return .milliseconds(Int(min(max((isUsable ? timeoutSeconds : 10) * 1000, 1), 3_600_000)))
  }

  // MARK: - One request

  /// Does not follow redirects. Conditional if there is a cached answer.
  ///
  /// - Parameter origin: has led here, and its rules for proxies apply; nil for the address of the file or this one.
  func fetch(
    _ address: WebAddress, for origin: WebAddress? = nil, _ authorization: Authorization?, accept: String,
    cookies: String? = nil, cached: CachedAnswer? = nil, timeLimit: Duration? = nil, file: FileReception? = nil
  ) async throws(WebFailure) -> Reply {
    let proxy = proxies.rules(for: origin ?? file?.request.address ?? address).proxy(for: address)
    let running = RunningRequest()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiting = Waiting(continuation, file, inspect)
        running.started(
          as: withOptions(
            address, proxy, authorization, accept: accept, cookies: cookies, cached: cached, timeLimit: timeLimit, file
          ) { waiting.start($0) })
      }
    } onCancel: {
      running.cancel()
    }
    if let failure = failure(for: result, from: address, proxy) { throw failure }
    return file == nil ? try decoded(result) : result
  }

  /// Not sent where a redirect has left https.
  private func referrer(of file: FileReception?, for address: WebAddress) -> WebAddress? {
    let leavesHTTPS = file?.request.address.scheme == "https" && address.scheme == "http"
    return leavesHTTPS ? nil : file?.request.headers?.referrer ?? referrer
  }

  private func decoded(_ result: Reply) throws(WebFailure) -> Reply {
    var result = result
    do throws(Gzip.Fault) {
      let content = try ContentCoding.content(
        of: result.body, header: result.headers["content-encoding"], contentType: result.contentType,
        limit: maximumByteCount)
      (result.body, result.isCut) = (content.bytes, content.isCut)
    } catch { throw .tooLarge(limit: maximumByteCount) }
    return result
  }

  /// - Parameter body: receives nil if the request cannot be sent.
  private func withOptions(
    _ address: WebAddress, _ proxy: ProxyAddress?, _ authorization: Authorization?, accept: String, cookies: String?,
    cached: CachedAnswer?, timeLimit: Duration?,
    _ file: FileReception?, _ body: (UnsafePointer<FetchOptions>?) -> UInt64
  ) -> UInt64 {
    /// The text of a header that can be sent; all headers come from here.
    func header(_ text: String?) -> String? { text.flatMap { HeaderValue($0) }?.text }
    let known = known?.address == address.forStorage ? known : nil
    let texts = [
      address.text, method.name, header(file?.request.headers?.userAgent) ?? header(userAgent), header(accept),
      header(cached?.entityTag ?? known?.entityTag),
      header(cached?.lastModified ?? known?.lastModified), authorization?.user,
      authorization?.password, authorization?.header?.text, method.depth, method.body, method.bodyType,
      Environment.process["SSL_CERT_FILE"], header(file?.request.range), file?.request.condition?.text,
      header(referrer(of: file, for: address)?.text), proxy?.text ?? "",
      header(cookies),
    ]
    return withCStrings(texts.map { text in text.map { Array($0.utf8) } }) { texts in
      guard let url = texts[0], let agent = texts[2], let accept = texts[3], let proxyText = texts[16] else {
        return body(nil)
      }
      var options = FetchOptions(
        url: url, method: texts[1], user_agent: agent, accept: accept, if_none_match: texts[4],
        if_modified_since: texts[5], user: texts[6], password: texts[7], authorization: texts[8], depth: texts[9],
        body: texts[10], body_type: texts[11], ca_file: texts[12], proxy: proxyText,
        timeout_ms: max(1, Int(timeout / .milliseconds(1))),
        total_ms: timeLimit.map { max(1, Int($0 / .milliseconds(1))) } ?? 0, max_bytes: maximumByteCount,
        max_media_bytes: mediaByteCount ?? 0, is_medium: Self.isMedium, sink: file == nil ? nil : Self.passToFile,
        inspect: inspect == nil ? nil : Self.passToInspection, range: texts[13],
        if_range: texts[14], referrer: texts[15], cookies: texts[17])
      return body(&options)
    }
  }

  private static let passToFile: FetchSink = { context, status, headers, bytes, count in
    let waiting = Unmanaged<Waiting>.fromOpaque(context).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: bytes, count: count)
    return waiting.file?.receive(piece, status: status, headers: headers) == true ? .continue : .enough
  }

  private static let passToInspection: FetchInspection = { context, bytes, count in
    let waiting = Unmanaged<Waiting>.fromOpaque(context).takeUnretainedValue()
    return waiting.inspect?(Array(UnsafeRawBufferPointer(start: bytes, count: count))) ?? false
  }

  private static let isMedium: FetchMediumCheck = { headers, bytes, count in
    ContentCoding.isMedium(
      start: Array(UnsafeRawBufferPointer(start: bytes, count: count)),
      header: HTTPHeaders(lines: String(cString: headers))["content-encoding"])
  }

  private final class Waiting: Sendable {
    let continuation: CheckedContinuation<Reply, Never>
    let file: FileReception?
    let inspect: (@Sendable ([UInt8]) -> Bool)?

    init(
      _ continuation: CheckedContinuation<Reply, Never>, _ file: FileReception?,
      _ inspect: (@Sendable ([UInt8]) -> Bool)?
    ) {
      (self.continuation, self.file, self.inspect) = (continuation, file, inspect)
    }

    /// Returns 0 if the request is not started. The continuation is resumed in any case.
    func start(_ options: UnsafePointer<FetchOptions>?) -> UInt64 {
      let context = Unmanaged.passRetained(self)
      let id =
        options.map { options in
          fetch_start(
            options,
            { context, reply in
              let waiting = Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
              waiting.continuation.resume(returning: Reply(reply.pointee))
            }, context.toOpaque())
        } ?? 0
      if id == 0 {
        context.release()
        continuation.resume(returning: Reply(notStarted: "no memory or no thread for a request"))
      }
      return id
    }
  }

  // MARK: - Failures

  private func failure(for result: Reply, from address: WebAddress, _ proxy: ProxyAddress?) -> WebFailure? {
    if result.mayLackDescriptors, let error = SystemError.ofMissingDescriptors() {
      return .tooManyOpenFiles(inSystem: error.number == ENFILE)
    }
    return switch result.outcome {
    case .answered: nil
    case .cancelled: .cancelled
    case .tooLarge: .tooLarge(limit: maximumByteCount)
    case .noLibrary: .noLibrary
    case .failed:
      proxy.flatMap { proxy in Self.proxyFault(of: result, host: address.shownHost).map { .proxy($0, proxy) } }
        ?? failure(for: result.fault, of: result, host: address.shownHost)
    }
  }

  /// The fault of the proxy that was requested; nil if the host failed behind it.
  private static func proxyFault(of result: Reply, host: String) -> WebFailure.ProxyFault? {
    switch result.fault {
    case .proxyNotFound: .nameNotFound
    case .proxyRefused where result.proxyStatus == 407: .needsPassword
    case .proxyRefused: .refused(host: host, status: result.proxyStatus == 0 ? nil : result.proxyStatus)
    // libcurl connects to nothing but the proxy.
    case .noConnection: .unreachable(WebFailure.Unreachable(systemError: result.systemError))
    default: nil
    }
  }

  private func failure(for fault: FetchFault, of result: Reply, host: String) -> WebFailure {
    switch fault {
    case .nameNotFound: .nameNotFound(host: host)
    case .noConnection: .unreachable(WebFailure.Unreachable(systemError: result.systemError), host: host)
    case .timeout: .timedOut(seconds: timeoutSeconds)
    case .slow: .tooSlow(seconds: timeoutSeconds * Double(Self.totalTimeoutFactor))
    case .certificate: .certificate(WebFailure.CertificateFault(curlMessage: result.message), host: host)
    case .encryption: .notEncrypted(host: host, detail: result.detail)
    case .certificateFile: .certificate(.unreadableFile, host: host)
    case .cut: .cut
    case .unreadable: .unreadable(host: host, detail: result.detail)
    case .address: .invalidAddress
    case .none, .proxyNotFound, .proxyRefused, .other: .other(detail: result.detail)
    }
  }

  /// A copy of a `FetchReply` that outlives the call.
  struct Reply: Sendable {
    fileprivate var outcome: FetchOutcome
    fileprivate var fault: FetchFault
    fileprivate var message: String
    fileprivate var systemError = 0
    fileprivate var proxyStatus = 0
    var status = 0
    var body: [UInt8] = []
    /// Whether the compressed data of the body have no end.
    var isCut = false
    var contentType = ""
    var headers = HTTPHeaders(lines: "")
    var redirect: String?
    var retryAfter: Int?

    fileprivate init(_ reply: FetchReply) {
      outcome = reply.outcome
      fault = reply.fault
      message = String(cString: reply.message)
      systemError = reply.system_error
      proxyStatus = reply.proxy_status
      status = reply.status
      body =
        reply.body.map { start in
          Array(UnsafeRawBufferPointer(start: start, count: reply.body_length))
        } ?? []
      contentType = String(cString: reply.content_type)
      headers = HTTPHeaders(lines: String(cString: reply.headers))
      redirect = reply.redirect.map { String(cString: $0) }
      retryAfter = reply.retry_after > 0 ? Int(min(reply.retry_after, 86_400)) : nil
    }

    /// Whether libcurl may have failed to open a file or a socket, which it does not report.
    fileprivate var mayLackDescriptors: Bool {
      switch outcome {
      case .noLibrary: true
      case .answered, .cancelled, .tooLarge: false
      case .failed:
        switch fault {
        case .nameNotFound, .noConnection, .encryption, .certificate, .certificateFile, .address, .other:
          [0, EMFILE, ENFILE].contains(Int32(truncatingIfNeeded: systemError))
        case .none, .proxyNotFound, .proxyRefused, .timeout, .slow, .cut, .unreadable: false
        }
      }
    }

    fileprivate init(notStarted message: String) {
      outcome = .failed
      fault = .other
      self.message = message
    }

    /// The message in printable ASCII, because libcurl may quote the server.
    fileprivate var detail: String {
      String(
        String.UnicodeScalarView(message.unicodeScalars.prefix(160).filter { (0x20..<0x7f).contains($0.value) })
      )
    }
  }

  /// A request that can be cancelled before, during and after its run.
  private final class RunningRequest: Sendable {
    private let state = Mutex((id: UInt64(0), isCancelled: false))

    func started(as id: UInt64) {
      let isCancelled = state.withLock { state in
        state.id = id
        return state.isCancelled
      }
      if isCancelled { fetch_cancel(id) }
    }

    func cancel() {
      let id = state.withLock { state in
        state.isCancelled = true
        return state.id
      }
      if id != 0 { fetch_cancel(id) }
    }
  }
}

extension WebFailure.Unreachable {
  fileprivate init(systemError: Int) {
    self =
      switch Int32(truncatingIfNeeded: systemError) {
      case ECONNREFUSED: .refused
      case ENETUNREACH, EHOSTUNREACH: .noRoute
      default: .other
      }
  }
}

extension WebFailure.CertificateFault {
  fileprivate init(curlMessage: String) {
    let message = curlMessage.lowercased()
    if message.contains("expired") || message.contains("expiration") {
      self = .expired
    } else if ["subject name", "does not match", "hostname mismatch"].contains(where: message.contains) {
      self = .otherName
    } else {
      self = .untrusted
    }
  }
}

/// The codings of a body (RFC 9110, 8.4). The first bytes of the body decide where the header contradicts them.
enum ContentCoding: Equatable {
  case gzip
  case deflate
  case brotli
  case zstandard

  private static let names: [String: ContentCoding] = [
    "gzip": .gzip, "x-gzip": .gzip, "deflate": .deflate, "br": .brotli, "zstd": .zstandard,
  ]
  private static let maximumCount = 5

  /// The last coding first. Names that are no coding, such as `none`, `utf-8` or `aws-chunked`, are skipped.
  static func list(in header: String) -> [ContentCoding] {
    let words = header.utf8.split { $0 == 0x2C || $0 == 0x20 || $0 == 0x09 }
    return words.reversed().lazy.compactMap { names[String($0)?.lowercased() ?? ""] }.prefix(maximumCount).map(\.self)
  }

  /// A body that has other bytes than its header says is returned as it is, but a gzip file
  /// is always unpacked unless its content type is that of gzip.
  static func content(
    of body: [UInt8], header: String?, contentType: String, limit: Int
  ) throws(Gzip.Fault) -> Gzip.Unpacked {
    var content = Gzip.Unpacked(bytes: body, isCut: false)
    for coding in header.map(list) ?? [] {
      guard let decoded = try coding.decoded(content.bytes, limit: limit) else { break }
      content = Gzip.Unpacked(bytes: decoded.bytes, isCut: content.isCut || decoded.isCut)
    }
    guard Gzip.isStarted(by: content.bytes), !contentType.lowercased().contains("gzip"),
      let unpacked = try gzip.decoded(content.bytes, limit: limit)
    else { return content }
    return Gzip.Unpacked(bytes: unpacked.bytes, isCut: content.isCut || unpacked.isCut)
  }

  /// In bytes, for the content of the start of a body.
  private static let startLimit = 8 << 20

  /// Playlists have the types of media as well, but are text without null bytes.
  static func isMedium(start: [UInt8], header: String?) -> Bool {
    guard let content = try? content(of: start, header: header, contentType: "", limit: startLimit).bytes
    else { return false }
    // The start of some data cannot be decoded without the rest.
    if content == start, header.map(list)?.isEmpty == false { return MediaStart.isMedium(start) }
    return content.contains(0)
  }

  /// Returns the content, up to the end of the data if they are cut; nil if they are not in this coding.
  private func decoded(_ bytes: [UInt8], limit: Int) throws(Gzip.Fault) -> Gzip.Unpacked? {
    if bytes.isEmpty { return nil }
    switch self {
    case .gzip, .deflate:
      do throws(Gzip.Fault) {
        if Gzip.isStarted(by: bytes) { return try Gzip.unpacked(bytes, limit: limit) }
        return try Gzip.inflated(bytes, limit: limit)
      } catch {
        guard error == .damaged else { throw error }
        return nil
      }
    case .brotli: return try decoded(bytes, by: .brotli, limit: limit)
    case .zstandard: return try decoded(bytes, by: .zstandard, limit: limit)
    }
  }

  private func decoded(_ bytes: [UInt8], by coding: FetchCoding, limit: Int) throws(Gzip.Fault) -> Gzip.Unpacked? {
    let content = Content()
    let result = fetch_decode(
      coding, bytes, bytes.count, limit,
      { context, bytes, count in
        Unmanaged<Content>.fromOpaque(context).takeUnretainedValue().bytes += UnsafeBufferPointer(
          start: bytes, count: count)
      }, Unmanaged.passUnretained(content).toOpaque())
    switch result {
    case .whole: return Gzip.Unpacked(bytes: content.bytes, isCut: false)
    // Other files may begin like valid data, which become longer.
    case .cut, .followed:
      return content.bytes.count < bytes.count ? nil : Gzip.Unpacked(bytes: content.bytes, isCut: result == .cut)
    case .damaged, .impossible: return nil
    case .tooLarge: throw .tooLarge
    }
  }

  private final class Content {
    var bytes: [UInt8] = []
  }
}
