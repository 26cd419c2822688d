import Foundation
import Testing

/// Where recorded answers, streams and documents of other projects lie: beside the package, on some machines only.
public let sharedFolder = packageRoot + "/../shared"

/// The documents of other projects.
public let corpusFolder = sharedFolder + "/feeds/corpus"

extension Trait where Self == ConditionTrait {
  /// Skips a test, naming what is missing, where the shared folder has no such file or folder.
  public static func needsShared(_ path: String) -> Self {
    .enabled(
      if: FileManager.default.fileExists(atPath: sharedFolder + "/" + path), "../shared/\(path) is missing")
  }

  /// Skips a test where the recorded answers of services are missing.
  public static var needsRecordings: Self { needsShared("feeds/corpus/TeamNewPipe+NewPipeExtractor") }
}
