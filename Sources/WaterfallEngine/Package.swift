// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// The engine alone, without dependencies. The package of the program has the same targets.
let package = Package(
  name: "WaterfallEngine",
  // The engine uses inline arrays and integer generic parameters.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [.library(name: "WaterfallEngine", targets: ["WaterfallEngine"])],
  targets: [
    .target(name: "WaterfallEngine", swiftSettings: strict),
    .executableTarget(name: "waterfall-svg", dependencies: ["WaterfallEngine"], swiftSettings: strict),
    .target(name: "TestBasics", path: "Tests/TestBasics", swiftSettings: strict),
    .target(
      name: "EngineOracle", dependencies: ["WaterfallEngine"], path: "Tests/EngineOracle", swiftSettings: strict),
    .testTarget(
      name: "WaterfallEngineTests", dependencies: ["EngineOracle", "TestBasics", "WaterfallEngine"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
