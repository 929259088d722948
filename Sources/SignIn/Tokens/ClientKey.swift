internal import CIECard
internal import RedirectFlow
internal import Synchronization
package import System

/// The private key with which this program is known to a provider (RFC 7523): it signs, and opens what is encrypted to it.
package final class ClientKey: Sendable {
  private static let fileLimit = 16 << 10

  /// Its name at the provider.
  package let id: String?
  /// What it signs with.
  package let algorithm: TokenAlgorithm
  private let publicMembers: [JSON.Member]
  private let key: Mutex<JOSEKey>

  /// Reads a private key as JSON (RFC 7517), from a file that only its owner may read.
  package convenience init(file path: String) throws(TokenProblem) {
    let bytes: [UInt8]
    do throws(PrivateFile.Failure) {
      bytes = try PrivateFile.read(path, limit: Self.fileLimit)
    } catch {
      throw error == .exposed ? .keyFileExposed : .keyFileUnreadable
    }
    try self.init(json: bytes)
  }

  /// Reads a private key as JSON.
  package init(json: [UInt8]) throws(TokenProblem) {
    let members: [JSON.Member]
    let kind: JSONWebKey.Kind
    do throws(TokenProblem) {
      let claims = try TokenClaims(json)
      let type = try claims.requiredText("kty")
      guard type == "RSA" || type == "EC",
        let (found, shared) = try JSONWebKey.publicMembers(claims, type)
      else { throw .clientKeyUnusable }
      (kind, publicMembers) = (found, shared)
      id = try claims.text("kid")
      var list = shared
      switch kind {
      case .rsa:
        for name in ["d", "p", "q", "dp", "dq", "qi"] {
          list.append(JSON.Member(name, Base64URL.encode(try JSONWebKey.bytes(claims, name))))
        }
      case .ec(let curve):
        let number = try JSONWebKey.number(claims, "d", on: curve)
        list.append(JSON.Member("d", Base64URL.encode(number)))
      }
      members = list
      algorithm = try Self.algorithm(kind, claims.text("alg"))
      key = Mutex(try JOSEKey(JSON.object(members).text))
    } catch .keyLength(let bits) {
      throw .keyLength(bits: bits)
    } catch {
      throw .clientKeyUnusable
    }
  }

  /// The algorithm that the key names, else the usual one of its kind.
  private static func algorithm(
    _ kind: JSONWebKey.Kind, _ name: String?
  ) throws(TokenProblem) -> TokenAlgorithm {
    let usual =
      switch kind {
      case .rsa: TokenAlgorithm.rs256
      case .ec(let curve): curve.algorithm
      }
    guard let name else { return usual }
    guard let named = TokenAlgorithm(rawValue: name), named.curve == usual.curve else {
      throw .clientKeyUnusable
    }
    return named
  }

  /// A signed token of these claims.
  package func sign(
    _ claims: JSON, type: String = "JWT"
  ) throws(TokenProblem) -> String {
    let header = [("alg", algorithm.rawValue), ("typ", type)] + (id.map { [("kid", $0)] } ?? [])
    let result: Result<String, TokenProblem> = key.withLock { key in
      do throws(TokenProblem) {
        return .success(try JOSELibrary.sign([UInt8](claims.text.utf8), header, key))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// What an encrypted token holds (JWE in compact form, RFC 7516), such as a signed one.
  ///
  /// RSA-OAEP with A128CBC-HS256 or A256CBC-HS512; the library has no RSA-OAEP-256.
  package func decrypt(_ text: String) throws(TokenProblem) -> [UInt8] {
    let token = try CompactToken(text, parts: 5)
    switch token.header.algorithm {
    case "RSA-OAEP": break
    case "RSA1_5": throw .algorithmForbidden("RSA1_5")
    default: throw .encryptionUnknown(token.header.algorithm)
    }
    let tagLength: Int
    switch token.header.encryption {
    case "A128CBC-HS256": tagLength = 16
    case "A256CBC-HS512": tagLength = 32
    case let other: throw .encryptionUnknown(other ?? "")
    }
    guard algorithm.curve == nil else { throw .decryptionFailed }
    if let named = token.header.keyID, let id, named != id { throw .keyUnknown }
    // The library would read an initialization vector of AES's length, whatever came.
    guard token.parts[2].count == 16, token.parts[4].count == tagLength,
      token.parts[3].count.isMultiple(of: 16), !token.parts[3].isEmpty
    else { throw .decryptionFailed }
    let result: Result<[UInt8], TokenProblem> = key.withLock { key in
      do throws(TokenProblem) {
        return .success(try JOSELibrary.decrypt(token.text, key))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The public half as a list of keys, for a provider to be told.
  package var publicKeys: JSON {
    let name = id.map { [JSON.Member("kid", $0)] } ?? []
    return .object([
      JSON.Member("keys", .array([.object(publicMembers + name)]))
    ])
  }
}

extension ClientKey: Redacted {
  /// The algorithm.
  package var description: String { "client key for \(algorithm.rawValue)" }
}
