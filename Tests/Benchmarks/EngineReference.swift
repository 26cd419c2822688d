/// The minimal work of a waterfall of four columns: finding the shortest column, without storing anything.
func limitProbe(_ heights: [Int]) -> Int {
  var first = 0
  var second = 1
  var third = 2
  var fourth = 3
  for height in heights {
    // The columns sorted by their ends, each with its number in the low bits.
    let raised = first &+ (height &+ 1) << 12
    first = min(second, raised)
    let rest = max(second, raised)
    second = min(third, rest)
    let last = max(third, rest)
    third = min(fourth, last)
    fourth = max(fourth, last)
  }
  return fourth >> 12
}
