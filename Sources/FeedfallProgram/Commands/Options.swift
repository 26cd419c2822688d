import ArgumentParser
import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import WaterfallEngine

// Each property declares an option: its name on the command line and in the configuration file, its help and its
// values. `apply` gives it to the part of the program that uses it.

/// The options of the configuration file; `feedfall` accepts the same ones as arguments.
struct OptionArguments: ParsableArguments {
  @OptionGroup var feed: SourceArguments
  @OptionGroup var view: ViewArguments
  @OptionGroup var terminal: TerminalArguments
  @OptionGroup var playing: PlayingArguments
  @OptionGroup var downloads: DownloadArguments

  /// Overwrites the settings that the user has chosen.
  func apply(to options: inout ViewOptions) {
    view.apply(to: &options)
    terminal.apply(to: &options)
    playing.apply(to: &options)
    downloads.apply(to: &options)
  }
}

struct SourceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The number of videos per page (default: 20).", valueName: "n"), transform: number(in: 1...1000))
  var pageSize: Int?

  @Option(
    help: ArgumentHelp("The number of a feed's first page (default: 0).", valueName: "n"),
    transform: number(in: 0...1_000_000))
  var firstPage: Int?

  @Option(
    help: ArgumentHelp("How long to wait for data from a server, in seconds (default: 10).", valueName: "seconds"),
    transform: number(in: 0.1...3600))
  var timeout: Double?

  @Option(
    help: ArgumentHelp(
      "The proxy for all sources, videos and downloads, or none (default: from http_proxy, https_proxy or all_proxy).",
      valueName: "address"),
    transform: proxyAddress)
  var proxy: ConfiguredProxy?

  func apply(to options: inout SourceOptions) {
    options.pageSize = pageSize ?? options.pageSize
    options.firstPage = firstPage ?? options.firstPage
    options.timeoutSeconds = timeout ?? options.timeoutSeconds
    if let proxy { options.proxies = ProxyDirectory(ProxyDirectory.ofEnvironment.common.replacing(proxy.address)) }
  }
}

/// The options for the layout of cards.
struct ViewArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The layout of cards: waterfall, grid, list, carousel or justified (default: waterfall).", valueName: "layout"),
    completion: .choices(of: LayoutKind.self), transform: choice)
  var layout: LayoutKind?

  @Option(
    help: ArgumentHelp("The number of columns, regardless of the width of the terminal.", valueName: "n"),
    transform: number(in: 1...100))
  var columns: Int?

  @Option(
    help: ArgumentHelp("As many columns as fit, each at least this many cells wide.", valueName: "cells"),
    transform: number(in: 4...1000))
  var minColumnWidth: Int?

  @Option(
    help: ArgumentHelp(
      "Where a waterfall puts the next card, not the order of the videos: shortest, left-to-right, right-to-left or tolerance=ROWS.",
      valueName: "order"), transform: ItemOrder.init(argument:))
  var order: ItemOrder?

  @Option(
    help: ArgumentHelp("Group videos by feed (the groups of the feed), day, channel or none.", valueName: "by"),
    completion: .choices(of: Grouping.self), transform: choice)
  var group: Grouping?

  @Option(
    help: ArgumentHelp(
      "The form of cards: modern, or classic (centered title, fixed proportions).", valueName: "form"),
    completion: .choices(of: CardStyle.self), transform: choice)
  var card: CardStyle?

  @Option(
    help: ArgumentHelp("The columns and rows between cards (default: 2x1).", valueName: "width>x<height"),
    transform: cells)
  var spacing: Size?

  @Option(
    help: ArgumentHelp("The columns and rows around the cards of each section.", valueName: "width>x<height"),
    transform: cells)
  var inset: Size?

  func validate() throws {
    guard columns == nil || minColumnWidth == nil else {
      throw ValidationError("--columns and --min-column-width exclude each other. Remove one of them.")
    }
  }

  func apply(to options: inout ViewOptions) {
    options.layout = layout ?? options.layout
    if let columns { options.cards.columns = .count(columns) }
    if let minColumnWidth { options.cards.columns = .minimumWidth(minColumnWidth) }
    options.cards.order = order ?? options.cards.order
    options.cards.grouping = group ?? options.cards.grouping
    options.cards.card = card ?? options.cards.card
    options.cards.spacing = spacing ?? options.cards.spacing
    options.cards.inset = inset ?? options.cards.inset
  }
}

