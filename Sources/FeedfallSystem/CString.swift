extension Collection<UInt8> {
  /// The bytes as C takes them, with a zero at the end; those after a zero of their own are not seen there.
  package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
