// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Each name once: the groups below overlap.
func dependencies(_ names: [String]) -> [Target.Dependency] {
  Set(names).sorted().map { name in
    name == "ArgumentParser" ? .product(name: name, package: "swift-argument-parser") : .byName(name: name)
  }
}

func module(_ name: String, _ names: [String] = [], path: String? = nil) -> Target {
  .target(name: name, dependencies: dependencies(names), path: path, swiftSettings: strict)
}

func program(_ name: String, _ names: [String], path: String? = nil) -> Target {
  .executableTarget(name: name, dependencies: dependencies(names), path: path, swiftSettings: strict)
}

func tests(_ name: String, _ names: [String], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies(names + ["TestSupport"]), exclude: exclude, swiftSettings: strict)
}

// The modules of the program below the one that joins them all.
let engine = ["WaterfallEngine"]
let text = ["FeedfallText"]
let feeds = text + ["FeedfallFeeds"]
let records = feeds + ["FeedfallRecords"]
let screen = engine + ["FeedfallScreen"]
let app = records + screen + ["FeedfallApp", "FeedfallFilters"]
let system = text + ["CFeedfall", "FeedfallSystem"]
let web = system + ["FeedfallWeb"]
let everything = app + web + ["FeedfallMedia", "FeedfallPlayer", "FeedfallSources", "FeedfallTerminal"]

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
    // Pure modules: they use no clock, file, thread or terminal.
    // The engine is a package of its own too, which has the same targets.
    module("WaterfallEngine", path: "Sources/WaterfallEngine/Sources/WaterfallEngine"),
    module("FeedfallText", ["CFeedfallEncoding"]),
    module("FeedfallFeeds", text),
    module("FeedfallRecords", feeds),
    module("FeedfallFilters", records),
    module("FeedfallScreen", engine),
    module("FeedfallApp", records + screen + ["FeedfallFilters"]),

    // Modules for what is outside the program.
    .systemLibrary(name: "CFeedfallCurses"),
    .target(name: "CFeedfallEncoding"),
    .target(
      name: "CFeedfall",
      cxxSettings: [.define("TOML_EXCEPTIONS", to: "0"), .define("TOML_ENABLE_FORMATTERS", to: "0")]),
    module("FeedfallSystem", text + ["CFeedfall"]),
    module("FeedfallWeb", system),
    module("FeedfallSources", feeds + web),
    module("FeedfallTerminal", screen + system + ["CFeedfallCurses"]),
    module("FeedfallMedia", records + screen + web + ["FeedfallFilters"]),
    module("FeedfallPlayer", app + system),
    module("FeedfallProgram", everything + ["ArgumentParser"]),
    program("feedfall", ["FeedfallProgram"]),

    // Programs and libraries for tests.
    module("TestBasics", path: "Sources/WaterfallEngine/Tests/TestBasics"),
    module("TestSupport", screen + ["TestBasics"], path: "Tests/TestSupport"),
    module("TestServer", path: "Tests/TestServer"),
    module("EngineOracle", engine, path: "Sources/WaterfallEngine/Tests/EngineOracle"),
    .target(name: "CFeedfallPty", dependencies: ["CFeedfall"], path: "Tests/CFeedfallPty"),
    .target(name: "CFeedfallRecorder", path: "Tests/CFeedfallRecorder"),
    program("player-probe", app + system + ["FeedfallPlayer"], path: "Tests/PlayerProbe"),
    program("picture-painter", screen + ["FeedfallTerminal"], path: "Tests/PicturePainter"),
    program(
      "feedfall-bench", everything + ["CFeedfallPty", "EngineOracle", "TestServer"], path: "Tests/Benchmarks"),

    .testTarget(
      name: "WaterfallEngineTests", dependencies: dependencies(engine + ["EngineOracle", "TestBasics"]),
      path: "Sources/WaterfallEngine/Tests/WaterfallEngineTests", swiftSettings: strict),
    tests("FeedfallTextTests", text),
    tests("FeedfallFeedsTests", feeds),
    tests("FeedfallRecordsTests", records),
    tests("FeedfallFiltersTests", records + ["FeedfallFilters"]),
    tests("FeedfallScreenTests", screen),
    tests("FeedfallAppTests", app + ["EngineOracle"], exclude: ["Golden"]),
    tests("FeedfallSystemTests", system),
    tests("FeedfallWebTests", web + ["TestServer"]),
    tests("FeedfallSourcesTests", feeds + web + ["FeedfallSources", "TestServer"]),
    tests("FeedfallTerminalTests", screen + system + ["CFeedfallPty", "FeedfallTerminal"]),
    tests("FeedfallMediaTests", records + screen + web + ["FeedfallMedia", "TestServer"]),
    tests("FeedfallPlayerTests", app + system + ["FeedfallPlayer", "TestServer", "player-probe"]),
    tests("FeedfallProgramTests", everything + ["FeedfallProgram", "TestServer", "feedfall", "ArgumentParser"]),
    tests(
      "EndToEndTests",
      everything + [
        "CFeedfallPty", "CFeedfallRecorder", "FeedfallProgram", "TestServer", "feedfall", "picture-painter",
      ], exclude: ["Configuration"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x,
  cxxLanguageStandard: .cxx17
)
