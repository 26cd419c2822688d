import FeedfallText

/// The page after an answer: an address in the answer, or the parameters that continue its request.
public struct NextPage: Equatable, Sendable {
  private enum Form: Equatable {
    case link(WebAddress, isArchive: Bool)
    case tokens([Token], after: WebAddress)
  }

  private struct Token: Equatable {
    let name: String
    let value: String
  }

  private let form: Form

  init(_ address: WebAddress) { self.init(address, isArchive: false) }

  /// - Parameter isArchive: whether the page never changes (RFC 5005, 4).
  init(_ address: WebAddress, isArchive: Bool) { form = .link(address, isArchive: isArchive) }

  init?(header: String, from address: WebAddress?) {
    if let next = LinkHeader.target(of: "next", in: header, from: address) {
      self.init(next)
    } else if let archive = LinkHeader.target(of: "prev-archive", in: header, from: address) {
      self.init(archive, isArchive: true)
    } else {
      return nil
    }
  }

  /// A page that is requested by the request for the first page with these parameters. Those of earlier answers are
  /// dropped: with a used-up token, MediaWiki would omit files (mediawiki.org, API:Continue).
  init?(tokens: [(name: String, value: String)], after address: WebAddress) {
    guard !tokens.isEmpty,
      tokens.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= WebAddress.maximumByteCount
    else { return nil }
    let tokens = tokens.map { Token(name: $0.name, value: $0.value) }
    guard WebAddress(Self.address(tokens, in: address).text) != nil else { return nil }
    form = .tokens(tokens, after: address)
  }

  /// The address of the page if the answer is the first page.
  public var address: WebAddress {
    switch form {
    case .link(let address, _): address
    case .tokens(let tokens, let request): Self.address(tokens, in: request)
    }
  }

  /// The start of the page in a list that begins with a request.
  public func cursor(in first: WebAddress) -> FeedCursor {
    switch form {
    case .link(let address, let isArchive): isArchive ? .archive(address) : .address(address)
    case .tokens(let tokens, let request):
      // The first request may have returned a page that only links to the list.
      .address(Self.address(tokens, in: first.origin == request.origin && first.path == request.path ? first : request))
    }
  }

  private static func address(_ tokens: [Token], in request: WebAddress) -> WebAddress {
    tokens.reduce(request) { $0.setting(query: $1.name, to: $1.value) }
  }

  /// The page with another form of its address; tokens stay unchanged.
  public func mapAddress(_ change: (WebAddress) -> WebAddress) -> NextPage {
    switch form {
    case .link(let address, let isArchive): NextPage(change(address), isArchive: isArchive)
    case .tokens: self
    }
  }
}
