import FeedfallFeeds
import FeedfallText
import FoundationEssentials

/// Prints the parsed content of documents.
struct Probe {
  /// The documents. If empty, the paths are read from standard input.
  var paths: [String]
  var base: String

  /// The maximum size of a document, 1 GiB.
  private static let maximumByteCount = 1 << 30

  func run() -> Int32 {
    guard let address = WebAddress(base) else {
      printError("Could not use --base \(base): it is not a web address. Write http://… or https://….")
      return ExitStatus.usage
    }
    if paths.isEmpty {
      while let path = readLine() { print(Self.report(path, from: address).json) }
    } else {
      for path in paths { print(Self.report(path, from: address).json) }
    }
    return finishPrinting() ? ExitStatus.success : ExitStatus.failure
  }

  private static func report(_ path: String, from address: WebAddress) -> ProbeReport {
    guard let body = try? DocumentFile.bytes(of: path, limit: maximumByteCount) else {
      return ProbeReport(error: "Could not read \(path)")
    }
    do {
      return ProbeReport(try FeedDecoder.decode(body, from: address))
    } catch {
      return ProbeReport(error: error.explanation)
    }
  }
}

/// The output for one document.
struct ProbeReport: Encodable {
  var kind: String?
  var title: String?
  var next: String?
  var items: [VideoRow]?
  /// Live broadcasts of syndication feeds; they are not in `items`.
  var live: [VideoRow]?
  var error: String?

  init(error: String) {
    self.error = error
  }

  init(_ document: DecodedDocument) {
    kind = "\(document.kind)"
    title = document.title
    next = document.nextAddress?.text
    let isXML = document.kind == .syndication
    items = document.videos.filter { !isXML || $0.live == nil }.map { VideoRow($0) }
    let broadcasts = isXML ? document.videos.filter { $0.live != nil } : []
    if !broadcasts.isEmpty { live = broadcasts.map { VideoRow($0) } }
  }

  /// The report as a JSON object on one line, with sorted keys.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return #"{"error":"Could not print the document"}"# }
    return String(decoding: data, as: UTF8.self)
  }
}
