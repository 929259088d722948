internal import Primitives

/// Access control for requests, decided from the headers alone.
///
/// For a Unix socket, the file permissions suffice. Any local program and any web page in a browser
/// can reach a port, so the client must present the token and a page must come from a listed
/// origin. The Host header must name the service itself, because of DNS rebinding: a page could
/// otherwise reach it under a name that its own server resolves to 127.0.0.1.
package enum AccessRule: Sendable {
  case filePermissions
  case loopback(Loopback)

  /// Requirements for a request that arrives at a port.
  package struct Loopback: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>
    private let token: [UInt8]

    /// - Parameters:
    ///   - origins: as browsers write them: `https://desk.example`.
    ///   - servesPage: whether the pages of the service itself may ask.
    package init(port: UInt16, origins: Set<String>, token: [UInt8], servesPage: Bool) {
      let names = ["127.0.0.1:\(port)", "localhost:\(port)"]
      // Clients leave out port 80.
      hosts = Set(port == 80 ? names + ["127.0.0.1", "localhost"] : names)
      self.origins = origins.union(servesPage ? hosts.map { "http://\($0)" } : [])
      self.token = token
    }

    fileprivate func status(of head: RequestHead, isPublic: Bool) -> Int? {
      guard let host = head["host"], hosts.contains(host.lowercased()) else { return 421 }
      if let origin = head["origin"] {
        guard origins.contains(origin) else { return 403 }
      } else if let site = head["sec-fetch-site"] {
        // No Origin header: allow addresses typed by the user, our own page, and links to it, which has no secret.
        let isLink = isPublic && head.method == "GET" && head["sec-fetch-dest"] == "document"
        guard isLink || ["same-origin", "none"].contains(site) else { return 403 }
      }
      return isPublic || holdsToken(head["authorization"]) ? nil : 401
    }

    /// Takes a time that depends only on the lengths.
    private func holdsToken(_ authorization: String?) -> Bool {
      let scheme = "bearer "
      guard let authorization, authorization.prefix(scheme.count).lowercased() == scheme else {
        return false
      }
      let given = [UInt8](authorization.utf8.dropFirst(scheme.utf8.count))
      guard given.count == token.count else { return false }
      return zip(given, token).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
  }

  /// The status that refuses a request: 400, 401, 403 or 421 (RFC 9110 §15.5); `nil` if it is
  /// allowed.
  ///
  /// - Parameter isPublic: true if the resource is not secret and needs no token.
  func refusal(of head: RequestHead, isPublic: Bool) -> Int? {
    if head.isAmbiguous { return 400 }
    switch self {
    // Browsers cannot connect to a Unix socket.
    case .filePermissions: return head["origin"] == nil ? nil : 403
    case .loopback(let rule): return rule.status(of: head, isPublic: isPublic)
    }
  }
}
