import FeedfallSystem
import FeedfallText
import Glibc

extension DoctorCommand {
  /// What yt-dlp can do here, without secrets.
  struct YtDlpWords: Equatable {
    private(set) var faults: [String] = []
    private(set) var facts: [String] = []

    init(_ ytDlp: YtDlp, _ proxies: Proxies) {
      let installation = YtDlpInstallation(ytDlp.program, cache: ytDlp.cacheFolder, asksAll: true)
      if let installation {
        addProgram(installation)
        addRuntimes(installation)
      } else if let program = ytDlp.program {
        faults.append("program: \(Self.shown(program)) is not a program. Correct program below [yt-dlp].")
      } else {
        facts.append("program: none. Most web pages need it: \(YtDlpCure.installation).")
      }
      facts.append("configuration: \(ytDlp.readsConfiguration ? "its own, then [yt-dlp]" : "[yt-dlp] only")")
      addCookies(ytDlp)
      // Only names: a value, or the rest of a short option, may be a password.
      let options = ytDlp.arguments.compactMap { word -> String? in
        if word.hasPrefix("--") { return String(word.prefix { $0 != "=" }) }
        return word.hasPrefix("-") ? String(word.prefix(2)) : nil
      }
      if !options.isEmpty { facts.append("arguments: \(cleanedLine(options.joined(separator: " "), limit: 200))") }
      if let address = WebAddress("https://www.youtube.com/") {
        facts.append("proxy: \(proxies.proxy(for: address)?.description ?? "none")")
      }
    }

    private mutating func addProgram(_ installation: YtDlpInstallation) {
      let path = Self.shown(installation.path)
      guard let version = installation.version else {
        faults.append("program: \(path) does not say its version. Install it again: \(YtDlpCure.installation).")
        return
      }
      let advice = installation.knowsRuntimes ? "" : ", too old for YouTube. Update it: \(YtDlpCure.installation)."
      facts.append("program: \(path), version \(version)\(advice)")
    }

    private mutating func addRuntimes(_ installation: YtDlpInstallation) {
      for runtime in installation.runtimes {
        let version = runtime.version.map { " \($0)" } ?? ""
        facts.append(
          "runtime: \(runtime.name)\(version), \(Self.shown(runtime.path))\(runtime.isSupported ? "" : ", too old")")
      }
      guard installation.knowsRuntimes, !installation.hasRuntime else { return }
      facts.append("runtime: none that YouTube's pages need for all formats. Install deno: \(YtDlpCure.installation).")
    }

    private mutating func addCookies(_ ytDlp: YtDlp) {
      if let browser = ytDlp.cookiesFromBrowser { facts.append("cookies: from \(Self.shown(browser))") }
      guard let path = ytDlp.cookies else { return }
      var status = stat()
      guard access(path, R_OK) == 0, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        faults.append("cookies: \(Self.shown(path)) cannot be read. Correct cookies below [yt-dlp].")
        return
      }
      let isOpen = status.st_mode & 0o044 != 0
      facts.append("cookies: \(Self.shown(path))")
      if isOpen { faults.append("cookies: other users can read \(Self.shown(path)). Run chmod 600 on it.") }
    }

    private static func shown(_ text: String) -> String { cleanedLine(text, limit: 80) }
  }
}
