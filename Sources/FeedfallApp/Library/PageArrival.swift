import FeedfallFeeds
import FeedfallText

struct PageArrival: Sendable {
  enum Purpose: Equatable, Sendable {
    /// A cached page, shown until the source answers.
    case cached
    case append
    /// The last page, requested once more.
    case lastAgain
    /// The first page, or its successor if the first one is empty.
    case replace(isFirst: Bool)
  }

  var source: SourceID
  var ticket: Ticket
  var purpose: Purpose
  var page: FeedPage
}

extension PageArrival {
  enum KeptPlace: Equatable, Sendable {
    /// The start of the tab; the cards may change.
    case start
    case card(CardID?)
  }

  enum Change: Sendable {
    case appended([CardSlot])
    /// The list has grown by these cards since its end was reached.
    case grown([CardSlot])
    /// The first page is empty; the list stays.
    case kept
    /// A first page has replaced the list. `added` are the cards that were not in it; nil if it was empty.
    case replaced([CardSlot], added: [CardSlot]?)
    /// The list begins with a first page, and goes on with the cards that are not in it. `added` are new.
    case merged([CardSlot], added: [CardSlot])
    /// The new cards of a first page have gone above the list, whose order stays.
    case joined([CardSlot], added: [CardSlot])

    /// The cards that a first page has added to a list with cards.
    var addedToList: [CardSlot]? {
      switch self {
      case .appended, .kept: nil
      case .grown(let added): added
      case .replaced(_, let added): added
      case .merged(_, let added), .joined(_, let added): added
      }
    }

    var replacesList: Bool { if case .replaced = self { true } else { false } }
  }
}
