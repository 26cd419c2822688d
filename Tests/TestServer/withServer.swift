/// Runs a test against a server that is stopped afterwards.
public func withServer<Value>(
  isolation: isolated (any Actor)? = #isolation, _ answering: @escaping TestServer.Answering,
  _ body: (TestServer) async throws -> Value
) async throws -> Value {
  let server = try TestServer(answering)
  defer { server.stop() }
  return try await body(server)
}
