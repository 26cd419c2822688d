import TestSupport
import Testing

/// What servers, files and pictures of the world look like, each as a check by name. The helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct ServerCaseTable {
  @Test(arguments: connections) func `redirects, names and slow lines`(_ row: Case) async throws {
    try await row.check()
  }
  @Test(arguments: bodies) func `bodies and names of downloads`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: files) func `files and paths`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pages) func `pages and streams`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: loads) func `loading of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: candidates) func `choice of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pictures) func `decoding of pictures`(_ row: Case) async throws { try await row.check() }

  static let connections: [Case] = [
    Case(
      "a consent page that redirects to the film itself with a cookie lets it be downloaded",
      ConnectionCases.consentWall),
    Case("a cookie returns to its own host only, also for a domain of one label", ConnectionCases.foreignCookie),
    Case("a redirect that sets a thousand cookies is followed with the last twenty", ConnectionCases.thousandCookies),
    Case("a redirect loop that counts its visits in a cookie ends", ConnectionCases.countingLoop),
    Case("a redirect loop that sets the same cookie again ends at once", ConnectionCases.uselessCookie),
    Case("a cookie of the first page is not sent for the second one", ConnectionCases.cookieOfPage),
    Case("a redirect removes a cookie by a date of the past", ConnectionCases.removedCookie),
    Case("full-width letters are an ASCII name") {
      try await ConnectionCases.expectList(of: "http://Ｐｏｄ．ｅｘａｍｐｌｅ/f.xml", requests: "http://pod.example/f.xml")
    },
    Case("a German sharp s is no double s") {
      try await ConnectionCases.expectList(of: "http://straße.example/", requests: "http://xn--strae-oqa.example/")
    },
    Case("a Persian name with a zero-width non-joiner is requested") {
      try await ConnectionCases.expectList(
        of: "http://نامه\u{200C}ای.example/", requests: "http://xn--mgba3gch31f060k.example/")
    },
    Case("a name of an emoji is requested as browsers do") {
      try await ConnectionCases.expectList(of: "http://i❤️.example/", requests: "http://xn--i-7iq.example/")
    },
    Case("a percent-encoded name is requested") {
      try await ConnectionCases.expectList(of: "http://b%C3%BCcher.example/", requests: "http://xn--bcher-kva.example/")
    },
    Case("an ASCII name with an invalid code is left to the server") {
      try await ConnectionCases.expectList(
        of: "http://xn--zzzzzzz9999.example/", requests: "http://xn--zzzzzzz9999.example/")
    },
    Case("redirects to names beyond ASCII are followed", ConnectionCases.redirectBeyondASCII),
    Case("a redirect to an emoji is followed", ConnectionCases.redirectToPicture),
    Case("a film on a Japanese name is downloaded without a locale", ConnectionCases.downloadBeyondASCII),
    Case("messages show names of one script, and mixtures in ASCII", ConnectionCases.namesInMessages),
    Case("a character that contains a slash does not end the name", ConnectionCases.hiddenSlash),
    Case("a long time-out applies to videos and downloads too", ConnectionCases.longTimeout),
    Case("a server whose covers arrive too slowly is not regarded as silent", ConnectionCases.slowIsNotSilent),
  ]

  static let bodies: [Case] = []

  static let files: [Case] = []

  static let pages: [Case] = []

  static let loads: [Case] = []

  static let candidates: [Case] = []

  static let pictures: [Case] = []
}
