import FeedfallText

/// The addresses of the pages of a feed that counts pages.
struct PageAddresses: Equatable, Sendable {
  let first: Int
  private let form: Form

  /// By the user, so that the pagination applies to any feed.
  var isCounted: Bool {
    switch form {
    case .template, .query: true
    case .assumed, .asTyped: false
    }
  }

  var isTemplate: Bool { if case .template = form { true } else { false } }

  static let defaultSize = 20
  static let maximumPage = 1_000_000_000

  private enum Form: Equatable {
    case template(String)
    case query(WebAddress, size: String)
    /// `page=` and `size=`; the server of a static file ignores them, another one may refuse them. An address with a
    /// secret, such as a signature, is requested as typed: it may be valid for its own parameters only.
    case assumed(WebAddress, size: String)
    /// The first page as typed. The others add only `page=`, so that the server gives them the same size as the first.
    case asTyped(WebAddress)
  }

  init?(typed text: String, pageSize: Int? = nil, firstPage: Int? = nil) {
    let size = String(pageSize ?? Self.defaultSize)
    let text = text.replacing("{size}", with: size)
    guard let address = WebAddress(typed: text.replacing("{page}", with: "0")) else { return nil }
    let ownPage = address.queryValue("page").flatMap { Int($0) }
    let isCounted = ownPage != nil || pageSize != nil || firstPage != nil
    if text.contains("{page}") {
      form = .template(text)
      first = Self.bounded(firstPage ?? 0)
    } else if isCounted {
      let ownSize = pageSize == nil ? address.queryValue("size") : nil
      form = .query(address, size: ownSize ?? size)
      first = Self.bounded(firstPage ?? ownPage ?? 0)
    } else {
      let isCatalogue = address.path.lowercased().hasSuffix(".json") && !address.hasSecret
      form = isCatalogue ? .assumed(address, size: size) : .asTyped(address)
      first = 0
    }
  }

  /// With the same numbers in place of `{page}` and `{size}`, whatever the options are.
  static func written(_ text: String) -> WebAddress? {
    WebAddress(typed: text.replacing("{size}", with: "0").replacing("{page}", with: "0"))
  }

  private init(asTyped address: WebAddress) {
    form = .asTyped(address)
    first = 0
  }

  /// The pages of a server that refuses `page=` and `size=` in the first request; nil where they are not an assumption.
  var withoutAssumption: PageAddresses? {
    if case .assumed(let address, _) = form { PageAddresses(asTyped: address) } else { nil }
  }

  func address(of page: Int) -> WebAddress? {
    switch form {
    case .template(let text): WebAddress(typed: text.replacing("{page}", with: String(page)))
    case .query(let address, let size), .assumed(let address, let size):
      address.setting(query: "page", to: String(page)).setting(query: "size", to: size)
    case .asTyped(let address):
      page == first ? address : address.setting(query: "page", to: String(page))
    }
  }

  func page(after page: Int) -> Int? { page < Self.maximumPage ? page + 1 : nil }

  private static func bounded(_ page: Int) -> Int { min(max(page, 0), maximumPage) }
}

extension String {
  /// Replaces every `part`; regular expressions would have to be loaded first.
  func replacing(_ part: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) {
        result += other
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
