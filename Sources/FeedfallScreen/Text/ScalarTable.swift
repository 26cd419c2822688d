/// The kind of every Unicode scalar value, as a table of ranges.
/// Generated from the `wcwidth` of glibc 2.36 (Unicode 14), so that it agrees with curses. Scalars whose width later
/// Unicode versions changed are `replaced`, because terminals disagree about them. The class of line breaking is that
/// of UAX #14 for Unicode 14. A width is uncertain if xterm, kitty, tmux or GNU screen has another one, and for all
/// spacing marks and viramas.
enum ScalarTable {
  /// The starts of ranges, ascending: a `Kind` in the lowest three bits, a `BreakClass` in the next three, then
  /// whether the width is uncertain, and the first scalar value of the range, which ends before the next entry's.
  static let boundaries: [UInt32] = {
    var boundaries: [UInt32] = []
    var (start, distance): (UInt32, UInt32?) = (0, nil)
    for byte in steps.utf8 {
      if byte < UInt8(ascii: "a") {
        distance = (distance ?? 0) * 10 + UInt32(byte - UInt8(ascii: "0"))
      } else {
        start += (distance ?? 1) << 7
        boundaries.append(start | letters[Int(byte - UInt8(ascii: "a"))])
        distance = nil
      }
    }
    return boundaries
  }()

