import ArgumentParser
import FeedfallMedia
import FeedfallRecords
import FeedfallText

struct DownloadCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall download", abstract: "Download videos, or list or remove downloads.",
    discussion: """
      On a terminal it shows a progress bar, otherwise it prints one JSON object per line. An interrupted download is \
      continued by the same command, by --queue and by the browser.
      """)

  @Argument(help: ArgumentHelp("The addresses of videos or of their pages.", valueName: "address"))
  var addresses: [String] = []

  @Flag(help: "Continue the waiting downloads.")
  var queue = false

  @Flag(help: "Print the downloads and their files, the last one first.")
  var list = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Remove the downloads with these addresses or IDs, and delete their files.", valueName: "id"))
  var remove: [String] = []

  @Flag(help: "With --list, print one JSON object per line.")
  var json = false

  @Flag(help: "With --remove, remove them without asking.")
  var yes = false

  @OptionGroup var downloads: OptionArguments.Downloads
  @OptionGroup var feed: OptionArguments.Feed

  func validate() throws {
    guard [!addresses.isEmpty, queue, list, !remove.isEmpty].count(where: \.self) == 1 else {
      throw ValidationError("Write either the addresses of videos, --queue, --list or --remove with addresses or IDs.")
    }
    if json, !list { throw ValidationError("--json needs --list. Without a terminal, downloads always print JSON.") }
    if yes, remove.isEmpty { throw ValidationError("--yes needs --remove.") }
  }

  func run() -> Int32 {
    withConfiguration { configuration in
      let options = configuration.viewOptions { downloads.apply(to: &$0) }
      let feed = configuration.sourceOptions(feed)
      if !list, remove.isEmpty {
        return Downloading(addresses: addresses, sources: configuration.sources, options: options, feed: feed).run()
      }
      let list = DownloadList.ofUser()
      let isReadable = printFault(of: list.load())
      let downloader = Downloader(
        folder: { options.downloadFolder() }, list: list, tools: DownloadTools(userAgent: feed.userAgent),
        executor: Worker(), report: { _, _ in })
      do throws(DownloadFailure) {
        let status = try self.list ? printList(of: downloader) : remove(from: downloader)
        return isReadable ? status : ExitStatus.failure
      } catch {
        printError(
          FeedFailure(error).message(self.list ? "Could not read the downloads" : "Could not remove a download"))
        return ExitStatus.failure
      }
    }
  }

  /// Its state is `waiting`, `failed`, `done`, or `missing` for a complete one without its file.
  private func line(for download: Downloader.Listed) -> String {
    let request = download.request
    var row: JSONRow = ["recordID": request.key.text, "title": request.title, "quality": request.quality?.text]
    var (state, path, error) = ("waiting", nil as String?, nil as String?)
    switch download.state {
    case .waiting, .running, .stalled:
      if request.awaitsAddress { error = "It waits until \(request.source ?? "its source") lists the video again." }
    case .failed(let failure): (state, error) = ("failed", failure.explanation)
    case .done(let file):
      (state, path) = ("done", String(decoding: file.address.path, as: UTF8.self))
      row.add(["bytes": file.byteCount, "downloaded": file.time.description])
      if file.mayBeIncomplete { row.add(["mayBeIncomplete": true]) }
    case nil: (state, error) = ("missing", "Its file is missing.")
    }
    guard json else { return [state, request.title, path ?? error ?? ""].map(\.asColumn).joined(separator: "\t") }
    row.add(["state": state, "path": path, "error": error])
    return row.json
  }

  private func printList(of downloader: Downloader) throws(DownloadFailure) -> Int32 {
    let downloads = try downloader.listed()
    if downloads.isEmpty { printError("There are no downloads.") }
    for download in downloads.reversed() { print(line(for: download)) }
    return ExitStatus.success
  }

  private func remove(from downloader: Downloader) throws(DownloadFailure) -> Int32 {
    let downloads = try downloader.listed()
    var (named, status) = ([Downloader.Listed](), ExitStatus.success)
    for text in remove {
      let found = downloads.filter { $0.isNamed(text) }
      if found.isEmpty {
        let name = cleanedLine(text.hidingPassword, limit: 80)
        printError("Could not remove “\(name)”: no download has this address or ID. Run feedfall download --list.")
        status = ExitStatus.failure
      }
      named += found.filter { download in !named.contains { $0.request.key == download.request.key } }
    }
    guard !named.isEmpty else { return status }
    let what = named.count == 1 ? "the download of “\(named[0].request.title)”" : "\(named.count) downloads"
    if let refusal = FeedfallProgram.refusal(of: "Remove \(what) and delete the files?", isGiven: yes) {
      return refusal
    }
    for download in named {
      let title = download.request.title
      do throws(DownloadFailure) {
        if let remaining = try downloader.deleteFiles(of: download.request.key) { throw remaining }
        print("Removed the download of “\(title)”.")
      } catch {
        printError(FeedFailure(error).message("Could not remove the download of “\(title)”"))
        status = ExitStatus.failure
      }
    }
    return status
  }
}