struct TerminalArguments: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Use the mouse, or leave it to the terminal.")
  var mouse: Bool?

  @Flag(inversion: .prefixedNo, help: "Use color. The default is yes, or no if NO_COLOR is not empty.")
  var color: Bool?

  @Flag(inversion: .prefixedNo, help: "Animate cards and the carousel (default), or move them at once.")
  var animations: Bool?

  @Option(
    help: ArgumentHelp(
      "The colors: auto (dark or light, by the background), dark, light, terminal (its own 16 colors), gruvbox, nord, "
        + "solarized, catppuccin or dracula.", valueName: "theme"),
    completion: .choices(of: ThemeChoice.self), transform: choice)
  var theme: ThemeChoice?

  @Option(
    help: ArgumentHelp(
      "How to show covers: auto (best supported), kitty, sixel, cells, symbols (finer than cells) or none.",
      valueName: "images"), completion: .choices(of: PictureChoice.self), transform: choice)
  var images: PictureChoice?

  @Option(
    help: ArgumentHelp(
      "How to draw videos: auto (best confirmed), kitty, sixel, cells, or off for sound only.", valueName: "output"),
    completion: .choices(of: VideoChoice.self), transform: choice)
  var videoOutput: VideoChoice?

  func apply(to options: inout ViewOptions) {
    options.terminal.usesMouse = mouse ?? options.terminal.usesMouse
    options.terminal.usesColor = color ?? options.terminal.usesColor
    if let theme { options.terminal.theme = ThemeSettings(theme) }
    options.cards.animates = animations ?? options.cards.animates
    options.terminal.pictures = images ?? options.terminal.pictures
    options.terminal.video = videoOutput ?? options.terminal.video
  }
}

struct PlayingArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where videos play: terminal (default), or window for mpv's own window.", valueName: "where"),
    completion: .choices(of: PlayerChoice.self), transform: choice)
  var player: PlayerChoice?

  @Option(
    help: ArgumentHelp("The largest height of videos to play, if there is a choice.", valueName: "pixels"),
    transform: number(in: 144...4320))
  var videoHeight: Int?

  @Flag(inversion: .prefixedNo, help: "Play the next video when one has ended.")
  var autoplay: Bool?

  @Option(
    help: ArgumentHelp(
      "Play the selected video muted in its cover: off or selected (default: in kitty on this machine).",
      valueName: "when"), completion: .choices(of: PreviewChoice.self), transform: choice)
  var preview: PreviewChoice?

  @Option(
    help: ArgumentHelp("The largest amount of data for a preview in MB (default: 10).", valueName: "mb"),
    transform: number(in: 1...1000))
  var previewLimit: Int?

  @Option(
    help: ArgumentHelp(
      "Mark or skip the sponsors in YouTube's videos that SponsorBlock knows: off (default), mark or skip.",
      valueName: "action"), completion: .choices(of: SegmentChoice.self), transform: choice)
  var sponsorblock: SegmentChoice?

  @Option(
    help: ArgumentHelp(
      "The categories of SponsorBlock to mark or skip, separated by commas (default: sponsor).", valueName: "names"),
    transform: choices)
  var sponsorblockCategories: [VideoSegment.Category]?

  @Option(
    help: ArgumentHelp("The address of SponsorBlock's server (default: its own).", valueName: "address"),
    transform: server)
  var sponsorblockServer: WebAddress?

  @Flag(inversion: .prefixedNo, help: "Use mpv's own configuration in its window.")
  var mpvConfig: Bool?

  @Option(
    help: ArgumentHelp(
      "The part of a video, from 0.5 to 1, after which it counts as watched (default: 0.9).", valueName: "share"),
    transform: number(in: 0.5...1))
  var watchedAfter: Double?

  @Option(
    help: ArgumentHelp(
      "The folder for marks and resume positions, which several devices may share.", valueName: "folder"),
    completion: .directory, transform: folder)
  var stateFolder: String?

  func apply(to options: inout ViewOptions) {
    options.playing.watchedShare = watchedAfter ?? options.playing.watchedShare
    options.stateFolder = stateFolder ?? options.stateFolder
    if let player { options.playing.usualPresentation = player == .window ? .window : .cells }
    options.playing.maximumHeight = videoHeight ?? options.playing.maximumHeight
    options.playing.autoplays = autoplay ?? options.playing.autoplays
    options.preview = preview ?? options.preview
    options.previewMegabytes = previewLimit ?? options.previewMegabytes
    options.segments = sponsorblock ?? options.segments
    options.sponsorBlock.categories = sponsorblockCategories ?? options.sponsorBlock.categories
    options.sponsorBlock.server = sponsorblockServer ?? options.sponsorBlock.server
    options.usesPlayerConfiguration = mpvConfig ?? options.usesPlayerConfiguration
  }
}

