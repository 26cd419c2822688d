import ArgumentParser
import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Synchronization
import WaterfallEngine

// Each property declares an option: its name on the command line and in the configuration file, its help and its
// values. `apply` gives it to the part of the program that uses it.

/// The options of the configuration file; `feedfall` accepts the same ones as arguments.
struct OptionArguments: ParsableArguments {
  @OptionGroup var feed: Feed
  @OptionGroup var view: View

  @Flag(inversion: .prefixedNo, help: "Use the mouse (default), or leave it to the terminal.")
  var mouse: Bool?

  @Flag(inversion: .prefixedNo, help: "Use colors (default: yes, or no if NO_COLOR is not empty).")
  var color: Bool?

  @Flag(inversion: .prefixedNo, help: LiveOptions.Word.animations.argumentHelp)
  var animations: Bool?

  @Option(.theme, choice)
  var theme: ThemeChoice?

  @Option("How to draw covers (default: auto, the best way that the terminal supports).")
  var images: PictureChoice?

  @Option("How to draw videos (default: auto, the best way that the terminal has confirmed).")
  var videoOutput: VideoChoice?

  @Option("Where s searches if the tab's server has no search (default: youtube with yt-dlp, else peertube).")
  var search: SearchService?

  @Option(TabChoice.help)
  var tabs: TabChoice?

  @Option(RefreshRule.help, "start|manual|30m", refreshRule)
  var refresh: RefreshRule?

  @Option(.player, choice)
  var player: PlayerChoice?

  @Option("The largest height of videos to play, if there is a choice.", "pixels", number(in: 144...4320))
  var videoHeight: Int?

  @Flag(inversion: .prefixedNo, help: "Play the next video when one has ended, or not (default).")
  var autoplay: Bool?

  @Option("Play the selected video muted in its cover, or not (default: in kitty on this machine).")
  var preview: ViewOptions.Preview?

  @Option("The largest amount of data for a preview in MB (default: 10).", "mb", number(in: 1...1000))
  var previewLimit: Int?

  @Option("Mark or skip the sponsors in YouTube's videos that SponsorBlock knows (default: off).")
  var sponsorblock: ViewOptions.Segments?

  @Option(
    "What to mark or skip, separated by commas (default: sponsor): "
      + VideoSegment.Category.allCases.map(\.rawValue).formattedAsChoice + ".", "names", choices)
  var sponsorblockCategories: [VideoSegment.Category]?

  @Option(AppSettings.titlesHelp)
  var dearrow: ViewOptions.DeArrow?

  @Option("The address of SponsorBlock's and DeArrow's server (default: their own).", "address", server)
  var sponsorblockServer: WebAddress?

  @Flag(inversion: .prefixedNo, help: "Use mpv's own configuration in its window, or not (default).")
  var mpvConfig: Bool?

  @Option(
    "The part of a video, from 0.5 to 1, after which it counts as watched (default: 0.9).", "share",
    number(in: 0.5...1))
  var watchedAfter: Double?

  @Flag(inversion: .prefixedNo, help: ArgumentHelp(OptionWords.unwatchedOnly))
  var unwatchedOnly: Bool?

  @Option(OptionWords.newSource, "n|all", newSourceCount)
  var newSource: ViewOptions.NewSource?

  @Option(
    "The folder for marks and resume positions, which several devices may share (default: ~/.local/state/feedfall).",
    "folder", completion: .directory, folder)
  var stateFolder: String?

  @OptionGroup var downloads: Downloads

  enum PlayerChoice: String, CaseIterable { case terminal, window }

  func apply(to options: inout ViewOptions) {
    view.apply(to: &options)
    options.terminal.usesMouse = mouse ?? options.terminal.usesMouse
    options.terminal.usesColor = color ?? options.terminal.usesColor
    if let theme { options.terminal.theme = ThemeSettings(theme) }
    options.cards.animates = animations ?? options.cards.animates
    options.terminal.pictures = images ?? options.terminal.pictures
    options.terminal.video = videoOutput ?? options.terminal.video
    options.playing.watchedShare = watchedAfter ?? options.playing.watchedShare
    options.hidesWatched = unwatchedOnly ?? options.hidesWatched
    options.newSource = newSource ?? options.newSource
    options.stateFolder = stateFolder ?? options.stateFolder
    options.search = search ?? options.search
    options.tabs = tabs ?? options.tabs
    options.refresh = refresh ?? options.refresh
    if let player { options.playing.usualPresentation = player == .window ? .window : .cells }
    options.playing.maximumHeight = videoHeight ?? options.playing.maximumHeight
    options.playing.autoplays = autoplay ?? options.playing.autoplays
    options.preview = preview ?? options.preview
    options.previewMegabytes = previewLimit ?? options.previewMegabytes
    options.segments = sponsorblock ?? options.segments
    options.sponsorBlock.categories = sponsorblockCategories ?? options.sponsorBlock.categories
    options.deArrow = dearrow ?? options.deArrow
    options.sponsorBlock.server = sponsorblockServer ?? options.sponsorBlock.server
    options.usesPlayerConfiguration = mpvConfig ?? options.usesPlayerConfiguration
    downloads.apply(to: &options)
  }
}

