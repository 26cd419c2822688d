enum ScreenBenchmarks { static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {} }
