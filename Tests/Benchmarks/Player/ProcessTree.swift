import Glibc

/// Counters of a process and its descendants, from `/proc`.
struct ProcessTree {
  let root: pid_t

  /// The time of the descendants.
  var milliseconds: Double { descendants.reduce(0) { $0 + Self.milliseconds(of: $1) } }

  static func milliseconds(of process: pid_t) -> Double {
    // After the name in brackets, which may have spaces, user and system time are the 12th and 13th field.
    let fields = text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) * 1000 / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// How often threads of the descendants have waited.
  var switches: Double { descendants.reduce(0) { $0 + Self.switches(of: $1) } }

  static func switches(of process: pid_t) -> Double {
    names(in: "/proc/\(process)/task").reduce(0.0) { sum, task in
      let lines = text("/proc/\(process)/task/\(task)/status").split(separator: "\n")
      let count = lines.first { $0.hasPrefix("voluntary") }?.split(separator: "\t").last.flatMap { Double($0) }
      return sum + (count ?? 0)
    }
  }

  /// The shared memory objects of frames that the root has not removed, and that no terminal has read.
  var sharedFrameCount: Int { Self.names(in: "/dev/shm").count { $0.hasPrefix("feedfall-\(root)-") } }

  private var descendants: [pid_t] {
    var found: [pid_t] = []
    var parents = [root]
    while let parent = parents.popLast() {
      for task in Self.names(in: "/proc/\(parent)/task") {
        let children = Self.text("/proc/\(parent)/task/\(task)/children").split(separator: " ").compactMap { pid_t($0) }
        found += children
        parents += children
      }
    }
    return found
  }

  private static func names(in folder: String) -> [String] {
    files(in: folder).map { String($0.dropFirst(folder.utf8.count + 1)) }
  }

  private static func text(_ path: String) -> String { String(decoding: contents(of: path) ?? [], as: UTF8.self) }
}
