import ArgumentParser
import FeedfallApp
import FeedfallScreen
import FeedfallText
import Synchronization
import WaterfallEngine

/// The options that can change while the program runs, and their values.
final class LiveOptionValues: Sendable {
  private let current: Mutex<ViewOptions>

  init(_ options: sending ViewOptions) { current = Mutex(options) }

  static let words = [
    word("layout", LayoutKind.self, "the layout of the cards"),
    LiveOptions.Word(name: "columns", valueName: "n", help: "the number of columns"),
    LiveOptions.Word(
      name: "min-column-width", valueName: "cells", help: "as many columns as fit, each at least this wide"),
    LiveOptions.Word(
      name: "order", valueName: "order", values: ["shortest", "left-to-right", "right-to-left", "tolerance=4"],
      help: "where a waterfall puts the next card"),
    word("group", LayoutOptions.Grouping.self, "how videos are grouped"),
    word("card", LayoutOptions.CardStyle.self, "the form of cards"),
    LiveOptions.Word(name: "spacing", valueName: "width>x<height", help: "the columns and rows between cards"),
    LiveOptions.Word(name: "inset", valueName: "width>x<height", help: "the columns and rows around the cards"),
    word("theme", ThemeChoice.self, "the colors"),
    word("player", OptionArguments.PlayerChoice.self, "where videos play"),
    LiveOptions.Word(
      name: "animations", valueName: "choice", values: ["true", "false"], help: "animate cards and the carousel"),
  ]

  private static func word<Value: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ type: Value.Type, _ help: String
  ) -> LiveOptions.Word {
    LiveOptions.Word(name: name, valueName: name, values: Value.allCases.map(\.rawValue), help: help)
  }

  /// Sets an option to a value as in the configuration, and returns the event with all values or the reason.
  func set(_ name: String, _ value: String) -> AppEvent {
    guard Self.words.contains(where: { $0.name == name }) else {
      return .optionRefused(name: name, reason: "it cannot change while feedfall runs. Set it in the configuration.")
    }
    do {
      let arguments = try OptionArguments.parse([Self.argument(name, value)])
      return current.withLock { options in
        arguments.apply(to: &options)
        return .optionsChanged(LiveOptions(options), name: name, value: value)
      }
    } catch {
      return .optionRefused(name: name, reason: Self.reason(error, value))
    }
  }

  private static func argument(_ name: String, _ value: String) -> String {
    guard name == "animations" else { return "--\(name)=\(value)" }
    switch value {
    case "true": return "--\(name)"
    case "false": return "--no-\(name)"
    default: return "--\(name)=\(value)"
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
