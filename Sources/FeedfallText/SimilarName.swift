/// Returns the known name that a misspelled one probably means; nil if none is similar.
///
/// - Complexity: O(n · m) per known name, for names of n and m characters.
package func similarName(to name: String, among known: [String]) -> String? {
  let nearest = known.map { (name: $0, distance: editDistance($0, name)) }.min { $0.distance < $1.distance }
  return nearest.flatMap { $0.distance <= max(min(2, name.count / 2), name.count / 3) ? $0.name : nil }
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
