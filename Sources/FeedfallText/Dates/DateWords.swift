/// The names of weekdays and months.
enum DateWords {
  /// Whether this is an English weekday, in full or abbreviated to three letters or more.
  static func isWeekday(_ word: String) -> Bool {
    word.utf8.count >= 3
      && ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].contains { $0.hasPrefix(word) }
  }

  /// Returns the month of a name or its abbreviation, in English or another language that occurs in feeds.
  static func month(_ word: String) -> Int? {
    if word.utf8.count >= 3, let place = english.firstIndex(where: { $0.hasPrefix(word) }) { return place + 1 }
    if word == "sept" { return 9 }
    return others[word]
  }

  private static let english = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  private static let others: [String: Int] = {
    var months: [String: Int] = [:]
    // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Swedish and Norwegian, Czech, Turkish, Russian.
    let names = """
      januar jänner jän janvier janv enero ene janeiro gennaio gen januari stycznia sty leden ledna ocak янв января
      februar février févr fév febrero fevereiro fev febbraio februari lutego lut únor února şubat фев февраля
      märz mär mars marzo março maart mrt marca březen března mart мар марта
      april avril avr abril abr aprile apr kwietnia kwi duben dubna nisan апр апреля
      mai mayo maio maggio mag mei maja maj květen května mayıs май мая
      juni juin junio junho giugno giu czerwca cze červen června haziran июн июня
      juli juillet juil julio julho luglio lug lipca lip červenec července temmuz июл июля
      august août agosto ago agost augustus sierpnia sie augusti srpen srpna ağustos авг августа
      september septembre septiembre setembro set settembre september września wrz září eylül сен сентября
      oktober okt octobre octubre outubro out ottobre ott października paź říjen října ekim окт октября
      november novembre noviembre novembro nov novembris listopada lis listopad listopadu kasım ноя ноября
      dezember dez décembre déc diciembre dic dezembro dicembre december grudnia gru desember des prosinec prosince \
      aralık дек декабря
      """
    for (month, line) in names.split(separator: "\n").enumerated() {
      for name in line.split(separator: " ") where months[String(name)] == nil { months[String(name)] = month + 1 }
    }
    return months
  }()
}

/// The names of time zones.
enum TimeZoneNames {
  /// Returns seconds east of Greenwich: 0 for an unknown name, nil if it cannot be a zone.
  static func offset(of word: String) -> Int? {
    if word.utf8.count == 1, let letter = word.utf8.first { return military(letter) }
    guard (2...5).contains(word.utf8.count), word.utf8.allSatisfy(\.isASCIILetter) else { return nil }
    return minutes[word].map { $0 * 60 } ?? 0
  }

  /// RFC 822, 5.1: A is one hour behind UTC, M twelve; N is one hour ahead, Y twelve; there is no J.
  private static func military(_ letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "z"): 0
    case UInt8(ascii: "a")...UInt8(ascii: "i"): -(Int(letter - UInt8(ascii: "a")) + 1) * 3_600
    case UInt8(ascii: "k")...UInt8(ascii: "m"): -Int(letter - UInt8(ascii: "a")) * 3_600
    case UInt8(ascii: "n")...UInt8(ascii: "y"): (Int(letter - UInt8(ascii: "n")) + 1) * 3_600
    default: nil
    }
  }

  private static let minutes: [String: Int] = [
    "est": -300, "edt": -240, "et": -300, "cst": -360, "cdt": -300, "ct": -360, "mst": -420, "mdt": -360, "mt": -420,
    "pst": -480, "pdt": -420, "pt": -480, "akst": -540, "akdt": -480, "hst": -600, "ast": -240, "adt": -180,
    "nst": -210, "ndt": -150, "brt": -180, "wet": 0, "west": 60, "bst": 60, "cet": 60, "met": 60, "mez": 60,
    "cest": 120, "mest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "sast": 120, "ist": 330, "hkt": 480,
    "sgt": 480, "awst": 480, "jst": 540, "kst": 540, "aest": 600, "aedt": 660, "acst": 570, "acdt": 630, "nzst": 720,
    "nzdt": 780,
  ]
}
