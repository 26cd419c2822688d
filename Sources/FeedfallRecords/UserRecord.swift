import FeedfallFeeds
import FeedfallText

/// The user's record of a video.
public struct UserRecord: Equatable, Sendable {
  /// When the user watched the video to its end or marked it as watched; nil if it is unwatched.
  public var watched: UnixTime?
  /// When the video was last played, here or on another device, in whole or in part; nil if it never was.
  public var played: UnixTime?
  /// The resume position in seconds, greater than 0; nil for the beginning.
  public var position: Int?
  /// In seconds; nil if unknown.
  public var duration: Int?
  /// The place in the queue, in ascending order; nil if the video is not queued.
  public var queued: Double?
  /// Of a source rather than a video: those published before count as watched; nil for a source that is not known yet.
  public var readBefore: UnixTime?
  /// Of a source: the number of videos that have left its feed unseen; nil for none.
  public var missed: Int?
  /// The marks that are set without another value, as bits.
  private var flags: UInt16 = 0
  /// When the video was downloaded; nil if it is not on disk.
  public var downloaded: UnixTime?
  /// The place in the list of downloads, complete or not, in ascending order; nil if the video is not in it.
  public var download: Int?

  public init() {}

  /// Whether the video has a resume position and is unwatched.
  public var isBegun: Bool { watched == nil && position != nil }

  public func has(_ mark: Mark) -> Bool {
    switch mark {
    case .watched: watched != nil
    case .queued: queued != nil
    case .downloaded: downloaded != nil
    default: flags & (1 << UInt16(mark.rawValue)) != 0
    }
  }

  /// Sets one field; the stored video is not part of the record.
  public mutating func set(_ value: UserValue) {
    switch value.field {
    case .watched: watched = value.time
    case .played: played = value.time
    case .position: position = value.number
    case .duration: duration = value.number
    case .queued: queued = value.place
    case .flag(let mark):
      let bit: UInt16 = 1 << UInt16(mark.rawValue)
      flags = value.isSet ? flags | bit : flags & ~bit
    case .downloaded: downloaded = value.time
    case .download: download = value.number
    case .readBefore: readBefore = value.time
    case .missed: missed = value.number
    case .video: break
    }
  }

  /// The value of one field.
  public func value(of field: UserField) -> UserValue {
    switch field {
    case .watched: .watched(watched)
    case .played: .played(played)
    case .position: .position(position)
    case .duration: .duration(duration)
    case .queued: .queued(queued)
    case .flag(let mark): .flag(mark, has(mark))
    case .downloaded: .downloaded(downloaded)
    case .download: .download(download)
    case .readBefore: .readBefore(readBefore)
    case .missed: .missed(missed)
    case .video: .video(nil)
    }
  }
}

public enum UserField: Hashable, Sendable {
  case watched, played, position, duration, queued, downloaded
  /// Only in memory.
  case download
  /// The title, the addresses and other facts of the video itself.
  case video
  /// Of a source rather than a video.
  case readBefore, missed
  /// A mark that is set or not, without another value.
  case flag(Mark)

  /// The field that stores a mark.
  public init(_ mark: Mark) {
    switch mark {
    case .watched: self = .watched
    case .queued: self = .queued
    case .downloaded: self = .downloaded
    default: self = .flag(mark)
    }
  }

  public static let allCases =
    Mark.allCases.map { UserField($0) } + [.position, .duration, .video, .played, .download, .readBefore, .missed]

  /// The name in a log.
  var name: StaticString {
    switch self {
    case .watched: Mark.watched.row.name
    case .played: "played"
    case .position: "position"
    case .duration: "duration"
    case .queued: Mark.queued.row.name
    case .downloaded: Mark.downloaded.row.name
    case .download: "download"
    case .readBefore: "readBefore"
    case .missed: "missed"
    case .video: "video"
    case .flag(let mark): mark.row.name
    }
  }

  /// Less than `count`.
  var index: Int {
    switch self {
    case .watched: 0
    case .position: 1
    case .duration: 2
    case .queued: 3
    case .downloaded: 4
    case .video: 5
    case .download: 6
    case .played: 7
    case .readBefore: 8
    case .missed: 9
    case .flag(let mark): 10 + Int(mark.rawValue)
    }
  }

  static let count = 10 + Mark.allCases.count

  var emptyBits: Int { if case .flag = self { 0 } else { UserValue.none } }

