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
    self.time = time
    self.device = device
    self.key = key
    self.value = value
  }
}

/// New values of fields of one record.
public struct UserChange: Equatable, Sendable {
  public var key: VideoKey
  public var values: [UserValue]

  public init(key: VideoKey, values: [UserValue]) {
    (self.key, self.values) = (key, values)
  }
}
