// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "feedfall",
  products: [
    .library(name: "WaterfallEngine", targets: ["WaterfallEngine", "Geometry"]),
    .executable(name: "feedfall", targets: ["feedfall"]),
    .executable(name: "waterfall-svg", targets: ["waterfall-svg"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // `swift package generate-documentation`; nothing that is built depends on it.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    .systemLibrary(name: "CNcursesw"),
    .target(name: "CGuard"),
    .target(name: "CCurl"),
    .target(name: "CResources"),
    .target(name: "CEncoding"),
    .target(name: "CSQLite"),
    .target(
      name: "CToml", cxxSettings: [.define("TOML_EXCEPTIONS", to: "0"), .define("TOML_ENABLE_FORMATTERS", to: "0")]),
    .target(name: "CImages"),
    .target(name: "Geometry", swiftSettings: strict),
    .target(name: "WaterfallEngine", dependencies: ["Geometry"], swiftSettings: strict),
    .target(name: "Loading", swiftSettings: strict),
    .target(name: "Screen", dependencies: ["Geometry"], swiftSettings: strict),
    .target(name: "VideoFeed", dependencies: ["CEncoding"], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "Programs", dependencies: ["CGuard"], swiftSettings: strict),
    .target(
      name: "FeedSources", dependencies: ["CCurl", "CResources", "Programs", "SQLite", "VideoFeed"],
      swiftSettings: strict),
    .target(
      name: "Covers", dependencies: ["CImages", "FeedSources", "Geometry", "SQLite", "Screen", "VideoFeed"],
      swiftSettings: strict),
    .target(name: "Playing", dependencies: ["Geometry", "VideoFeed"], swiftSettings: strict),
    .target(
      name: "Player", dependencies: ["CGuard", "Geometry", "Playing", "Programs", "Screen", "VideoFeed"],
      swiftSettings: strict),
    .target(
      name: "Terminal", dependencies: ["CGuard", "CNcursesw", "Geometry", "Screen"], swiftSettings: strict),
    .target(
      name: "AppCore", dependencies: ["Geometry", "Loading", "Playing", "Screen", "VideoFeed", "WaterfallEngine"],
      swiftSettings: strict),
    .target(
      name: "Configuration", dependencies: ["AppCore", "CToml", "Screen", "VideoFeed", "WaterfallEngine"],
      swiftSettings: strict),
    .target(
      name: "AppRuntime", dependencies: ["AppCore", "CGuard", "Geometry", "Loading", "Playing", "Screen", "VideoFeed"],
      swiftSettings: strict),
    .executableTarget(
      name: "feedfall",
      dependencies: [
        "AppCore", "AppRuntime", "CGuard", "Configuration", "Covers", "FeedSources", "Geometry", "Loading", "Player",
        "Playing", "Programs", "Screen", "Terminal", "VideoFeed", "WaterfallEngine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "feedfall-bench",
      dependencies: [
        "AppCore", "CPty", "Covers", "FeedSources", "Geometry", "Loading", "Player", "Playing", "Programs", "Screen",
        "Terminal", "TestServer", "VideoFeed", "WaterfallEngine",
      ], swiftSettings: strict),
    .executableTarget(
      name: "waterfall-svg",
      dependencies: [
        "Geometry", "WaterfallEngine", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .testTarget(
      name: "WaterfallEngineTests", dependencies: ["Geometry", "TestSupport", "WaterfallEngine"], swiftSettings: strict),
    .testTarget(name: "LoadingTests", dependencies: ["Loading", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PlayingTests", dependencies: ["Geometry", "Playing", "TestSupport", "VideoFeed"], swiftSettings: strict),
    .testTarget(name: "ScreenTests", dependencies: ["Geometry", "Screen", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "VideoFeedTests", dependencies: ["TestSupport", "VideoFeed"], swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "TestServer", path: "Tests/TestServer", swiftSettings: strict),
    .testTarget(
      name: "FeedSourcesTests",
      dependencies: ["CCurl", "FeedSources", "Programs", "SQLite", "TestServer", "TestSupport", "VideoFeed"],
      swiftSettings: strict),
    .testTarget(
      name: "CoversTests",
      dependencies: [
        "CImages", "Covers", "FeedSources", "Geometry", "SQLite", "Screen", "TestServer", "TestSupport", "VideoFeed",
      ],
      swiftSettings: strict),
    .target(
      name: "ScriptedPlayer", dependencies: ["Geometry", "Player", "Playing", "Screen"], path: "Tests/ScriptedPlayer",
      swiftSettings: strict),
    .executableTarget(
      name: "player-probe", dependencies: ["Geometry", "Player", "Playing", "VideoFeed"], path: "Tests/PlayerProbe",
      swiftSettings: strict),
    .testTarget(
      name: "PlayerTests",
      dependencies: [
        "Geometry", "Player", "Playing", "Programs", "Screen", "ScriptedPlayer", "TestServer", "TestSupport",
        "VideoFeed", "player-probe",
      ], swiftSettings: strict),
    .target(name: "CPty", dependencies: ["CGuard"], path: "Tests/CPty"),
    .testTarget(
      name: "TerminalTests", dependencies: ["CGuard", "CPty", "Geometry", "Screen", "Terminal", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AppCoreTests",
      dependencies: [
        "AppCore", "Geometry", "Loading", "Playing", "Screen", "TestSupport", "VideoFeed", "WaterfallEngine",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: ["AppCore", "Configuration", "TestSupport", "VideoFeed", "WaterfallEngine"],
      swiftSettings: strict),
    .testTarget(
      name: "AppRuntimeTests",
      dependencies: [
        "AppCore", "AppRuntime", "CGuard", "Geometry", "Loading", "Playing", "Screen", "TestSupport", "VideoFeed",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "picture-painter", dependencies: ["Geometry", "Screen", "Terminal"], path: "Tests/PicturePainter",
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CPty", "Covers", "Geometry", "SQLite", "Screen", "TestServer", "TestSupport", "feedfall", "picture-painter",
        "waterfall-svg",
      ],
      exclude: ["Configuration"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x,
  cxxLanguageStandard: .cxx17
)