  /// The valid bits of a field with a whole number, except those of nil.
  var numbers: ClosedRange<Int> {
    self == .position || self == .duration ? 1...Self.longest : 0...(UserEvent.maximumTime / 1_000)
  }

  /// In seconds, one year.
  private static let longest = 366 * 86_400
}

/// A field with its value; nil clears the field.
public struct UserValue: Equatable, Sendable {
  public let field: UserField
  /// The value as an integer that is unique among the values of its field, except for a stored video.
  let bits: Int
  public let video: StoredVideo?

  /// The bits of nil. As a floating-point number, it is -0.
  static let none = Int.min

  init(_ field: UserField, bits: Int, video: StoredVideo? = nil) {
    (self.field, self.bits, self.video) = (field, bits, video)
  }

  private init(_ field: UserField, _ number: Int?) {
    // A number with the bits of nil stays invalid.
    self.init(field, bits: number.map { max($0, Self.none + 1) } ?? Self.none)
  }

  /// A mark that is set or removed. Watched and downloaded videos need the time, queued ones the place.
  public init(_ mark: Mark, _ isSet: Bool, at time: UnixTime, place: Double = 1) {
    switch mark {
    case .watched: self = .watched(isSet ? time : nil)
    case .queued: self = .queued(isSet ? place : nil)
    case .downloaded: self = .downloaded(isSet ? time : nil)
    default: self = .flag(mark, isSet)
    }
  }

  public static func watched(_ time: UnixTime?) -> Self { Self(.watched, time?.seconds) }
  public static func played(_ time: UnixTime?) -> Self { Self(.played, time?.seconds) }
  /// In seconds.
  public static func position(_ seconds: Int?) -> Self { Self(.position, seconds) }
  /// In seconds.
  public static func duration(_ seconds: Int?) -> Self { Self(.duration, seconds) }
  public static func queued(_ place: Double?) -> Self {
    Self(.queued, bits: place.map { Int(bitPattern: UInt(($0 + 0.0).bitPattern)) } ?? none)
  }
  public static func downloaded(_ time: UnixTime?) -> Self { Self(.downloaded, time?.seconds) }
  public static func download(_ place: Int?) -> Self { Self(.download, place) }
  public static func readBefore(_ time: UnixTime?) -> Self { Self(.readBefore, time?.seconds) }
  public static func missed(_ count: Int?) -> Self { Self(.missed, count) }
  public static func video(_ video: StoredVideo?) -> Self { Self(.video, bits: none, video: video) }
  /// Valid for the marks without another value only.
  public static func flag(_ mark: Mark, _ isSet: Bool) -> Self { Self(.flag(mark), bits: isSet ? 1 : 0) }

  var isSet: Bool { bits != field.emptyBits }
  var number: Int? { bits == Self.none ? nil : bits }
  var time: UnixTime? { number.map { UnixTime(seconds: $0) } }
  var place: Double? { number.map { Double(bitPattern: UInt64(UInt(bitPattern: $0))) } }

  var isValid: Bool {
    switch field {
    case .watched, .played, .position, .duration, .downloaded, .download, .readBefore, .missed:
      number.map(field.numbers.contains) ?? true
    case .queued: place?.isFinite ?? true
    case .flag(let mark): UserField(mark) == field
    case .video: true
    }
  }
}

/// A change of one field of one record.
public struct UserEvent: Equatable, Sendable {
  /// In milliseconds since 1970, 0 to `maximumTime`.
  public var time: Int
  /// The name of the device that made the change.
  public var device: String
  public var key: VideoKey
  public var value: UserValue
  /// Whether `UserData.change` has marked a watched video as watched again. Logs do not store it.
  public internal(set) var isRepeated = false

  /// In milliseconds since 1970, about the year 2500.
  package static let maximumTime = 1 << 44
  /// The last time of events that overwrite nothing, such as the marks that a server has at the first contact.
  static let earliestTime = 1

  public init(time: Int, device: String, key: VideoKey, value: UserValue) {
    (self.time, self.device, self.key, self.value) = (time, device, key, value)
  }
}

extension UserData {
  /// New values of fields of one record.
  public struct Change: Equatable, Sendable {
    public var key: VideoKey
    public var values: [UserValue]

    public init(key: VideoKey, values: [UserValue]) { (self.key, self.values) = (key, values) }
  }
}