  /// The lowest seven bits of entries, for the letters from `a` on.
  private static let letters: [UInt32] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 24, 32, 64, 65, 66, 72]

  /// The entries of `boundaries`: the distance from the range before, unless it is 1, and a letter.
  private static let steps = """
    0d9gf4d18aimakiamkiaki4a10i2a3ia27k2ia29ki2ad6fd26mkik3a5kada2ika2ka6ia3ka520ka3ka18ka32c79dc32a8e2a4iae4a7eaea20ea\
    224c4qc2a166ea38e2a48i2e2a2kec45icac2ac2ice8a27e4a6e11d6a3i5a2c6q5idi3a43c20qa10ia5ca99iac7doc6a2c2ac4a32edaca30c\
    27e2a89c11ae14a43c9a4i2ae2qk2a22q4aq9aq3aq5e2a15ea25q3e2aea11e5a31ed2e6q8a42q24dq30c2oa54qocao3c8o4qo2ac4q3a10c2i2a\
    27co2ea8e2a2e2a22ea7eae3a4e2cao3c4e2o2e2o2qae8oe4a2ea3c2e2a12i2a5iaka2qe2c2oea6e4a2e2a22ea7ea2ea2ea2e2ceo3c2e4c2e2c\
    2qe3qe7a4eae7a10c2a3qae10c2oea9ea3ea22ea7ea2ea5e2cao3c5ec2oeo2qe2ae15a2c2e2a11ke7aq6eco2ea8e2a2e2a22ea7ea2ea5e2caoc\
    oc3qe2o2e2o2qe7qcoe4a2ea3q2e2a18e10caea6e3a3ea4e3a2eaea2e3a2e3a3e3a12e4o2co2e3o3eo3qe2ae6oe14a19kae5qo3qa8ea3ea23ea\
    16e2qac3o4ec3ec3qe7c2ea3e2ae2a2q2e2a10e7ka9qo2ka8ea3ea23ea10ea5e2caoco5eco2eo2cqe7o2e6a2ea2c2e2a10ea2e13q2o2a9ea3ea\
    41q2ao3c3qeo3eo3qa2e4a3oa10q2e2a19ia6eqo2ea18e3a24ea9eae2a7e3qe4o3c3eceo8e6a10e2o2ae12a48ca2c6qe4ka7c8a11i2e37a2eae\
    a5ea24eaea10ca2c6qc2ae2a5eaec6e2a10e2a4e32ak4ak2mk2imi5maia3c2a26icacackikio2a8ea36e4c14rc4qic2a5q3c8ec36ei2a6ca6ea\
    2k2ika5m2e37a43o2c4ocq3c2oq2o2q2a11i2a10o2c2a4q3ao3a2o7a3q4a13qo2q2o6qaoa10o3qa40eae5ae2a48b95d2e159a73ea4e2a7eaea\
    4e2a41ea4e2a33ea4e2a7eaea4e2a15ea57ea4e2a67e2q2caia27e3a26e6a86e2a6e2ia639ga26kie3a75i3a11e7a18c2qoe9a19c2oi2e9a18c\
    2e12a13ea3ec2e12a52d2oc7o8co2c9qci3aiaikace2a10e6a10e6a2i4kai2ad5a10e6a89e7a5q2a34cae5a70e10a31ec3o4c2o3e4o2co6c3e\
    4ae3i2a40e2a5e11a44e4a26e6a11e3a57c2o2qe2a55oqoq7eqoqo2q8o6q10e2qa10e6a10e6a14e2q31e49c4oa47coc5oco5co2a8e3a10i2ai\
    4a10c9a9i2eq2oa30oq4o2q2oq3a56qoq2o3qoq3o2e8a40o8q8o2q2e3i5a10e3a49i2a9e7a43e2a11e8q3aq13oq7a4qa6qa2oq2ae5a192c11q\
    51c2a278e2a6e2a38e2a6e2a8eaeaeaea31e2a53ea15ea14e2a6ea19e2a3ea7kaeg7mg3d5imi2na3kik3ik2a4i4f2d5mi8akiai2a6iki4a12ia\
    i4ai2gd16a2e2a9kia14kiea13e3k7ik14ik4ik2ikie15c19dc12qe15a3ia5ia12ka117e4a130k2a219ia24kikia14b2a13lja190b4a3ba2ba\
    51e25a11e21a413b2a21b2a26e8a16b12a43ba10e6a3ba13ba8b2a17b2a5b2a8ba5ba21ba7b2aba4ba2ba7ba4b2a28ba35baba4b3aba3m6ai2a\
    4kikikikikikikia31b3a24ba14ba5kia31kikikikikia403kikikikikikikikikikikia63kikia32kia285b2a51ba4ba30e2a32ea344q3a2e\
    5i4ai2a38eae5ae2a56e7aie14qa23e9a7ea7ea7ea7ea7ea7ea7ea7eq32m2kikim3kimki9aikia2kia2kikikikiki6ai2ai2a5n2i3ai2ki8aia\
    i2a3i2kikikiki2e34b26eb89e12b214e26b12e4j3b2jb2ljljljljljb2ljljljlj2lj2b10c4e2pb10j2pbaejbjbjbjbjb25jb31jbjbjb6jb6j\
    2e2c2j4bj2bjbjbjbjb25jb31jbjbjb6jb6j2b4j4be5b43eb51db42eb84e12j16b31eb40e8b71pbpb28027jb1143e3b55e9a46i2a269i3a28e\
    20a47q4aq10a32q2a80q2ai5e8a203e5a2eaea5e24a16qa3qa4ca23o2c2oa4qe3a8iae6a52k2i2e8o2a50o16q2e8i2a10e6q18a10ka2qa38q8i\
    2a23q11o2e11ab29e3q3oa47qo2q4o2q2o3a6i3a4ea11e4a7qa25ea41q6o2q2o2q2e9a3qa8qoe2a10e2ai3a27oqoa50qaq3a2q2a5q2aqae24a\
    16oq2o2i2a3oqe10a6e2a6e2a6e9a7ea7ea60e4a115o2qo2qo2ioqe2a10e6b11172e2140a6400b366e2b106e38a7e12a5e5aca24ea5eaea2ea\
    2ea125e16a363ika80e2a54e7ae32a12ia3d16j7lj2e6c4q12b5ljljljljljljljljb2ljb7jbjej4bljljljb8ebljbe4a5ea135e2dejb2ljb2l\
    jb2jbjb11j2b3jb27lbjb29lbjbljiki3ai10a45i2da30e3a6e2a6e2a6e2a3e3jlb3l2ea7ed12a2e2a12ea26ea19ea2ea15e2a14e34a123e5i\
    3e4a45e3a88ea13e3ae47a45qe130a29e3a49e15qa27e4a36e9a30e5a38q5e5a30eia36e4a8ia5e42a158e2a10e6a36e4a36e4a40e8a52e11a\
    12ea15ea7ea2ea11ea15ea7ea2e67a311e9a22e10a8e24a6ea42ea9e69a6e2aea44ea2e3ae2a23eia71e8a9e48a19ea2e5a33e3ia26e5ae64a\
    56e4a20e2a47c3ec2e5c4a4ea3ea29e2c3e4qa9e7i8ae7a64e32a37q2e4a5i7e9a54e3i7a22e2a27e5a26e7a4e12a7e80a73e55a51e13a51e7a\
    42q4e8a10e294a31ea42eq2ie2a2e78a40e8a22q11a9e22a18q4a4e38a28e20a23e9oqoa53q15i2a5e4a30qa2q2ae9q3oa45o3q4o2q2a2di4qe\
    10de2a25e7a10e6q3a36q5oq8ea10i4ao2ae8a35qakae9q2oa48o3q9o2a4i2aiq4aoqa11kai3ea20e11a18ea25o3q3o2qoq2i2ai2aqe65a7eae\
    a4ea15ea10ie6a47qo3q8e5a10e6q2o2ea8e2a2e2a22ea7ea2ea5eq2ao2qo4e2o2e2o3e2ae6oe5a5o2e2q7e3q5e139a53o3q8o2q3oqa4i4a11i\
    2eaqa3e30a48o3q6oqo4q2oq2a4e8a10e166a47o3q4e2o4q2oq2ki4a3i15a4q2e34a48o3q8o2qoq2i2a2e11a10e6k13e19a43qoqo2q6oqa2e6a\
    10e54a27e2q3o2q4oq5e4a12i3a8e185a44o3q9oq2ae100a83e12a8e2ae2a8ea2ea24o6eo2e2q2oqaoaoqi3e9a10e70a8e2a39o3q4e2q2o4qak\
    aoe27aq10a40q6oaq4kai4kaqe8aq6o2q3a46q13oq2i3ak3i2e13a73e263a9ea37oq7eq6oqai5e10a29e3kia30e2q22eoq7oq2oq2e73a7ea2ea\
    38q6e3qeq2eq7aqe8a10e6a6ea2ea32o5eq2eo2qoqae7a10e310a19q2o2a2e183ae15a29i4a17e13ia922e102a111ei5e11a196e2636a99e13a\
    600k3i3a36ia3kikia239ki2a179ed9e4039a462kia119e8633a569e7a31ea10e4i2a79ea10e6a30e2q5ie10a48q7i3a10iae10a10ea7ea21e\
    5a19e688a87i2a2e101a75e4qao55e7q4a13e64j4qe27b6136e8b1238e42b9e8935b4eb7eb2eb291e45j3e17j4e8b396e2308a107e5a13e3a9e\
    7a10e2aq2id4e4700q46e2q23e9a116e60a246e10a39e2a60o2c3a3o6d8c8a2c7a30c4a61e21a66c3ae154a20e131a2e135a85ea71ea2e2ae2a\
    2e2a4ea12eaea7ea65ea4e2a8ea7ea28ea4ea5eae3a7ea340e2a292e2a562q55a4q50a8qa14qa2i4ae15q5eq15e1104a31e225q7eq17e2q7eq\
    2eq5e213a45e3q7a7e2a10e4a2e320a30qe17a44q4a10e5ke1248a7ea4ea2ea15ea197e2a9q7e41a68q7ae4a10e4k2e785a59ia3ia4e76a61e\
    194a4ea27ea2eae2aea10ea4eaeae6ae4aeaeaea3ea2eae2aeaeaeaeaea2eae2a4ea7ea4ea4eaea10ea17e5a3ea5ea17e52a2e270a4ba39e4a\
    100e12a15e2a15ea14bea37e10a142ba2b10a19e56h26b2pe13b39pb4e4b9e7b2e14b6e154b33a12b9ab70ab22a12b43a4b5a12b17a3ba3b3d\
    5b63abab187a2b63a13b4ab24a18ba26b2a13ba86b85a38m3i3a4b70a6ba3b3a2b3e5b3a11b2e3a4b9e3a116e12a89e7b12e4be15a12e4a56e\
    8a10e6a40e8a30e2a2e78a12b47ab10ab185a84e12a14e2b5e3b5e3b7e9b29e3b11e5b6e10b10e6b8e8b7e9a147ea55e37a10e1030b42720e\
    32b4153e7b222e2b5762e14b7473e3103b542e1506b4939e715957d4096e61440a65534e2a61166ea4367e
    """

  /// The narrow scalars that terminals with East Asian settings show in two cells (UAX #11, "ambiguous"): the starts
  /// and ends of ranges in turn, ascending.
  static let ambiguous: [UInt32] = {
    var edge: UInt32 = 0
    return distances.map { distance in
      edge += distance
      return edge
    }
  }()

  /// The distances between the entries of `ambiguous`.
  private static let distances: [UInt32] = [
    161, 1, 2, 1, 2, 2, 1, 1, 3, 1, 1, 5, 1, 5, 1, 4, 6, 1, 9, 1, 6, 2, 5, 4, 4, 1, 1, 3, 1, 2, 2, 1, 1, 2, 3, 4, 1, 1,
    1, 1, 2, 1, 15, 1, 1, 1, 7, 1, 10, 2, 3, 1, 5, 3, 4, 1, 6, 4, 1, 1, 3, 4, 1, 1, 4, 2, 18, 2, 3, 1, 98, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 116, 1, 15, 1, 98, 1, 2, 1, 1, 3, 1, 1, 2, 1, 7, 4, 1, 1, 1, 1, 177, 25, 7, 17, 1,
    7, 55, 1, 14, 64, 1, 1, 7102, 1, 2, 4, 1, 2, 2, 2, 2, 3, 1, 4, 8, 1, 1, 2, 1, 1, 5, 1, 2, 1, 53, 1, 10, 1, 1, 4, 39,
    1, 86, 1, 1, 1, 3, 1, 9, 1, 2, 1, 10, 2, 3, 1, 4, 1, 39, 2, 6, 4, 1, 12, 4, 10, 15, 1, 6, 10, 30, 2, 24, 1, 1, 1,
    18, 1, 24, 1, 1, 2, 3, 2, 2, 1, 3, 1, 1, 1, 3, 1, 4, 1, 2, 4, 2, 1, 1, 1, 1, 6, 1, 1, 5, 4, 4, 2, 10, 1, 3, 1, 5, 1,
    13, 2, 2, 4, 2, 2, 2, 2, 18, 2, 2, 2, 13, 1, 3, 1, 11, 1, 25, 1, 82, 1, 333, 138, 1, 97, 4, 36, 12, 16, 2, 4, 10, 2,
    1, 7, 8, 2, 2, 2, 4, 2, 2, 2, 4, 3, 2, 1, 2, 4, 16, 4, 9, 1, 21, 2, 2, 1, 4, 2, 12, 1, 1, 1, 33, 1, 1, 1, 29, 2, 1,
    3, 1, 4, 1, 2, 1, 1, 46, 2, 31, 1, 6, 28, 1, 1, 4, 24, 61, 1, 56, 10, 982, 4, 46246, 6400, 1789, 1, 61698, 11, 5,
    30, 2, 58, 6, 61,
  ]

  enum Kind: UInt8 {
    /// One cell.
    case narrow
    /// Two cells: East Asian wide and fullwidth characters, emoji.
    case wide
    /// No cell: a combining mark on the character before it.
    case mark
    /// Not shown: controls, format and bidi characters, variation selectors, skin tones, keycaps.
    case dropped
    /// Shown as U+FFFD, because curses does not support it or terminals disagree about its width.
    case replaced
    case lineBreak
    /// One blank: tab and the spaces of other widths.
    case blank
    /// A regional indicator, shown as its Latin letter: a flag becomes the country's two letters.
    case letter
  }

  /// Where a line may break beside a scalar, if it or its neighbor is wide (UAX #14, in five classes).
  enum BreakClass: UInt8 {
    case other
    /// Closing brackets, marks after a word, small kana: no line starts with it.
    case closing
    /// Opening brackets and signs before a number: no line ends with it.
    case opening
    /// Straight quotation marks: both.
    case joining
    /// Dashes, which stay together.
    case dash

    func allowsBreak(before next: BreakClass) -> Bool {
      switch (self, next) {
      case (.opening, _), (.joining, _), (_, .closing), (_, .joining), (.dash, .dash): false
      default: true
      }
    }
  }

  static func isAmbiguous(_ value: UInt32) -> Bool {
    guard value >= 0xA1 else { return false }
    var low = 0
    var high = ambiguous.count
    while low < high {
      let middle = (low + high) / 2
      if ambiguous[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low % 2 == 1
  }

  /// Caches the last range, which makes text in a single script fast.
  struct Lookup {
    private var lower: UInt32 = 0
    private var upper: UInt32 = 0
    private var entry: UInt32 = 0
    private var kind: Kind = .dropped

    mutating func callAsFunction(_ value: UInt32) -> Kind {
      if value < lower || value >= upper { find(value) }
      return kind
    }

    mutating func breakClass(of value: UInt32) -> BreakClass {
      if value < lower || value >= upper { find(value) }
      return BreakClass(rawValue: UInt8(truncatingIfNeeded: entry >> 3 & 7)) ?? .other
    }

    /// Whether terminals disagree about the width.
    mutating func isWidthUncertain(_ value: UInt32) -> Bool {
      if value < lower || value >= upper { find(value) }
      return entry & 1 << 6 != 0
    }

    private mutating func find(_ value: UInt32) {
      let boundaries = ScalarTable.boundaries
      var low = 0
      var high = boundaries.count
      while high - low > 1 {
        let middle = (low + high) / 2
        if boundaries[middle] >> 7 <= value { low = middle } else { high = middle }
      }
      lower = boundaries[low] >> 7
      upper = high < boundaries.count ? boundaries[high] >> 7 : .max
      entry = boundaries[low]
      kind = Kind(rawValue: UInt8(truncatingIfNeeded: entry & 7)) ?? .replaced
    }
  }
}
