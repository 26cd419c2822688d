import FeedfallSystem
import Glibc
import WaterfallEngine

/// The cost of playing a video in cells of the terminal, compared in the same run with mpv's own `tct` output of the same
/// size.
enum PlayerBenchmarks {
  typealias Report = (_ name: String, _ value: Double, _ unit: String) -> Void

  static func run(_ report: Report) {
    guard let clips = PlayerClips() else {
      let line = "feedfall-bench: the player was not measured: mpv or ffmpeg is missing; install both\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
      return
    }
    defer { clips.discard() }
    for clip in clips.clips {
      for size in clip.sizes { measure(clip, Size(width: size.width, height: size.height), report) }
    }
    if let noise = clips.noise { measureSlowTerminals(noise, report) }
    PlayerLatencies.run(clips, report)
    if let clip = clips.clips.first(where: { $0.name == "720p" }) { PlayerPixels.run(clip, report) }
  }

  private static func measure(_ clip: PlayerClips.Clip, _ cells: Size, _ report: Report) {
    let name = "player.\(clip.name) \(cells.width)x\(cells.height)"
    guard let (own, log) = show(clip, cells), let alone = mpvAlone(clip, cells), alone.processorMilliseconds > 0
    else { return }
    let frames = Double(log.frameTimes.count)
    let (first, last) = (log.frameTimes.first ?? 0, log.frameTimes.last ?? 0)
    report("\(name): share of the frames shown (goal 0.98)", frames / Double(PlayerClips.frameCount), "ratio")
    report("\(name): frames a second (goal 24)", (frames - 1) * 1000 / max(1, last - first), "1/s")
    let seconds = Double(PlayerClips.seconds)
    report("\(name): mpv and us", own.processorMilliseconds / 1000 / seconds, "s/s")
    report("\(name): mpv alone", alone.processorMilliseconds / 1000 / seconds, "s/s")
    report(
      "\(name): processor (goal \(clip.processorGoal))", own.processorMilliseconds / alone.processorMilliseconds,
      "ratio")
    report("\(name): us (goal 0.06)", log.processorMilliseconds / 1000 / seconds, "s/s")
    report("\(name): bytes", Double(own.byteCount) / 1e6 / seconds, "MB/s")
    report("\(name): bytes (goal \(clip.byteGoal))", Double(own.byteCount) / Double(alone.byteCount), "ratio")
  }

  /// Plays a clip in a terminal like the program does.
  static func show(
    _ clip: PlayerClips.Clip, _ cells: Size, bytesPerSecond: Int? = nil, answers: Bool = true
  ) -> (DrainedProgram, PlayerShow.Log)? {
    let path = "\(clip.path).log"
    defer { unlink(path) }
    let command = [
      "/proc/self/exe", "player", PlayerShow.argument, "\(cells.width)", "\(cells.height)", clip.path, path,
    ]
    let screen = Size(width: cells.width, height: cells.height + 2)
    guard let program = DrainedProgram(command, size: screen, bytesPerSecond: bytesPerSecond, answers: answers),
      let log = PlayerShow.Log(path: path)
    else { return nil }
    return (program, log)
  }

  static func mpvAlone(_ clip: PlayerClips.Clip, _ cells: Size) -> DrainedProgram? {
    guard let mpv = InstalledPrograms.path(of: "mpv") else { return nil }
    let command = [
      mpv, "--no-config", "--really-quiet", "--profile=sw-fast", "--vo=tct", "--ao=null",
      "--vo-tct-width=\(cells.width)", "--vo-tct-height=\(cells.height)", clip.path,
    ]
    return DrainedProgram(command, size: cells)
  }

  // MARK: - Slow terminals

  private static func measureSlowTerminals(_ clip: PlayerClips.Clip, _ report: Report) {
    for (rate, goal) in [(500_000, 150), (200_000, 300)] {
      for answers in [true, false] {
        let cells = Size(width: 80, height: 24)
        guard let (program, log) = show(clip, cells, bytesPerSecond: rate, answers: answers) else { continue }
        let name = "player.\(clip.name) at \(rate / 1000) kB/s\(answers ? "" : " without answers")"
        // From the dequeuing of a frame until the terminal has read all of it. The first quarter adapts to its speed.
        let lags = zip(program.frameTimes, log.frameTimes).map { $0 - $1 }.dropFirst(log.frameTimes.count / 4)
        let sorted = lags.sorted()
        guard let longest = sorted.last else { continue }
        report("\(name): lag, median", sorted[sorted.count / 2], "ms")
        report("\(name): lag, longest (goal \(goal))", longest, "ms")
        report("\(name): frames a second", Double(log.frameTimes.count) / Double(PlayerClips.seconds), "1/s")
      }
    }
  }
}
