internal import System

/// Who may ask at a socket, by the headers alone.
///
/// At a socket among the files their permissions have said so already. Behind a port any program of the machine may be, and
/// any page that a browser has open: the program must know the token, and the page be of an origin on the list. The
/// name by which the service is called must be its own, or a page could call it by a name that its own server gives
/// out (DNS rebinding).
package enum AccessRule: Sendable {
  case filePermissions
  case loopback(Loopback)

  /// What is asked of a request at a port.
  package struct Loopback: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>
    private let token: [UInt8]

    /// - Parameters:
    ///   - origins: as browsers write them: `https://desk.example`.
    ///   - servesPage: whether the pages of the service itself may ask.
    package init(port: UInt16, origins: Set<String>, token: [UInt8], servesPage: Bool) {
      let names = ["127.0.0.1:\(port)", "localhost:\(port)"]
      // 80 is the port that nobody writes.
      hosts = Set(port == 80 ? names + ["127.0.0.1", "localhost"] : names)
      self.origins = origins.union(servesPage ? hosts.map { "http://\($0)" } : [])
      self.token = token
    }

    fileprivate func status(of head: RequestHead, isPublic: Bool) -> Int? {
      guard let host = head["host"], hosts.contains(host.lowercased()) else { return 421 }
      if let origin = head["origin"] {
        guard origins.contains(origin) else { return 403 }
      } else if let site = head["sec-fetch-site"] {
        // A browser that names no origin: only what its user typed, or our own page.
        guard ["same-origin", "none"].contains(site) else { return 403 }
      }
      return isPublic || holdsToken(head["authorization"]) ? nil : 401
    }

    /// In a time that depends on the lengths alone.
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

  /// The status with which a request is refused: 400, 401, 403 or 421 (RFC 9110 §15.5); `nil` for one that may be made.
  ///
  /// - Parameter isPublic: whether what it asks for is no secret and needs no token.
  package func refusal(of head: RequestHead, isPublic: Bool) -> Int? {
    if head.isAmbiguous { return 400 }
    switch self {
    // No browser speaks to such a socket.
    case .filePermissions: return head["origin"] == nil ? nil : 403
    case .loopback(let rule): return rule.status(of: head, isPublic: isPublic)
    }
  }
}
