extension MediaPlayer {
  /// As XML (https://dbus.freedesktop.org/doc/dbus-specification.html#introspection-format).
  func introspection(of path: String) -> String {
    "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\" "
      + "\"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">\n<node>\n"
      + (path == Self.path ? Interface.allCases.map(description).joined() + Self.properties : Self.child(of: path))
      + "</node>\n"
  }

  private static func child(of parent: String) -> String {
    let prefix = parent == "/" ? "/" : parent + "/"
    guard path.hasPrefix(prefix), let name = path.dropFirst(prefix.count).split(separator: "/").first else { return "" }
    return "  <node name=\"\(name)\"/>\n"
  }

  private func description(of interface: Interface) -> String {
    let methods = interface.methods.map { method in
      let arguments = method.arguments.map { "<arg direction=\"in\" type=\"\($0)\"/>" }.joined()
      return "    <method name=\"\(method.name)\">\(arguments)</method>\n"
    }
    let properties = properties(of: interface).map { property in
      Self.property(
        property.name, property.value.signature, isWritable: interface.writableProperties.contains(property.name))
    }
    let position =
      interface == .player
      ? [Self.property("Position", "x"), "    <signal name=\"Seeked\"><arg type=\"x\"/></signal>\n"] : []
    return "  <interface name=\"\(interface.rawValue)\">\n" + (methods + properties + position).joined()
      + "  </interface>\n"
  }

  private static func property(_ name: String, _ type: String, isWritable: Bool = false) -> String {
    "    <property name=\"\(name)\" type=\"\(type)\" access=\"\(isWritable ? "readwrite" : "read")\"/>\n"
  }

  private static let properties = """
      <interface name="\(propertiesInterface)">
        <method name="Get">
          <arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="v"/>
        </method>
        <method name="GetAll"><arg direction="in" type="s"/><arg direction="out" type="a{sv}"/></method>
        <method name="Set">
          <arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="v"/>
        </method>
        <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
      </interface>

    """
}
