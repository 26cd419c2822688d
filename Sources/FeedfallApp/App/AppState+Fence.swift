#if DEBUG
  extension AppState {
    /// Runs the passes again and returns how the result differs from the state; nil, as it should be, if it does not.
    func differenceAfterSecondRun(after event: AppEvent) -> String? {
      var again = self
      let effects = again.runPasses(afterInput: event.isInput, slidingTab: nil)
      let difference = effects.isEmpty ? Self.difference(self, again) : "effects \(effects)"
      let name = Mirror(reflecting: event).children.first?.label ?? "\(event)"
      return difference.map { "After the event \(name), a second run of the passes changes the state: \($0)" }
    }

    /// The path of the first member that differs, with both values. Equal bytes mean equal values, and shared buffers.
    private static func difference<Value>(_ old: Value, _ new: Any, at path: String = "state") -> String? {
      guard let new = new as? Value else { return "\(path) has another type" }
      if haveSameBytes(old, new) { return nil }
      if let old = old as? any Equatable { return areEqual(old, new) ? nil : "\(path): \(old) → \(new)" }
      let (olds, news) = (Mirror(reflecting: old).children, Mirror(reflecting: new).children)
      guard olds.count == news.count, !olds.isEmpty || "\(old)" == "\(new)" else { return "\(path): \(old) → \(new)" }
      for (number, (old, new)) in zip(olds, news).enumerated() {
        guard old.label == new.label else { return "\(path): \(old) → \(new)" }
        let found = difference(old.value, new.value, at: "\(path).\(old.label ?? "\(number)")")
        if let found { return found }
      }
      return nil
    }

    private static func haveSameBytes<Value>(_ old: Value, _ new: Value) -> Bool {
      withUnsafeBytes(of: old) { old in
        withUnsafeBytes(of: new) { new in
          let wordCount = old.count / 8
          for word in 0..<wordCount
          where old.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
            != new.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
          { return false }
          return old[(wordCount * 8)...].elementsEqual(new[(wordCount * 8)...])
        }
      }
    }

    private static func areEqual<Value: Equatable>(_ old: Value, _ new: Any) -> Bool { new as? Value == old }
  }
#endif