struct DownloadArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder for downloads (default: feedfall in the folder for videos).", valueName: "folder"),
    completion: .directory, transform: folder)
  var downloadFolder: String?

  func apply(to options: inout ViewOptions) {
    options.downloadFolder = downloadFolder ?? options.downloadFolder
  }
}

extension ViewOptions {
  /// Returns the folder for downloads: the user's choice, or `feedfall` in the folder for videos.
  func downloadFolder(_ environment: Environment = .process) -> String? {
    downloadFolder ?? environment.videosFolder.map { $0 + "/feedfall" }
  }
}

enum PlayerChoice: String, CaseIterable {
  case terminal
  case window
}

/// The user's choice of the videos that play in their covers.
enum PreviewChoice: String, CaseIterable {
  case off
  case selected
}

/// The user's choice for the segments that SponsorBlock knows.
enum SegmentChoice: String, CaseIterable {
  case off
  case mark
  case skip
}

private func number<Value: LosslessStringConvertible & Comparable & Sendable>(
  in limits: ClosedRange<Value>
) -> @Sendable (String) throws -> Value {
  { text in
    guard let value = Value(text), limits.contains(value) else {
      let kind = Value.self == Int.self ? "a whole number" : "a number"
      let bounds = [limits.lowerBound, limits.upperBound].map { "\($0)".replacing(".0", with: "") }
      throw ValidationError("Write \(kind) from \(bounds[0]) to \(bounds[1]).")
    }
    return value
  }
}

/// Parses the path of a folder, absolute or in the home folder as `~/name`.
private func folder(_ text: String) throws -> String {
  if text.hasPrefix("/") { return text }
  guard text.hasPrefix("~/"), let home = Environment.process.home else {
    throw ValidationError("Write an absolute path, or one in the home folder such as ~/Sync/feedfall.")
  }
  return home + text.dropFirst()
}

/// Parses a distance in columns and rows, such as `2x1`.
private func cells(_ text: String) throws -> Size {
  let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
  let limits = 0...LayoutOptions.maximumSpacing
  guard parts.count == 2, let width = parts[0], let height = parts[1], limits.contains(width), limits.contains(height)
  else { throw ValidationError("Write columns and rows such as 2x1, from 0x0 to 20x20.") }
  return Size(width: width, height: height)
}

private func choice<Value: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Value {
  guard let value = Value(rawValue: text) else {
    throw ValidationError("Write \(Value.allCases.map(\.rawValue).formattedAsChoice).")
  }
  return value
}

private func choices<Value: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> [Value] {
  try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
    let name = name.drop { $0 == " " }
    return try choice(String(name.prefix { $0 != " " }))
  }
}

private func proxyAddress(_ text: String) throws -> ConfiguredProxy {
  if text == "none" { return .none }
  guard let address = ProxyAddress(text, setting: "the proxy option") else {
    throw ValidationError("Write an address such as http://host:3128 or socks5://host:1080, or none.")
  }
  return .address(address)
}

private func server(_ text: String) throws -> WebAddress {
  guard let address = WebAddress(text), address.query == nil else {
    throw ValidationError("Write a web address such as https://sponsor.ajay.app.")
  }
  return address
}

extension CompletionKind {
  fileprivate static func choices<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> CompletionKind
  {
    .list(Value.allCases.map(\.rawValue))
  }
}

extension [String] {
  /// The texts in the form `a, b or c`.
  fileprivate var formattedAsChoice: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

extension ItemOrder {
  /// Parses an order such as `tolerance=4`.
  fileprivate init(argument text: String) throws {
    let tolerance = "tolerance="
    switch text {
    case "shortest": self = .shortest
    case "left-to-right": self = .leftToRight
    case "right-to-left": self = .rightToLeft
    case _ where text.hasPrefix(tolerance): self = .tolerance(try number(in: 0...1000)(String(text.dropFirst(10))))
    default:
      throw ValidationError(
        "Write shortest, left-to-right, right-to-left or tolerance=ROWS. To order the videos, filter with sort:."
      )
    }
  }
}
