#if DEBUG
  extension AppState {
    /// Nil, as it should be, if a second run of the passes changes nothing and has no effects.
    package func differenceAfterSecondRun(after event: AppEvent) -> String? {
      var again = self
      let effects = again.runPasses(afterInput: event.isInput, slidingTab: nil)
      guard again != self || !effects.isEmpty else { return nil }
      let name = Mirror(reflecting: event).children.first?.label ?? "\(event)"
      let change = effects.isEmpty ? "changes state\(Self.difference(self, again) ?? "")" : "has effects: \(effects)"
      return "After the event \(name), a second run of the passes \(change)"
    }

    private static func difference(_ old: Any, _ new: Any) -> String? {
      if let old = old as? any Equatable, isEqual(old, new) { return nil }
      for (old, new) in zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children) {
        if let path = difference(old.value, new.value) { return ".\(old.label ?? "element")\(path)" }
      }
      return ": \(old) → \(new)"
    }

    private static func isEqual<Value: Equatable>(_ old: Value, _ new: Any) -> Bool { new as? Value == old }
  }
#endif
