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
    switch value {
    case .watched(let time): watched = time
    case .played(let time): played = time
    case .position(let seconds): position = seconds
    case .duration(let seconds): duration = seconds
    case .queued(let place): queued = place
    case .flag(let mark, let isSet):
      let bit: UInt16 = 1 << UInt16(mark.rawValue)
      flags = isSet ? flags | bit : flags & ~bit
    case .downloaded(let time): downloaded = time
    case .download(let place): download = place
    case .readBefore(let time): readBefore = time
    case .missed(let count): missed = count
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
public enum UserValue: Equatable, Sendable {
  case watched(UnixTime?)
  case played(UnixTime?)
  /// In seconds.
  case position(Int?)
  /// In seconds.
  case duration(Int?)
  case queued(Double?)
  case downloaded(UnixTime?)
  case download(Int?)
  case readBefore(UnixTime?)
  case missed(Int?)
  case video(StoredVideo?)
  /// Valid for the marks without another value only.
  case flag(Mark, Bool)

  /// A mark that is set or removed. Watched and downloaded videos need the time, queued ones the place.
  public init(_ mark: Mark, _ isSet: Bool, at time: UnixTime, place: Double = 1) {
    switch mark {
    case .watched: self = .watched(isSet ? time : nil)
    case .queued: self = .queued(isSet ? place : nil)
    case .downloaded: self = .downloaded(isSet ? time : nil)
    default: self = .flag(mark, isSet)
    }
  }

  public var field: UserField {
    switch self {
    case .watched: .watched
    case .played: .played
    case .position: .position
    case .duration: .duration
    case .queued: .queued
    case .flag(let mark, _): .flag(mark)
    case .downloaded: .downloaded
    case .download: .download
    case .readBefore: .readBefore
    case .missed: .missed
    case .video: .video
    }
  }

  /// The bits of nil. As a floating-point number, it is -0.
  static let none = Int.min

  var isValid: Bool {
    switch self {
    case .watched(let time?), .played(let time?), .downloaded(let time?), .readBefore(let time?):
      field.numbers.contains(time.seconds)
    case .position(let seconds?), .duration(let seconds?): field.numbers.contains(seconds)
    case .queued(let place?): place.isFinite
    case .download(let number?), .missed(let number?): field.numbers.contains(number)
    case .flag(let mark, _): UserField(mark) == .flag(mark)
    case .watched, .played, .downloaded, .download, .readBefore, .missed, .position, .duration, .queued, .video: true
    }
  }

  /// The value as an integer that is unique among the values of its field, except for a stored video.
  var bits: Int {
    switch self {
    case .watched(let time), .played(let time), .downloaded(let time), .readBefore(let time):
      time?.seconds ?? Self.none
    case .position(let number), .duration(let number), .download(let number), .missed(let number):
      number ?? Self.none
    case .queued(let place): place.map { Int(bitPattern: UInt(($0 + 0.0).bitPattern)) } ?? Self.none
    case .flag(_, let isSet): isSet ? 1 : 0
    case .video: Self.none
    }
  }

  init(_ field: UserField, bits: Int) {
    let number = bits == Self.none ? nil : bits
    switch field {
    case .watched: self = .watched(number.map { UnixTime(seconds: $0) })
    case .played: self = .played(number.map { UnixTime(seconds: $0) })
    case .downloaded: self = .downloaded(number.map { UnixTime(seconds: $0) })
    case .readBefore: self = .readBefore(number.map { UnixTime(seconds: $0) })
    case .position: self = .position(number)
    case .duration: self = .duration(number)
    case .download: self = .download(number)
    case .missed: self = .missed(number)
    case .queued: self = .queued(number.map { Double(bitPattern: UInt64(UInt(bitPattern: $0))) })
    case .flag(let mark): self = .flag(mark, number == 1)
    case .video: self = .video(nil)
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
