import ArgumentParser
import FeedfallFeeds
import FeedfallSystem
import FeedfallText

struct ProbeCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall probe",
    abstract: "Print the parsed content of feed documents as JSON.",
    discussion: """
      Without files, the paths are read from standard input, one per line. Each document is an object, which contains a list of items with \
      the facts that list --json prints, such as title, link, published, durationSeconds, media and covers, as far as \
      they are known, or an error, after which the exit status is 1. It also lists members that contain an \
      address in every item of the document but are not read.
      """)

  @Argument(
    help: ArgumentHelp(
      "Feed documents, or - for standard input. In a list of paths, - is a file name.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Flag(help: "Print JSON, which is the only output format.")
  var json = false

  @Option(help: ArgumentHelp("The base address for relative addresses in the documents.", valueName: "address"))
  var base = "http://example.org/base/"

  private static let maximumByteCount = FeedDocumentReader.maximumByteCount

  func run() -> Int32 {
    guard let address = WebAddress(base) else {
      printError("Could not use --base \(base.hidingPassword): it is not a web address. Write http://… or https://….")
      return ExitStatus.usage
    }
    var hasFailed = false
    func print(_ report: Report) {
      hasFailed = hasFailed || report.error != nil
      FeedfallProgram.print(report.json)
    }
    if files.isEmpty {
      while let path = readLine() { print(Self.report(path, from: address, read: Files.bytes(ofFile:limit:))) }
    } else {
      for file in files { print(Self.report(file, from: address, read: Files.bytes(ofArgument:limit:))) }
    }
    return hasFailed ? ExitStatus.failure : ExitStatus.success
  }

  private static func report(
    _ path: String, from address: WebAddress, read: (_ path: String, _ limit: Int) throws(FileError) -> [UInt8]
  ) -> Report {
    let body: [UInt8]
    do { body = try read(path, maximumByteCount) } catch {
      return Report(error: "Could not read \(path): \(reason(error))")
    }
    do {
      return Report(try FeedDecoder.decode(body, from: address), of: body)
    } catch {
      var report = Report(error: error.explanation)
      report.setUnread(of: body, [])
      return report
    }
  }

  private static func reason(_ error: FileError) -> String {
    switch error {
    case .system(let error): "\(error.message). Check its name and permissions."
    case .notRegular: "it is not a file. Check its name."
    case .tooLarge: "it is larger than 256 MB. Check whether it is a feed."
    }
  }

  struct Report: Encodable {
    var kind: String?
    var title: String?
    var next: String?
    var items: [VideoRow]?
    /// Live broadcasts of syndication feeds; they are not in `items`.
    var live: [VideoRow]?
    /// The members with an address in every item of the document that is in no row.
    var unread: [String]?
    var error: String?

    init(error: String) { self.error = error }

    init(_ document: DecodedDocument, of body: [UInt8]) {
      kind = document.kind.description
      title = document.title
      next = document.nextAddress?.text
      let isXML = document.kind == .syndication
      items = document.videos.filter { !isXML || $0.live == nil }.map { VideoRow($0) }
      let broadcasts = isXML ? document.videos.filter { $0.live != nil } : []
      if !broadcasts.isEmpty { live = broadcasts.map { VideoRow($0) } }
      setUnread(of: body, (items ?? []) + (live ?? []))
    }

    mutating func setUnread(of body: [UInt8], _ rows: [VideoRow]) {
      let addresses = ItemAddresses(body)
      guard !addresses.pathsOfAllItems(outside: []).isEmpty else { return }
      let shown = ItemAddresses(Array(Array(rows.prefix(addresses.itemCount * 2)).json.utf8)).all
      let count = addresses.itemCount
      let isPart = count == ItemAddresses.maximumItemCount
      let items =
        count == 1 ? "1 item has" : isPart ? "the first \(count) items have" : "\(count) of \(count) items have"
      let sentences = addresses.pathsOfAllItems(outside: shown).map { "\(items) \($0), which is not read" }
      if !sentences.isEmpty { unread = sentences }
    }
  }
}
