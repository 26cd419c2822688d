// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "feedfall",
  // The engine uses inline arrays and integer generic parameters. Everything else runs on Linux.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "WaterfallEngine", targets: ["WaterfallEngine"]),
    .executable(name: "feedfall", targets: ["feedfall"]),
    // A test loads it into the program.
    .library(name: "CFeedfallRecorder", type: .dynamic, targets: ["CFeedfallRecorder"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // `swift package generate-documentation`; nothing that is built depends on it.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    .systemLibrary(name: "CFeedfallCurses"),
    .target(name: "CFeedfallGuard"),
    .target(name: "CFeedfallMPV"),
    .target(name: "CFeedfallBus"),
    .target(name: "CFeedfallCurl"),
    .target(name: "CFeedfallResources"),
    .target(name: "CFeedfallEncoding"),
    .target(name: "CFeedfallSQLite"),
    .target(
      name: "CFeedfallToml",
      cxxSettings: [.define("TOML_EXCEPTIONS", to: "0"), .define("TOML_ENABLE_FORMATTERS", to: "0")]),
    .target(name: "CFeedfallImages"),
    // The engine is a package of its own too, which has the same targets.
    .target(
      name: "WaterfallEngine", path: "Sources/WaterfallEngine/Sources/WaterfallEngine", swiftSettings: strict),
    .target(name: "FeedfallLoading", swiftSettings: strict),
    .target(name: "FeedfallScreen", dependencies: ["WaterfallEngine"], swiftSettings: strict),
    .target(name: "FeedfallText", dependencies: ["CFeedfallEncoding"], swiftSettings: strict),
    .target(name: "FeedfallDocuments", dependencies: ["FeedfallText"], swiftSettings: strict),
    .target(name: "FeedfallFeeds", dependencies: ["FeedfallDocuments", "FeedfallText"], swiftSettings: strict),
    .target(
      name: "FeedfallFilters", dependencies: ["FeedfallFeeds", "FeedfallText", "FeedfallUserData"],
      swiftSettings: strict),
    .target(
      name: "FeedfallStorage", dependencies: ["CFeedfallSQLite", "FeedfallSystem", "FeedfallText"],
      swiftSettings: strict),
    .target(name: "FeedfallSystem", dependencies: ["CFeedfallGuard"], swiftSettings: strict),
    .target(
      name: "FeedfallWeb",
      dependencies: ["CFeedfallCurl", "FeedfallDocuments", "FeedfallStorage", "FeedfallSystem", "FeedfallText"],
      swiftSettings: strict),
    .target(
      name: "FeedfallSources",
      dependencies: [
        "CFeedfallResources", "FeedfallDocuments", "FeedfallFeeds", "FeedfallSystem", "FeedfallText", "FeedfallWeb",
      ],
      swiftSettings: strict),
    .target(
      name: "FeedfallCovers",
      dependencies: [
        "CFeedfallImages", "FeedfallScreen", "FeedfallStorage", "FeedfallSystem", "FeedfallText", "FeedfallWeb",
        "WaterfallEngine",
      ],
      swiftSettings: strict),
    .target(
      name: "FeedfallUserData", dependencies: ["FeedfallDocuments", "FeedfallFeeds", "FeedfallText"],
      swiftSettings: strict),
    .target(
      name: "FeedfallDownloads",
      dependencies: [
        "CFeedfallGuard", "FeedfallDocuments", "FeedfallFeeds", "FeedfallSystem", "FeedfallText", "FeedfallUserData",
        "FeedfallWeb",
      ],
      swiftSettings: strict),
    .target(
      name: "FeedfallSearch",
      dependencies: [
        "FeedfallFeeds", "FeedfallFilters", "FeedfallStorage", "FeedfallSystem", "FeedfallText", "FeedfallUserData",
      ],
      swiftSettings: strict),
    .target(
      name: "FeedfallPlaying", dependencies: ["FeedfallFeeds", "FeedfallText", "FeedfallUserData", "WaterfallEngine"],
      swiftSettings: strict),
    .target(
      name: "FeedfallPlayer",
      dependencies: [
        "CFeedfallGuard", "CFeedfallMPV", "FeedfallDocuments", "FeedfallFeeds", "FeedfallPlaying", "FeedfallScreen",
        "FeedfallSystem", "FeedfallText", "WaterfallEngine",
      ],
      swiftSettings: strict),
    .target(
      name: "FeedfallDesktop", dependencies: ["CFeedfallBus", "FeedfallPlaying", "FeedfallSystem"],
      swiftSettings: strict),
    .target(
      name: "FeedfallTerminal",
      dependencies: ["CFeedfallCurses", "CFeedfallGuard", "FeedfallScreen", "FeedfallSystem", "WaterfallEngine"],
      swiftSettings: strict),
    .target(
      name: "FeedfallCore",
      dependencies: [
        "FeedfallFeeds", "FeedfallFilters", "FeedfallLoading", "FeedfallPlaying", "FeedfallScreen", "FeedfallText",
        "FeedfallUserData",
        "WaterfallEngine",
      ],
      swiftSettings: strict),
    .target(
      name: "FeedfallConfiguration",
      dependencies: [
        "CFeedfallToml", "FeedfallFeeds", "FeedfallFilters", "FeedfallScreen", "FeedfallSystem", "FeedfallText",
      ],
      swiftSettings: strict),
    .target(
      name: "FeedfallRuntime",
      dependencies: [
        "FeedfallCore", "FeedfallFeeds", "FeedfallLoading", "FeedfallPlaying", "FeedfallScreen", "FeedfallSystem",
        "FeedfallText", "FeedfallUserData", "WaterfallEngine",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "feedfall",
      dependencies: [
        "CFeedfallGuard", "CFeedfallResources", "FeedfallConfiguration", "FeedfallCore", "FeedfallCovers",
        "FeedfallDesktop", "FeedfallDownloads", "FeedfallFeeds", "FeedfallFilters", "FeedfallLoading", "FeedfallPlayer",
        "FeedfallPlaying",
        "FeedfallRuntime", "FeedfallScreen", "FeedfallSearch", "FeedfallSources",
        "FeedfallSystem", "FeedfallTerminal", "FeedfallText", "FeedfallUserData", "FeedfallWeb", "WaterfallEngine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "feedfall-bench",
      dependencies: [
        "CFeedfallPty", "EngineOracle", "FeedfallCore", "FeedfallCovers", "FeedfallFeeds", "FeedfallLoading",
        "FeedfallPlayer", "FeedfallPlaying", "FeedfallScreen", "FeedfallSearch", "FeedfallSystem", "FeedfallTerminal",
        "FeedfallText", "FeedfallUserData", "FeedfallWeb", "TestServer", "WaterfallEngine",
      ],
      path: "Tests/Benchmarks", swiftSettings: strict),
    .target(name: "TestBasics", path: "Sources/WaterfallEngine/Tests/TestBasics", swiftSettings: strict),
    .target(
      name: "EngineOracle", dependencies: ["WaterfallEngine"], path: "Sources/WaterfallEngine/Tests/EngineOracle",
      swiftSettings: strict),
    .testTarget(
      name: "WaterfallEngineTests", dependencies: ["EngineOracle", "TestBasics", "WaterfallEngine"],
      path: "Sources/WaterfallEngine/Tests/WaterfallEngineTests", swiftSettings: strict),
    .testTarget(name: "FeedfallLoadingTests", dependencies: ["FeedfallLoading", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FeedfallPlayingTests",
      dependencies: [
        "FeedfallFeeds", "FeedfallPlaying", "FeedfallText", "FeedfallUserData", "TestSupport", "WaterfallEngine",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallScreenTests", dependencies: ["FeedfallScreen", "TestSupport", "WaterfallEngine"],
      swiftSettings: strict),
    .testTarget(name: "FeedfallTextTests", dependencies: ["FeedfallText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FeedfallDocumentsTests", dependencies: ["FeedfallDocuments", "FeedfallText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallFeedsTests", dependencies: ["FeedfallDocuments", "FeedfallFeeds", "FeedfallText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallFiltersTests",
      dependencies: ["FeedfallFeeds", "FeedfallFilters", "FeedfallText", "FeedfallUserData", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallUserDataTests",
      dependencies: ["FeedfallFeeds", "FeedfallText", "FeedfallUserData", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallSearchTests",
      dependencies: [
        "FeedfallFeeds", "FeedfallSearch", "FeedfallStorage", "FeedfallText", "FeedfallUserData", "TestSupport",
      ],
      swiftSettings: strict),
    .target(name: "TestSupport", dependencies: ["TestBasics"], path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "TestServer", path: "Tests/TestServer", swiftSettings: strict),
    .testTarget(
      name: "FeedfallSystemTests", dependencies: ["FeedfallSystem", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FeedfallProgramTests",
      dependencies: [
        "FeedfallConfiguration", "FeedfallCore", "FeedfallCovers", "FeedfallFeeds", "FeedfallFilters",
        "FeedfallPlaying", "FeedfallRuntime", "FeedfallScreen", "FeedfallSources", "FeedfallSystem",
        "FeedfallTerminal", "FeedfallText", "FeedfallUserData", "FeedfallWeb", "TestServer", "TestSupport",
        "WaterfallEngine", "feedfall", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallWebTests",
      dependencies: [
        "FeedfallDocuments", "FeedfallStorage", "FeedfallSystem", "FeedfallText", "FeedfallWeb", "TestServer",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallSourcesTests",
      dependencies: [
        "FeedfallFeeds", "FeedfallSources", "FeedfallText", "FeedfallWeb",
        "TestServer", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallDownloadsTests",
      dependencies: [
        "FeedfallDocuments", "FeedfallDownloads", "FeedfallFeeds", "FeedfallSystem", "FeedfallText", "FeedfallUserData",
        "FeedfallWeb",
        "TestServer", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallCoversTests",
      dependencies: [
        "CFeedfallImages", "FeedfallCovers", "FeedfallScreen", "FeedfallStorage", "FeedfallText", "FeedfallWeb",
        "TestServer", "TestSupport", "WaterfallEngine",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "player-probe",
      dependencies: ["FeedfallPlayer", "FeedfallPlaying", "FeedfallSystem", "FeedfallText", "WaterfallEngine"],
      path: "Tests/PlayerProbe",
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallPlayerTests",
      dependencies: [
        "CFeedfallMPV", "FeedfallFeeds", "FeedfallPlayer", "FeedfallPlaying", "FeedfallScreen", "FeedfallSystem",
        "FeedfallText",
        "TestServer", "TestSupport", "WaterfallEngine", "player-probe",
      ], swiftSettings: strict),
    .target(name: "CFeedfallRecorder", path: "Tests/CFeedfallRecorder"),
    .target(name: "CFeedfallPty", dependencies: ["CFeedfallGuard"], path: "Tests/CFeedfallPty"),
    .testTarget(
      name: "FeedfallDesktopTests",
      dependencies: [
        "FeedfallDesktop", "FeedfallFeeds", "FeedfallPlaying", "FeedfallSystem", "FeedfallText", "TestSupport",
        "feedfall",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallTerminalTests",
      dependencies: [
        "CFeedfallGuard", "CFeedfallPty", "FeedfallScreen", "FeedfallSystem", "FeedfallTerminal", "TestSupport",
        "WaterfallEngine",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallCoreTests",
      dependencies: [
        "EngineOracle", "FeedfallCore", "FeedfallFeeds", "FeedfallFilters", "FeedfallLoading", "FeedfallPlaying",
        "FeedfallScreen", "FeedfallText", "FeedfallUserData", "TestSupport", "WaterfallEngine",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "FeedfallConfigurationTests",
      dependencies: [
        "FeedfallConfiguration", "FeedfallFeeds", "FeedfallFilters", "FeedfallScreen", "FeedfallSystem", "FeedfallText",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FeedfallRuntimeTests",
      dependencies: [
        "CFeedfallGuard", "FeedfallCore", "FeedfallFeeds", "FeedfallLoading", "FeedfallPlaying", "FeedfallRuntime",
        "FeedfallScreen", "FeedfallText", "FeedfallUserData", "TestSupport", "WaterfallEngine",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "picture-painter", dependencies: ["FeedfallScreen", "FeedfallTerminal", "WaterfallEngine"],
      path: "Tests/PicturePainter",
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CFeedfallMPV", "CFeedfallPty", "CFeedfallRecorder", "FeedfallConfiguration", "FeedfallCore", "FeedfallCovers",
        "FeedfallDesktop", "FeedfallDownloads",
        "FeedfallFeeds", "FeedfallLoading", "FeedfallPlayer", "FeedfallPlaying", "FeedfallScreen", "FeedfallSources",
        "FeedfallRuntime", "FeedfallStorage",
        "FeedfallSystem", "FeedfallTerminal", "FeedfallText", "FeedfallUserData", "FeedfallWeb", "TestServer",
        "TestSupport", "WaterfallEngine", "feedfall", "picture-painter",
      ],
      exclude: ["Configuration"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x,
  cxxLanguageStandard: .cxx17
)
