/// The state of a header or a footer.
enum RefreshState: Equatable, Sendable {
  case idle
  /// The user pulls the header.
  case pulling
  /// Loading starts after the debounce.
  case willRefresh
  case refreshing
  /// The server asked to wait this long; loading continues after that.
  case holding(Duration)
  case noMoreData
  /// This many pages in succession had no new items; only the user requests the next one.
  case paused(pageCount: Int)
  /// The last request has failed. `hold` is the time that the server asked to wait, until it has passed.
  case failed(hold: Duration?)
}

extension Loader {
  /// The header's state; only the front end knows of pulling.
  var headerState: RefreshState {
    switch phase {
    case .loading(let request, _) where request.purpose == .replace: .refreshing
    case .holding(let request, _, let hold) where request.purpose == .replace: .holding(hold)
    case .failed(let request, _, let hold, _) where request.purpose == .replace: .failed(hold: hold?.duration)
    case .resting, .debouncing, .loading, .holding, .failed: .idle
    }
  }

  /// The footer's state. Without a page, loading more retries the failed refresh.
  var footerState: RefreshState {
    switch phase {
    case .debouncing: return .willRefresh
    case .loading(let request, _) where request.purpose == .append: return .refreshing
    case .holding(let request, _, let hold) where request.purpose == .append: return .holding(hold)
    case .resting, .loading, .holding, .failed:
      if case .end = position { return .noMoreData }
      if case .failed(_, _, let hold, _) = phase, !canLoadMore || nextRequest == nil {
        return .failed(hold: hold?.duration)
      }
      if case .paused = position { return .paused(pageCount: Self.barrenPageLimit + 1) }
      return .idle
    }
  }

  /// Whether a request or a wait for one is pending.
  var isBusy: Bool {
    switch phase {
    case .debouncing, .loading, .holding: true
    case .resting, .failed: false
    }
  }

  /// The time that the server asked to wait, and whether the request continues after it without the user.
  var wait: (time: Duration, continues: Bool)? {
    switch phase {
    case .holding(_, _, let time): (time, true)
    case .failed(_, _, .some(let hold), _): (hold.duration, false)
    case .resting, .debouncing, .loading, .failed: nil
    }
  }

  /// The failure, until the user dismisses it.
  var shownFailure: (request: Request, failure: Failure, hold: Hold?)? {
    if case .failed(let request, let failure, let hold, isDismissed: false) = phase {
      (request, failure, hold)
    } else {
      nil
    }
  }

  /// The time that the server asked to wait after the last failure, until it has passed.
  var hold: Hold? { if case .failed(_, _, let hold, _) = phase { hold } else { nil } }
}
