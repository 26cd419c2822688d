/// The names of weekdays, months and time zones, in UTF-8 and lower case.
enum DateWords {
  /// Returns the weekday of an English name or its abbreviation to three letters or more, 0 for Monday.
  static func weekday(_ word: [UInt8]) -> Int? {
    word.count >= 3 ? weekdays.firstIndex { $0.starts(with: word) } : nil
  }

  static func isWeekday(_ word: [UInt8]) -> Bool {
    if weekday(word) != nil || otherWeekdays.contains(word) { return true }
    guard let first = word.first, first >= 0x80 else { return false }
    return ["星期", "周", "週", "礼拜"].contains { word.starts(with: $0.utf8) }
      || word.count <= 12 && ["曜日", "曜", "요일"].contains { word.reversed().starts(with: $0.utf8.reversed()) }
  }

  /// Whether the word joins the parts of a date: the `at` of `at 10:00`, the `de` of `24 de setembro de 2018`.
  static func joins(_ word: [UInt8]) -> Bool { joining.contains(word) }

  private static func words(_ text: String) -> [[UInt8]] {
    text.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
  }

  private static let joining = [
    "at", "de", "of", "um", "à", "t", "on", "del", "kl", "klo", "ore", "alle", "om", "o", "v",
  ].map { Array($0.utf8) }

  static func month(_ word: [UInt8]) -> Int? {
    if word.count >= 3, let place = english.firstIndex(where: { $0.starts(with: word) }) { return place + 1 }
    return word.elementsEqual("sept".utf8) ? 9 : others[word]
  }

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ].map { Array($0.utf8) }

  /// German, French, Spanish, Portuguese, Italian, Dutch, Polish, Swedish, Norwegian and Danish, Czech, Turkish, Russian.
  private static let otherWeekdays = Set(
    words(
      """
      montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi
      dimanche lunes martes miércoles jueves viernes sábado domingo segunda terça quarta quinta sexta lunedì martedì
      mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag poniedziałek
      wtorek środa czwartek piątek sobota niedziela måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag
      lørdag søndag pondělí úterý středa čtvrtek pátek neděle pazartesi salı çarşamba perşembe cuma cumartesi pazar
      понедельник вторник среда четверг пятница суббота воскресенье
      """))

  private static let english = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ].map { Array($0.utf8) }

  private static let others: [[UInt8]: Int] = {
    var months: [[UInt8]: Int] = [:]
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
      for name in words(String(line)) where months[name] == nil { months[name] = month + 1 }
    }
    return months
  }()

  /// Returns the seconds east of Greenwich for a name in lower case: 0 for an unknown zone, nil if it cannot be one.
  static func zoneOffset(of word: [UInt8]) -> Int? {
    if word.count == 1 { return military.firstIndex(of: word[0]).map { ($0 - 12) * 3_600 } }
    guard (2...5).contains(word.count), word.allSatisfy(\.isASCIILetter) else { return nil }
    return zoneMinutes[String(decoding: word, as: UTF8.self)].map { $0 * 60 } ?? 0
  }

  /// The zones of one letter, from twelve hours behind UTC to twelve ahead; there is no J (RFC 822, 5.1).
  private static let military = Array("mlkihgfedcbaznopqrstuvwxy".utf8)

  private static let zoneMinutes: [String: Int] = [
    "est": -300, "edt": -240, "et": -300, "cst": -360, "cdt": -300, "ct": -360, "mst": -420, "mdt": -360, "mt": -420,
    "pst": -480, "pdt": -420, "pt": -480, "akst": -540, "akdt": -480, "hst": -600, "ast": -240, "adt": -180,
    "nst": -210, "ndt": -150, "brt": -180, "wet": 0, "west": 60, "bst": 60, "cet": 60, "met": 60, "mez": 60,
    "cest": 120, "mest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "sast": 120, "ist": 330, "hkt": 480,
    "sgt": 480, "awst": 480, "jst": 540, "kst": 540, "aest": 600, "aedt": 660, "acst": 570, "acdt": 630, "nzst": 720,
    "nzdt": 780,
  ]
}
