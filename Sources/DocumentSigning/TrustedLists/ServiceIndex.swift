internal import CIECard
internal import Primitives

/// The file in which an update keeps the services of trusted lists, so that a judgement reads those alone that it needs.
///
/// A line with the state of the lists, then records of one length, in order, then a line for each certificate of a
/// service, or for each of its key identifiers if it has no certificate. Services that speak about revocations are
/// found by their provider, the others by the name or the key. Lines begin with a digest, so that damage is noticed.
enum ServiceIndex {
  static let format = 2

  /// The key of a record: text of one length.
  enum Key {
    /// `Certificate.subjectHash`.
    case name(UInt32)
    /// The beginning of a key identifier.
    case key([UInt8])
    /// The digest of a provider's territory and name.
    case provider(String)

    /// The key of the services of a provider that speak about revocations.
    static func provider(of service: TrustedService) throws(CryptoError) -> Key {
      .provider(try digest(of: [UInt8](service.provider.utf8), service.territory))
    }

    var text: String {
      switch self {
      case .provider(let digest): "p" + digest.prefix(8)
      case .name(let hash): "n" + Self.digits(Int(hash), 8)
      case .key(let identifier): "k" + [UInt8]((identifier + [0, 0, 0, 0]).prefix(4)).hexadecimal
      }
    }

    static func digits(_ number: Int, _ count: Int) -> String {
      let digits = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
  }

  /// The length of a record: a key of 9 digits, place and length of its line, 10 and 8, with blanks and a line end.
  static let recordLength = 30
  /// The length of the digest before a line, with its blank.
  static let digestLength = 17

  /// The bytes of the file.
  ///
  /// - Parameter lists: those of the services' territories.
  static func bytes(
    of services: [TrustedService], lists: [ListState]
  ) throws(CryptoError) -> [UInt8] {
    var entries: [(key: String, line: [UInt8])] = []
    for service in services {
      for (key, certificate) in try keys(of: service) {
        entries.append((key.text, try line(service.json(certificate), of: key.text)))
      }
    }
    entries.sort { $0.key < $1.key }
    var records: [UInt8] = []
    var lines: [UInt8] = []
    for (key, line) in entries {
      records += "\(key) \(Key.digits(lines.count, 10)) \(Key.digits(line.count, 8))\n".utf8
      lines += line
    }
    let header = JSON.object([
      .init("format", format), .init("records", entries.count),
      .init("length", records.count + lines.count),
      .init("lists", objects: lists.map(\.members)),
    ])
    return try line(header, of: "") + records + lines
  }

  /// The keys by which a service is found, each with the certificate of its line; nil for a service without.
  private static func keys(
    of service: TrustedService
  ) throws(CryptoError) -> [(Key, Certificate?)] {
    var keys: [(Key, Certificate?)] = []
    if service.periods.contains(where: { !$0.kind.isAboutStatus }) {
      keys = service.certificates.map { (.name($0.subjectHash), $0) }
      if keys.isEmpty { keys = service.keyIdentifiers.map { (.key($0), nil) } }
    }
    guard service.periods.contains(where: \.kind.isAboutStatus) else { return keys }
    let provider = try Key.provider(of: service)
    return keys
      + (service.certificates.isEmpty
        ? [(provider, nil)] : service.certificates.map { (provider, $0) })
  }

  private static func line(_ json: JSON, of key: String) throws(CryptoError) -> [UInt8] {
    let text = [UInt8](json.text.utf8)
    return [UInt8](try digest(of: text, key).utf8) + [0x20] + text + [0x0A]
  }

  /// 16 digits of the hash of a line and of the key that leads to it.
  static func digest(of text: [UInt8], _ key: String) throws(CryptoError) -> String {
    [UInt8](try HashAlgorithm.sha256.hash([UInt8](key.utf8), text).prefix(8)).hexadecimal
  }
}

/// The reason why the index of trusted services cannot be used.
public enum ServiceIndexError: Error, Sendable, Equatable {
  /// There is no file.
  case absent
  /// The system refuses to read it, with `errno`, or it is no regular file.
  case unreadable(errno: Int32)
  /// Users other than the owner may write to it, or to its folder.
  case writableByOthers
  /// It was made by another version of this program, was changed, or is not whole.
  case damaged
  /// More services of one name or key than the limit.
  case crowded(limit: Int)
}
