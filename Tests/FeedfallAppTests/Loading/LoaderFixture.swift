@testable import FeedfallApp

typealias TestLoader = Loader<Int, String>
typealias Effect = TestLoader.Effect

let debounce = Duration.milliseconds(500)

func ticket(_ number: Int) -> Ticket { Ticket(number: number) }

/// The effects of asking for a page.
func requests(for cursor: Int, _ number: Int) -> [Effect] { [.request(cursor, ticket(number))] }

func loader(after events: TestLoader.Event...) -> TestLoader {
  var loader = TestLoader(firstCursor: 0)
  for event in events { _ = loader.handle(event) }
  return loader
}

/// An idle loader after its first page of 20 new items. Ticket 1 is used up.
func loaderWithFirstPage(next: Int? = 1) -> TestLoader {
  loader(after: .refreshRequested, .pageArrived(ticket(1), next: next, newItemCount: 20))
}
