/// Finds the video of each address. A page that several videos share names none of them.
package struct AddressOwners<Owner: Equatable> {
  private let addresses: Set<String>
  private var files: [String: [Owner]] = [:]
  private var pages: [String: [Owner]] = [:]

  /// - Parameter addresses: without secrets.
  package init(_ addresses: Set<String>) { self.addresses = addresses }

  package mutating func add(_ owner: Owner, file: String?, page: String?) {
    if let file, addresses.contains(file) { Self.add(owner, to: &files[file, default: []]) }
    if let page, page != file, addresses.contains(page) { Self.add(owner, to: &pages[page, default: []]) }
  }

  /// At most two: enough to know that an address is not unique.
  private static func add(_ owner: Owner, to owners: inout [Owner]) {
    if owners.count < 2, !owners.contains(owner) { owners.append(owner) }
  }

  /// The owner of each address that has exactly one. A file takes precedence over a page.
  package var unique: [String: Owner] {
    pages.merging(files) { $1 }.filter { $0.value.count == 1 }.mapValues { $0[0] }
  }
}
