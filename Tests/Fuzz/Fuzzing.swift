import Glibc

// The two entry points of libFuzzer. The name of the program, such as `fuzz-feed`, selects the target.

nonisolated(unsafe) private var run = FuzzTarget.allCases[0].run

@_cdecl("LLVMFuzzerInitialize")
public func fuzzerInitialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
) -> CInt {
  let path = arguments.pointee?[0].map { String(cString: $0) } ?? ""
  let name = path.split(separator: "-").last.map(String.init) ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    print(
      "unknown target “\(name)”; the targets are \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(2)
  }
  run = target.run
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
