import FeedfallFilters
import FeedfallText

/// Parses the `[[view]]` tables. A table with a fault is omitted.
enum ViewReader {
  private enum Key: String, CaseIterable {
    case name
    case filter = "where"
    case sort
  }

  static func views(
    _ entry: TomlEntry, _ faults: inout [ConfigurationFault]
  ) throws(ConfigurationFault) -> [ConfiguredView] {
    guard case .array(let items) = entry.item.value else {
      throw ConfigurationFault(
        at: entry.keyPlace, "\"view\" is not a list of tables", advice: "Write [[view]] with double brackets.")
    }
    guard items.count <= Configuration.maximumViewCount else {
      let most = Configuration.maximumViewCount
      throw ConfigurationFault(at: items[most].place, "there are more than \(most) views", advice: "Remove some.")
    }
    var views: [ConfiguredView] = []
    for item in items {
      do { views.append(try view(item, after: views)) } catch { faults.append(error) }
    }
    return views
  }

  private static func view(
    _ item: TomlItem, after others: [ConfiguredView]
  ) throws(ConfigurationFault) -> ConfiguredView {
    guard case .table(let entries) = item.value else { throw .wrong("view", item, needed: "a [[view]] table") }
    var name: String?
    var query: FilterQuery?
    var order: (TomlEntry, VideoOrder)?
    for entry in entries {
      switch Key(rawValue: entry.key) {
      case .name: name = try entry.name(notAmong: others.map(\.name), of: "view")
      case .filter: query = try entry.filterQuery()
      case .sort: order = (entry, try entry.videoOrder())
      case nil: throw .unknown(entry.key, at: entry.keyPlace, known: Key.allCases.map(\.rawValue))
      }
    }
    guard let name else {
      throw ConfigurationFault(at: item.place, "the view has no name", advice: "Write name = \"…\".")
    }
    guard var query else {
      throw ConfigurationFault(at: item.place, "the view has no filter", advice: "Write where = \"…\".")
    }
    if let (entry, order) = order { query = try entry.query(query, sortedBy: order) }
    return ConfiguredView(name: name, query: query)
  }
}

extension TomlEntry {
  private static let longestName = 80

  /// Returns a name that is not in use. `kind` is that of the table, for messages.
  func name(notAmong others: [String], of kind: String) throws(ConfigurationFault) -> String {
    let text = try string()
    let name = cleanedLine(text, limit: Self.longestName)
    guard !name.isEmpty, name == text else {
      throw ConfigurationFault(
        at: item.place, "the name is not valid",
        advice:
          "Write 1 to \(Self.longestName) characters on one line, without leading, trailing or double spaces.")
    }
    guard !others.contains(name) else {
      throw ConfigurationFault(
        at: item.place, "another \(kind) has the name \"\(name)\"", advice: "Choose another name.")
    }
    return name
  }

  func videoOrder() throws(ConfigurationFault) -> VideoOrder {
    let text = try string()
    guard let order = VideoOrder(rawValue: text) else {
      throw .unknown(text, at: item.place, known: VideoOrder.allCases.map(\.rawValue))
    }
    return order
  }

  func query(_ query: FilterQuery, sortedBy order: VideoOrder) throws(ConfigurationFault) -> FilterQuery {
    guard query.order == nil else {
      throw ConfigurationFault(at: keyPlace, "the filter has an order as well", advice: "Remove one of them.")
    }
    do { return try FilterQuery("\(query.text) sort:\(order.rawValue)") } catch {
      throw ConfigurationFault(at: keyPlace, error.reason, advice: error.advice)
    }
  }

  /// Parses a filter. The place of its fault is that in the document if the text has no escapes.
  func filterQuery() throws(ConfigurationFault) -> FilterQuery {
    let text = try string()
    do { return try FilterQuery(text) } catch {
      let place = TextPlace(line: item.place.line, column: item.place.column + error.column)
      throw ConfigurationFault(at: place, error.reason, advice: error.advice)
    }
  }
}