// The options that other commands accept too.
extension OptionArguments {
  struct Feed: ParsableArguments {
    @Option("The number of videos per page (default: 20).", "n", number(in: 1...1000))
    var pageSize: Int?

    @Option("The number of a feed's first page (default: 0).", "n", number(in: 0...1_000_000))
    var firstPage: Int?

    @Option("How long to wait for data from a server, in seconds (default: 10).", "seconds", number(in: 0.1...3600))
    var timeout: Double?

    @Option(
      "The proxy for sources, videos and downloads, or none (default: from http_proxy, https_proxy or all_proxy).",
      "address", proxyAddress)
    var proxy: Configuration.Proxy?

    func apply(to options: inout SourceOptions) {
      options.pageSize = pageSize ?? options.pageSize
      options.firstPage = firstPage ?? options.firstPage
      options.timeoutSeconds = timeout ?? options.timeoutSeconds
      if let proxy { options.proxies = ProxyDirectory(ProxyDirectory.ofEnvironment.common.replacing(proxy.address)) }
    }
  }

  struct View: ParsableArguments {
    @Option(.layout, choice)
    var layout: LayoutKind?

    @Option(.columns, number(in: 1...100))
    var columns: Int?

    @Option(.minColumnWidth, number(in: 4...1000))
    var minColumnWidth: Int?

    @Option(.order, ItemOrder.init(argument:))
    var order: ItemOrder?

    @Option(.group, choice)
    var group: LayoutOptions.Grouping?

    @Option(.card, choice)
    var card: LayoutOptions.CardStyle?

    @Option(.spacing, cells)
    var spacing: Size?

    @Option(.inset, cells)
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

  struct Downloads: ParsableArguments {
    @Option(
      "The folder for downloads (default: feedfall in the folder for videos).", "folder", completion: .directory,
      folder)
    var downloadFolder: String?

    func apply(to options: inout ViewOptions) { options.downloadFolder = downloadFolder ?? options.downloadFolder }
  }
}

extension ViewOptions {
  func downloadFolder(_ environment: Environment = .process) -> String? {
    downloadFolder ?? environment.videosFolder.map { $0 + "/feedfall" }
  }
}

extension Option {
  init<Wrapped>(
    _ help: String, _ valueName: String, completion: CompletionKind? = nil,
    _ transform: @Sendable @escaping (String) throws -> Wrapped
  ) where Value == Wrapped? {
    self.init(help: ArgumentHelp(help, valueName: valueName), completion: completion, transform: transform)
  }

  fileprivate init<Choice: CaseIterable & RawRepresentable<String>>(_ help: String) where Value == Choice? {
    let values = Choice.allCases.map(\.rawValue)
    self.init(help, values.joined(separator: "|"), completion: .list(values), choice)
  }

