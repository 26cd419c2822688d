/// The nearest known name, or else the nearest with a word in common such as `height`; nil if none is similar.
package func similarName(to name: String, among known: [String]) -> String? {
  let distances = known.map { (name: $0, distance: editDistance($0, name)) }.sorted { $0.distance < $1.distance }
  if let nearest = distances.first(where: { isTypingMistake(name, for: $0.name, distance: $0.distance) }) {
    return nearest.name
  }
  let words = words(of: name)
  return distances.first { !words.isDisjoint(with: FeedfallText.words(of: $0.name)) }?.name
}

/// Typing mistakes rarely affect the first letter.
private func isTypingMistake(_ name: String, for known: String, distance: Int) -> Bool {
  let limit = max(min(2, name.count / 2), name.count / 3)
  return distance <= (name.first == known.first ? limit : min(1, limit))
}

/// The words of a name that are long enough to identify it.
private func words(of name: String) -> Set<Substring> {
  Set(name.split { "-_ ".contains($0) }.filter { $0.count >= 4 })
}

/// Returns the Levenshtein distance between the first 40 characters of two texts.
private func editDistance(_ left: String, _ right: String) -> Int {
  let right = Array(right.prefix(40))
  var row = Array(0...right.count)
  for (number, character) in left.prefix(40).enumerated() {
    var diagonal = row[0]
    row[0] = number + 1
    for column in right.indices {
      let change = diagonal + (right[column] == character ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[right.count]
}
