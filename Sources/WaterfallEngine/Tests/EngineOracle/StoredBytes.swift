import WaterfallEngine

extension CollectionLayout {
  /// The memory of the layout's arrays, in bytes, with the room in them that is not used yet. O(sections).
  public var storedByteCount: Int { byteCount(of: self) }
}

/// An array that is asked for its memory without its element type.
private protocol StoredElements {
  var byteCount: Int { get }
}

extension Array: StoredElements {
  fileprivate var byteCount: Int { arrayByteCount(self, capacity) }
}

extension ContiguousArray: StoredElements {
  fileprivate var byteCount: Int { arrayByteCount(self, capacity) }
}

/// Elements of a plain type refer to no other memory.
private func arrayByteCount<Elements: Collection>(_ elements: Elements, _ capacity: Int) -> Int {
  let nested = _isPOD(Elements.Element.self) ? 0 : elements.reduce(0) { $0 + byteCount(of: $1) }
  return capacity * MemoryLayout<Elements.Element>.stride + nested
}

private func byteCount(of value: Any) -> Int {
  if let array = value as? any StoredElements { return array.byteCount }
  return Mirror(reflecting: value).children.reduce(0) { $0 + byteCount(of: $1.value) }
}