  fileprivate init<Wrapped>(
    _ word: LiveOptions.Word, _ transform: @Sendable @escaping (String) throws -> Wrapped
  ) where Value == Wrapped? {
    self.init(
      help: word.argumentHelp, completion: word.values.isEmpty ? nil : .list(word.values), transform: transform)
  }
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

private func newSourceCount(_ text: String) throws -> ViewOptions.NewSource {
  if text == "all" { return .all }
  guard let count = Int(text), (0...1_000).contains(count) else { throw ValidationError(OptionWords.newSourceFault) }
  return .newest(count)
}

private func folder(_ text: String) throws -> String {
  if text.hasPrefix("/") { return text }
  guard text.hasPrefix("~/"), let home = Environment.process.home else {
    throw ValidationError("Write an absolute path, or one in the home folder such as ~/Sync/feedfall.")
  }
  return home + text.dropFirst()
}

private func cells(_ text: String) throws -> Size {
  guard let size = Size(parsing: text, in: 0...LayoutOptions.maximumSpacing) else {
    throw ValidationError("Write columns and rows such as 2x1, from 0x0 to 20x20.")
  }
  return size
}

extension Size {
  init?(parsing text: String, in limits: ClosedRange<Int>) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], limits.contains(width),
      limits.contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
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

private func proxyAddress(_ text: String) throws -> Configuration.Proxy {
  if text == "none" { return .none }
  guard let address = ProxyAddress(text, setting: "the proxy option") else {
    throw ValidationError("Write an address such as http://host:3128 or socks5://host:1080, or none.")
  }
  return .address(address)
}

private func refreshRule(_ text: String) throws -> RefreshRule {
  guard let rule = RefreshRule(text) else { throw ValidationError(RefreshRule.advice) }
  return rule
}

private func server(_ text: String) throws -> WebAddress {
  guard let address = WebAddress(text), address.query == nil else {
    throw ValidationError("Write a web address such as https://sponsor.ajay.app.")
  }
  return address
}

extension [String] {
  fileprivate var formattedAsChoice: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

extension ItemOrder {
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

// The options that can change while the program runs: on the command line, in the configuration and after `:`.
extension LiveOptions.Word {
  fileprivate static let layout = Self("layout", LayoutKind.self, "the layout of cards (default: waterfall)")
  fileprivate static let columns = Self(
    name: "columns", valueName: "n", help: "the number of columns, regardless of the width of the terminal")
  fileprivate static let minColumnWidth = Self(
    name: "min-column-width", valueName: "cells",
    help: "as many columns as fit with at least this many cells each (default: 24)")
  fileprivate static let order = Self(
    name: "order", valueName: "order", values: ["shortest", "left-to-right", "right-to-left", "tolerance=4"],
    help: "where a waterfall puts the next card (default: shortest)")
  fileprivate static let group = Self("group", LayoutOptions.Grouping.self, "how videos are grouped (default: feed)")
  fileprivate static let card = Self("card", LayoutOptions.CardStyle.self, "the form of cards (default: modern)")
  fileprivate static let spacing = Self(
    name: "spacing", valueName: "size", help: "the columns and rows between cards (default: 2x1)")
  fileprivate static let inset = Self(
    name: "inset", valueName: "size", help: "the columns and rows around the cards of each section")
  fileprivate static let theme = Self("theme", ThemeChoice.self, "the colors (default: auto, as the background)")
  fileprivate static let player = Self(
    "player", OptionArguments.PlayerChoice.self, "where videos play: in the terminal (default) or in mpv's own window")
  fileprivate static let animations = Self(
    name: "animations", valueName: "choice", values: flagValues,
    help: "animate cards and the carousel (default), or move them at once")

  private static let flagValues = ["true", "false"]

  /// For the other options, true and false are values, which the parser refuses.
  fileprivate var isFlag: Bool { values == Self.flagValues }

  private init<Value: CaseIterable & RawRepresentable<String>>(_ name: String, _ type: Value.Type, _ help: String) {
    self.init(name: name, valueName: name, values: Value.allCases.map(\.rawValue), help: help)
  }

  fileprivate var argumentHelp: ArgumentHelp {
    ArgumentHelp(
      help.prefix(1).uppercased() + help.dropFirst() + ".",
      valueName: values.isEmpty ? valueName : values.joined(separator: "|"))
  }
}

final class LiveOptionValues: Sendable {
  private let current: Mutex<ViewOptions>

  init(_ options: sending ViewOptions) { current = Mutex(options) }

  static let words: [LiveOptions.Word] = [
    .layout, .columns, .minColumnWidth, .order, .group, .card, .spacing, .inset, .theme, .player, .animations,
  ]

  func set(_ name: String, _ value: String) -> AppEvent {
    guard let word = Self.words.first(where: { $0.name == name }) else {
      return .optionRefused(name: name, reason: "it cannot change while feedfall runs. Set it in the configuration.")
    }
    let argument = word.isFlag ? Configuration.Option(name: name, value: value).argument : "--\(name)=\(value)"
    do {
      let arguments = try OptionArguments.parse([argument])
      return current.withLock { options in
        arguments.apply(to: &options)
        return .optionsChanged(LiveOptions(options), name: name, value: value)
      }
    } catch {
      return .optionRefused(name: name, reason: Self.reason(error, value))
    }
  }

  private static func reason(_ error: any Error, _ value: String) -> String {
    let message = OptionArguments.message(for: error)
    let advice = message.firstRange(of: "': ").map { String(message[$0.upperBound...]) } ?? "Write true or false."
    return cleanedLine("“\(value)” is not valid. \(advice)")
  }
}

extension LiveOptions {
  fileprivate init(_ options: ViewOptions) {
    self.init(
      layout: options.layout, layoutOptions: options.cards, theme: options.terminal.theme,
      presentation: options.playing.usualPresentation)
  }
}
