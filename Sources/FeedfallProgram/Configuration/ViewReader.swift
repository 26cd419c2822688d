import FeedfallApp
import FeedfallFilters
import FeedfallText

/// Parses the `[[view]]` tables. A view without a name or a filter is left out.
extension Configuration.View {
  private enum Key: String, CaseIterable {
    case name
    case filter = "where"
    case sort, layout

    /// For the manual.
    var meaning: String {
      switch self {
      case .name: "the name of its tab; `feedfall NAME` shows it first"
      case .filter: "the filter of its videos, which come from all sources"
      case .sort: "its order, as after `sort:` in a filter"
      case .layout: "its layout (default: that of the other tabs)"
      }
    }
  }

  static let keys = Key.allCases.map(\.rawValue)
  static let keyMeanings = Key.allCases.map { ($0.rawValue, $0.meaning) }

  /// Skips faulty lines, and adds their faults to `faults`.
  static func views(
    _ entry: TomlValue.Entry, _ faults: inout [ConfigurationFault], _ isOption: (String) -> Bool
  ) -> [Self] {
    var views: [Self] = []
    for (place, entries) in entry.tables(limit: Configuration.maximumViewCount, &faults) {
      var table = Table(takenNames: Set(views.map(\.name)))
      for entry in entries {
        do { try table.set(entry, isOption) } catch { table.faults.append(error) }
      }
      let hasSyntaxFault = faults.contains { $0.tableLine == place.line }
      table.finish(at: place, isIncomplete: hasSyntaxFault).map { views.append($0) }
      faults += table.faults
    }
    return views
  }

  private struct Table {
    let takenNames: Set<String>
    var faults: [ConfigurationFault] = []
    private var name: String?
    private var query: FilterQuery?
    private var order: (TomlValue.Entry, VideoOrder)?
    private var layout: LayoutKind?

    init(takenNames: Set<String>) { self.takenNames = takenNames }

    mutating func set(_ entry: TomlValue.Entry, _ isOption: (String) -> Bool) throws(ConfigurationFault) {
      switch Key(rawValue: entry.writtenKey) {
      case .name: name = try entry.name(notAmong: takenNames, of: "view")
      case .filter where query != nil: throw .secondFilter(entry)
      case .filter: query = try entry.filterQuery()
      case .sort: order = (entry, try entry.choice(of: VideoOrder.self))
      case .layout: layout = try entry.choice(of: LayoutKind.self)
      case nil: throw .unknown(entry, known: keys, below: ConfigurationFault.firstList, isOption)
      }
    }

    /// Without a name or a filter there is no view; that is a fault unless a faulty line may be the missing one.
    mutating func finish(at place: TextPlace, isIncomplete: Bool) -> Configuration.View? {
      let isIncomplete = isIncomplete || !faults.isEmpty
      if name == nil, !isIncomplete {
        faults.append(ConfigurationFault(at: place, "the view has no name", advice: "Write name = \"…\"."))
      }
      if query == nil, !isIncomplete {
        faults.append(ConfigurationFault(at: place, "the view has no filter", advice: "Write where = \"…\"."))
      }
      guard let name, var query else { return nil }
      if let (entry, order) = order {
        do { query = try entry.query(query, sortedBy: order) } catch { faults.append(error) }
      }
      return Configuration.View(name: name, query: query, layout: layout)
    }
  }
}

extension TomlValue.Entry {
  private static let longestName = 80

  /// The tables of a list such as `[[source]]`. Other items and those beyond the limit are faults.
  func tables(
    limit: Int, _ faults: inout [ConfigurationFault]
  ) -> [(place: TextPlace, entries: [TomlValue.Entry])] {
    guard case .array(let items) = item.value else {
      faults.append(.singleTable(named: key, at: keyPlace))
      return []
    }
    let hidesSource = key == "source"
    if items.count > limit {
      let reason = "there are more than \(limit) \(key)s"
      faults.append(items[limit].fault(reason, advice: "Remove some.", hidesSource: hidesSource))
    }
    return items.prefix(limit).compactMap { item -> (place: TextPlace, entries: [TomlValue.Entry])? in
      if case .table(let entries) = item.value { return (item.place, entries) }
      var fault = ConfigurationFault.wrong(key, item, needed: "a [[\(key)]] table")
      fault.hidesSource = hidesSource
      faults.append(fault)
      return nil
    }
  }

  /// The key; `filter`, as the program calls it, means `where`.
  var writtenKey: String { key == "filter" ? "where" : key }

  func name(notAmong others: Set<String>, of kind: String) throws(ConfigurationFault) -> String {
    let text = try string()
    let name = cleanedLine(text, limit: Self.longestName)
    guard !name.isEmpty, name == text else {
      let advice =
        "Write 1 to \(Self.longestName) characters on one line, without leading, trailing or double spaces."
      throw item.fault("the name is not valid", advice: advice)
    }
    guard !others.contains(name) else {
      throw item.fault("another \(kind) has the name \"\(name)\"", advice: "Choose another name.")
    }
    return name
  }

  func choice<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) throws(ConfigurationFault) -> Value {
    let text = try string()
    guard let value = Value(rawValue: text) else {
      throw .unknown(text, at: item.place, known: Value.allCases.map(\.rawValue))
    }
    return value
  }

  func query(_ query: FilterQuery, sortedBy order: VideoOrder) throws(ConfigurationFault) -> FilterQuery {
    guard query.order == nil else {
      throw ConfigurationFault(at: keyPlace, "the filter has an order as well", advice: "Remove one of them.")
    }
    do { return try FilterQuery("\(query.text) sort:\(order.rawValue)") } catch {
      throw ConfigurationFault(at: keyPlace, error.reason, advice: error.advice)
    }
  }

  /// The place of a fault is that in the document if the text has no escapes.
  func filterQuery() throws(ConfigurationFault) -> FilterQuery {
    let text = try string()
    do { return try FilterQuery(text) } catch {
      let place = TextPlace(line: item.place.line, column: item.place.column + error.column)
      throw ConfigurationFault(at: place, error.reason, advice: error.advice)
    }
  }
}
