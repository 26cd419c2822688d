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
    func print(_ report: (row: JSONRow, hasFailed: Bool)) {
      hasFailed = hasFailed || report.hasFailed
      FeedfallProgram.print(report.row.json)
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
  ) -> (row: JSONRow, hasFailed: Bool) {
    let body: [UInt8]
    do { body = try read(path, maximumByteCount) } catch {
      return (["error": "Could not read \(path): \(reason(error))"], true)
    }
    do {
      return (row(of: try FeedDecoder.decode(body, from: address), body), false)
    } catch {
      return (["error": error.explanation, "unread": unread(of: body, [])], true)
    }
  }

  private static func reason(_ error: FileError) -> String {
    switch error {
    case .system(let error): "\(error.message). Check its name and permissions."
    case .notRegular: "it is not a file. Check its name."
    case .tooLarge: "it is larger than 256 MB. Check whether it is a feed."
    }
  }

  private static func row(of document: DecodedDocument, _ body: [UInt8]) -> JSONRow {
    // The live broadcasts of syndication feeds are no items.
    let isXML = document.kind == .syndication
    let items = document.videos.filter { !isXML || $0.live == nil }.map { VideoRow($0) }
    let live = isXML ? document.videos.filter { $0.live != nil }.map { VideoRow($0) } : []
    return [
      "kind": document.kind.description, "title": document.title, "next": document.nextAddress?.text, "items": items,
      "live": live.isEmpty ? nil : live, "unread": unread(of: body, items + live),
    ]
  }

  /// The members with an address in every item of the document that is in no row.
  private static func unread(of body: [UInt8], _ rows: [VideoRow]) -> [String]? {
    let addresses = ItemAddresses(body)
    guard !addresses.pathsOfAllItems(outside: []).isEmpty else { return nil }
    let shown = ItemAddresses(Array(Array(rows.prefix(addresses.itemCount * 2)).json.utf8)).all
    let count = addresses.itemCount
    let isPart = count == ItemAddresses.maximumItemCount
    let items =
      count == 1 ? "1 item has" : isPart ? "the first \(count) items have" : "\(count) of \(count) items have"
    let sentences = addresses.pathsOfAllItems(outside: shown).map { "\(items) \($0), which is not read" }
    return sentences.isEmpty ? nil : sentences
  }
}
