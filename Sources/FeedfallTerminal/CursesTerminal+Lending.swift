import CFeedfallGuard

extension CursesTerminal {
  /// Stops the job as ^Z does elsewhere, and returns when it goes on, with all as it was.
  ///
  /// `size` may be another one then; the last canvas is shown again if it is not.
  public func suspend() {
    guard phase == .active else { return guard_stop_job() }
    awaitReports()
    giveBack()
    phase = .lent
    guard_stop_job()
    take()
    _ = choosePictures()
    askOuterTerminal()
    if let canvas, canvas.size == size { paint(canvas) }
  }

  /// Makes the terminal ours, modes first and then the screen; waits while the job is in the background, and leaves
  /// the terminal alone when the program is to end.
  func take() {
    guard device.waitForForeground() else { return }
    phase = .active
    device.makeRaw()
    _ = guard_hold_stderr()
    armGuard()
    measure()
    painter.resize(to: size)
    mustSendModes = false
    device.write(painter.enter() + profile.modesOn)
  }

  private func giveBack() {
    cutVideoFrame()
    let bytes = endOfPictures + endOfFrame + profile.modesOff + painter.leave() + profile.afterScreen
    // A terminal that takes nothing must not keep the program from ending.
    device.write(bytes, limit: 500)
    pictures.forget()
    removals = []
    loseVideo()
    statusCheck = StatusCheck()
    device.makeCooked()
    guard_disarm()
    guard_release_stderr()
  }

  /// Gives the terminal back for good; may be called again.
  public func close() {
    guard phase != .closed else { return }
    if phase == .active {
      awaitReports()
      giveBack()
    }
    phase = .closed
    painter.close()
  }
}
