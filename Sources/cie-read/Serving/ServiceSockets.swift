import CIECard
import Glibc
import LocalService
import System

/// Where the service listens, and who may ask there.
struct ServiceSockets {
  /// What the operator says of it.
  struct Wishes {
    /// A file.
    var path: String?
    /// A port of 127.0.0.1.
    var port: UInt16?
    /// The file with the token for it.
    var tokenFile: String?
    /// The origins whose pages may ask there.
    var origins: Set<String> = []
    /// Whether the service's own page may.
    var servesPage = false
  }

  /// A socket and the rule for it.
  let doors: [(socket: ListeningSocket, rule: AccessRule)]

  /// Opens them, or takes those that the service manager has opened.
  ///
  /// - Parameter environment: looks a variable up.
  init(_ wishes: Wishes, environment: (String) -> String?) throws(Failure) {
    var sockets: [ListeningSocket]
    do throws(SystemError) {
      sockets = try ListeningSocket.passed(environment: environment)
    } catch { throw .usage(.publicSocket) }
    let usual = environment("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 + "/cie-read.sock" }
    if let path = wishes.path ?? (sockets.isEmpty ? usual : nil) {
      do throws(SystemError) { sockets.append(try ListeningSocket(file: path)) } catch {
        throw .file(.unwritable(path: path, errno: error.code))
      }
    }
    if let port = wishes.port {
      do throws(SystemError) { sockets.append(try ListeningSocket(port: port)) } catch {
        throw .file(.unwritable(path: "127.0.0.1:\(port)", errno: error.code))
      }
    }
    guard !sockets.isEmpty else { throw .usage(.noSocket) }
    var token: [UInt8]?
    var doors: [(socket: ListeningSocket, rule: AccessRule)] = []
    for socket in sockets {
      switch socket.place {
      case .file: doors.append((socket, .filePermissions))
      case .loopback(let port):
        guard let file = wishes.tokenFile else {
          throw .usage(.serveOption("--http", needs: "--token-file"))
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

  /// Takes the files of the sockets away.
  func removeFiles() { for door in doors { door.socket.removeFile() } }
}

/// The file with the token of a port, which only its owner may be able to read.
enum TokenFile {
  /// What nobody guesses, in characters of which each has six bits at most.
  private static let least = 32
  private static let most = 512

  static func read(_ path: String) throws(Failure) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .file(.unreadable(path: path, errno: errno)) }
    let isOurs = status.st_uid == geteuid() || status.st_uid == 0
    guard isOurs, status.st_mode & 0o077 == 0 else { throw .usage(.exposedToken) }
    let text = try InputFile.read(path, limit: most)
    let token = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let isVisible = token.allSatisfy { (0x21...0x7E).contains($0) }
    let ending = String(decoding: text.dropFirst(token.count), as: UTF8.self)
    guard token.count >= least, isVisible, ["", "\n", "\r\n"].contains(ending) else {
      throw .usage(.badToken)
    }
    return [UInt8](token)
  }
}
