/// What a header or a footer shows.
public enum RefreshState: Equatable, Sendable {
  case idle
  /// The person pulls; only a header is ever pulled.
  case pulling
  /// Loading will start in a moment.
  case willRefresh
  case refreshing
  /// The server asked to wait this long; then it goes on by itself.
  case holding(Duration)
  case noMoreData(EndReason)
  /// What was last asked for could not be had; `hold` is there while the server does not want to be asked again.
  case failed(hold: Duration?)
}

extension Loader {
  /// What the header shows; pulling is the front end's to know.
  public var headerState: RefreshState {
    switch phase {
    case .loading(let request, _) where request.purpose == .replace: .refreshing
    case .holding(let request, _, let hold) where request.purpose == .replace: .holding(hold)
    case .failed(let request, _, let hold, _) where request.purpose == .replace: .failed(hold: hold?.duration)
    case .resting, .debouncing, .loading, .holding, .failed: .idle
    }
  }

  /// What the footer shows. After a failed refresh, too, asking for more is what tries again.
  public var footerState: RefreshState {
    switch phase {
    case .debouncing: return .willRefresh
    case .loading(let request, _) where request.purpose == .append: return .refreshing
    case .holding(let request, _, let hold) where request.purpose == .append: return .holding(hold)
    case .resting, .loading, .holding, .failed:
      if case .end(let reason) = position { return .noMoreData(reason) }
      if case .failed(_, _, let hold, _) = phase { return .failed(hold: hold?.duration) }
      return .idle
    }
  }

  /// Whether a request or a wait for one is under way.
  public var isBusy: Bool {
    switch phase {
    case .debouncing, .loading, .holding: true
    case .resting, .failed: false
    }
  }

  /// The failure that the person has not dismissed yet.
  public var shownFailure: (request: Request, failure: LoadFailure<Failure>, hold: Hold?)? {
    if case .failed(let request, let failure, let hold, isDismissed: false) = phase {
      (request, failure, hold)
    } else {
      nil
    }
  }
}
