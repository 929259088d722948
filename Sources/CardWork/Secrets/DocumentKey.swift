import CIECard

/// The source of the key to a travel document, used once for each card.
package struct DocumentKey: Sendable {
  package var can: String?
  var descriptor: Int32?
  /// The file with a machine readable zone.
  var zoneFile: String?
  /// Its data, as they are typed: number of the document, dates of birth and expiry.
  var document: String?
  var birth: String?
  var expiry: String?

  package init(
    can: String? = nil, descriptor: Int32? = nil, zoneFile: String? = nil, document: String? = nil,
    birth: String? = nil, expiry: String? = nil
  ) {
    self.can = can
    self.descriptor = descriptor
    self.zoneFile = zoneFile
    self.document = document
    self.birth = birth
    self.expiry = expiry
  }

  /// True if there is another source than standard input and a person.
  package var isGiven: Bool { sources > 0 }

  private var sources: Int {
    [can != nil, descriptor != nil, zoneFile != nil, isTyped].count { $0 }
  }

  private var isTyped: Bool { document != nil || birth != nil || expiry != nil }

  /// The key; without a source the CAN comes from standard input or, on a terminal, from a person once the card is
  /// there.
  ///
  /// - Throws: before any card is asked, also when it is malformed.
  func awaited(in context: RunContext) throws(Failure) -> AwaitedAccess {
    guard sources <= 1 else {
      throw .usage("several-access-codes", key: "document-option.several-access-codes")
    }
    if let can { return .can(try AwaitedCode(.can, Secret([UInt8](can.utf8)))) }
    if let zoneFile { return .zone(try Self.information(in: zoneFile, context.interruption)) }
    if isTyped { return .zone(try typedZone()) }
    return .can(try AwaitedCode(.can, descriptor: descriptor, file: nil, in: context))
  }

  /// Far more than a zone has, with line ends and blanks.
  private static let longestZone = 4096

  private static func information(
    in path: String, _ interruption: Interruption
  ) throws(Failure) -> MRZ.Information {
    let bytes = try InputFile.read(path, limit: longestZone, interruption)
    let text = String(decoding: bytes, as: UTF8.self)
    let zone: MRZ = try mapError(try MRZ(text: text)) { (_: MRZ.Malformation) in
      Failure.usage("bad-mrz-file", key: "document-option.bad-mrz-file")
    }
    // One wrong check digit is a misread character: the card would only reject the key.
    let wrong = zone.wrongCheckDigits.intersection([.documentNumber, .dateOfBirth, .dateOfExpiry])
    guard wrong.isEmpty else {
      throw .usage("mrz-check-digit", key: "document-option.mrz-check-digit")
    }
    return MRZ.Information(zone)
  }

  private func typedZone() throws(Failure) -> MRZ.Information {
    guard let document, let birth, let expiry else {
      throw .usage("incomplete-mrz", key: "document-option.incomplete-mrz")
    }
    do throws(MRZ.Information.Problem) {
      return try MRZ.Information(
        documentNumber: document, dateOfBirth: birth, dateOfExpiry: expiry)
    } catch {
      switch error {
      case .documentNumber:
        throw .usage("bad-document-number", key: "document-option.bad-document-number")
      case .dateOfBirth: throw .usage("bad-birth-date", key: "document-option.bad-birth-date")
      case .dateOfExpiry: throw .usage("bad-expiry-date", key: "document-option.bad-expiry-date")
      }
    }
  }
}

/// The key to the travel document: already here, or the CAN for which a person will be asked once the card is there.
enum AwaitedAccess: ~Copyable {
  case can(AwaitedCode)
  case zone(MRZ.Information)

  /// The key that opens the document, and the zone if it was one: the data must then be of the same document.
  struct Opening: ~Copyable {
    let code: AccessCode
    let zone: MRZ.Information?
  }

  /// The code; asked for on the terminal now if it is not here yet.
  mutating func resolve(in context: RunContext) throws(Failure) -> Opening {
    switch consume self {
    case .can(var awaited):
      let digits: Secret
      do throws(Failure) { digits = try awaited.resolve(in: context) } catch {
        self = .can(awaited)
        throw error
      }
      self = .can(awaited)
      do throws(AccessCode.FormatError) {
        return Opening(code: try AccessCode(can: digits), zone: nil)
      } catch { throw CodeRole.can.failure(error) }
    case .zone(let information):
      self = .zone(information)
      return Opening(
        code: try mapError(try AccessCode(mrz: information)) { Failure.crypto($0) },
        zone: information)
    }
  }
}
