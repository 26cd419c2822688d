/// Typed access to option values. A value of the wrong type or out of range throws a fault with its place.
extension TomlEntry {
  func string() throws(ConfigurationFault) -> String {
    guard case .string(let text) = item.value else { throw .wrong(key, item, needed: "a text in quotation marks") }
    return text
  }

  func boolean() throws(ConfigurationFault) -> Bool {
    guard case .boolean(let value) = item.value else { throw .wrong(key, item, needed: "true or false") }
    return value
  }

  func integer(_ limits: ClosedRange<Int>) throws(ConfigurationFault) -> Int {
    let needed = "a whole number from \(OptionLimits.words(limits))"
    guard case .integer(let value) = item.value else { throw .wrong(key, item, needed: needed) }
    guard limits.contains(value) else {
      throw .wrong(key, item, value: "\(value)", needed: needed)
    }
    return value
  }

  func number(_ limits: ClosedRange<Double>) throws(ConfigurationFault) -> Double {
    let needed = "a number from \(OptionLimits.words(limits))"
    let value: Double
    switch item.value {
    case .integer(let whole): value = Double(whole)
    case .number(let number): value = number
    case .table, .array, .string, .boolean, .moment: throw .wrong(key, item, needed: needed)
    }
    guard limits.contains(value) else {
      throw .wrong(key, item, value: "\(value)", needed: needed)
    }
    return value
  }

  func choice<Choice: RawRepresentable<String>>(_ choices: [Choice]) throws(ConfigurationFault) -> Choice {
    let text = try string()
    guard let choice = Choice(rawValue: text) else {
      let names = choices.map(\.rawValue).joined(separator: ", ")
      throw .wrong(key, item, value: "\"\(text)\"", needed: "one of \(names)")
    }
    return choice
  }
}
