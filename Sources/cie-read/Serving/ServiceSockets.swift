import CIECard
import CardWork
import Glibc
import LocalService
import Primitives

/// The sockets of the service, with their access rules.
struct ServiceSockets {
  struct Wishes {
    /// A path in the file system.
    var path: String?
    /// A port of 127.0.0.1.
    var port: UInt16?
    /// The file with the token for it.
    var tokenFile: String?
    /// The origins whose pages may send requests there.
    var origins: Set<String> = []
    /// True if the service's own page may.
    var servesPage = false
  }

  /// A socket and the rule for it.
  let doors: [(socket: ListeningSocket, rule: AccessRule)]

  /// Opens the sockets, or takes those that the service manager has opened.
  ///
  /// - Parameter environment: looks a variable up.
  init(_ wishes: Wishes, environment: (String) -> String?) throws(Failure) {
    var sockets: [ListeningSocket]
    sockets = try mapError(try ListeningSocket.passed(environment: environment)) {
      (_: SystemError) in Failure.usage("public-socket")
    }
    let usual = PersonalFolder.runtime.path(environment).map { $0 + "/cie-read.sock" }
    if let path = wishes.path ?? (sockets.isEmpty ? usual : nil) {
      sockets.append(try mapError(try ListeningSocket(file: path)) { Failure.taken(path, $0) })
    }
    if let port = wishes.port {
      let place = "127.0.0.1:\(port)"
      sockets.append(try mapError(try ListeningSocket(port: port)) { Failure.taken(place, $0) })
    }
    guard !sockets.isEmpty else { throw .usage("no-socket") }
    var token: [UInt8]?
    var doors: [(socket: ListeningSocket, rule: AccessRule)] = []
    for socket in sockets {
      switch socket.place {
      case .file: doors.append((socket, .filePermissions))
      case .loopback(let port):
        guard let file = wishes.tokenFile else {
          throw .usage("serve-option", ["option": "--http", "other": "--token-file"])
        }
        let known = if let token { token } else { try TokenFile.read(file) }
        token = known
        doors.append(
          (
            socket,
            .loopback(
              AccessRule.Loopback(
                port: port, origins: wishes.origins, token: known, servesPage: wishes.servesPage))
          ))
      }
    }
    self.doors = doors
  }

  /// Opens those of a window: a free port of 127.0.0.1 and, for a second start of the program, a file.
  ///
  /// - Throws: `place-taken` if another process listens at the file.
  init(token: String, path: String?) throws(Failure) {
    var doors: [(socket: ListeningSocket, rule: AccessRule)] = []
    if let path {
      let file = try mapError(try ListeningSocket(file: path)) { Failure.taken(path, $0) }
      doors.append((file, .filePermissions))
    }
    let socket: ListeningSocket = try mapError(try ListeningSocket(port: 0)) {
      (error: SystemError) in
      Failure.file(.unwritable(path: "127.0.0.1", errno: error.code))
    }
    if case .loopback(let port) = socket.place {
      let rule = AccessRule.Loopback(
        port: port, origins: [], token: [UInt8](token.utf8), servesPage: true)
      doors.append((socket, .loopback(rule)))
    }
    self.doors = doors
  }

  /// Their addresses, for people.
  var places: [String] {
    doors.map { door in
      switch door.socket.place {
      case .file(let path): path ?? "-"
      case .loopback(let port): "http://127.0.0.1:\(port)/"
      }
    }
  }

  /// The address of the port; nil without one.
  var origin: String? { places.last { $0.hasPrefix("http:") } }

  func removeFiles() { for door in doors { door.socket.removeFile() } }
}

extension Failure {
  /// The reason why a place cannot be listened at: another program has it, or the system refuses it.
  fileprivate static func taken(_ place: String, _ error: SystemError) -> Failure {
    guard error.code == EADDRINUSE else {
      return .file(.unwritable(path: place, errno: error.code))
    }
    return .found(Diagnosis(.internalFailure, "place-taken", ["place": place]))
  }
}

/// The file with the token of a port, which only its owner may be able to read.
enum TokenFile {
  /// The length that prevents guessing, in characters of at most six bits each.
  private static let least = 32
  private static let most = 512

  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let text: [UInt8]
    do throws(PlainFile.Failure) {
      text = try PlainFile.read(path, limit: most, others: .none)
    } catch {
      switch error {
      case .unreadable(let error): throw .file(.unreadable(path: path, errno: error.code))
      case .notPlain: throw .file(.notPlain(path: path))
      case .exposed: throw .usage("exposed-token")
      case .tooLarge: throw .usage("bad-token")
      }
    }
    let token = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let isVisible = token.allSatisfy { (0x21...0x7E).contains($0) }
    let ending = String(decoding: text.dropFirst(token.count), as: UTF8.self)
    guard token.count >= least, isVisible, ["", "\n", "\r\n"].contains(ending) else {
      throw .usage("bad-token")
    }
    return [UInt8](token)
  }
}
