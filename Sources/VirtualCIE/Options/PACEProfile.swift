internal import CIECard

/// One variant of PACE, as a PACEInfo announces it (Doc 9303-11 §9.2.1).
public struct PACEProfile: Sendable, Hashable {
  /// The mapping to a common generator.
  public let mapping: Mapping
  /// Ciphers of the nonce, the token and the channel.
  public let suite: CipherSuite
  /// Standardised domain parameters: 0 to 2 finite fields, 8 to 18 curves.
  public let parameterIdentifier: UInt8

  /// The mappings of Doc 9303-11 §4.4.3.3.
  public enum Mapping: String, Sendable, CaseIterable {
    case generic = "gm"
    case integrated = "im"
    case chipAuthentication = "cam"
  }

  /// The profile of every known CIE: DH, generic mapping, 3DES, parameters 2.
  public static let identityCard = PACEProfile(
    known: .generic, suite: .tripleDES, parameterIdentifier: 2)

  /// A profile that the standard allows.
  ///
  /// - Returns: nil for undefined parameters, chip authentication mapping without a curve or with
  ///   3DES, and integrated mapping on NIST P-224, whose prime does not suit it.
  public init?(mapping: Mapping, suite: CipherSuite, parameterIdentifier: UInt8) {
    guard let group = AgreementGroup(parameterIdentifier: parameterIdentifier) else { return nil }
    switch mapping {
    case .generic: break
    case .integrated: guard parameterIdentifier != 10 else { return nil }
    case .chipAuthentication:
      guard group.kind == .ellipticCurve, suite != .tripleDES else { return nil }
    }
    self.init(known: mapping, suite: suite, parameterIdentifier: parameterIdentifier)
  }

  private init(known mapping: Mapping, suite: CipherSuite, parameterIdentifier: UInt8) {
    self.mapping = mapping
    self.suite = suite
    self.parameterIdentifier = parameterIdentifier
  }

  /// Parses `MAPPING-CIPHER-NUMBER`, such as `gm-3des-2`, `im-aes128-13`, `cam-aes256-12`.
  public init?(parsing text: String) {
    let words = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, let mapping = Mapping(rawValue: words[0]),
      let suite = CipherSuite(rawValue: words[1]), let number = UInt8(words[2])
    else { return nil }
    self.init(mapping: mapping, suite: suite, parameterIdentifier: number)
  }

  /// The form that `init(parsing:)` reads.
  package var text: String { "\(mapping.rawValue)-\(suite.rawValue)-\(parameterIdentifier)" }

  var kind: AgreementGroup.Kind { parameterIdentifier < 8 ? .finiteField : .ellipticCurve }

  /// The value of its object identifier: id-PACE (0.4.0.127.0.7.2.2.4) ‖ mapping ‖ cipher.
  var objectIdentifier: [UInt8] { Self.identifierRoot + [mappingComponent, suite.identifier] }

  /// The PACEInfo: version 2 and the parameter number.
  var info: [UInt8] {
    BERObject.encode(
      0x30, BERObject.encode(0x06, objectIdentifier), BERObject.integer([2]),
      BERObject.integer([parameterIdentifier]))
  }

  private static let identifierRoot: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x04]

  private var mappingComponent: UInt8 {
    switch (mapping, kind) {
    case (.generic, .finiteField): 1
    case (.generic, .ellipticCurve): 2
    case (.integrated, .finiteField): 3
    case (.integrated, .ellipticCurve): 4
    case (.chipAuthentication, _): 6
    }
  }

  /// The profiles announced by SecurityInfos; anything but a PACEInfo with standardised parameters
  /// is skipped.
  package static func announced(in securityInfos: [UInt8]) -> [PACEProfile] {
    guard let set = BERObject.single(0x31, securityInfos), let infos = BERObject.list(set.value)
    else { return [] }
    return infos.compactMap { info in
      guard info.tag == 0x30, let parts = BERObject.list(info.value), parts.count == 3,
        parts.map(\.tag) == [0x06, 0x02, 0x02], parts[1].value == [2],
        let number = parts[2].value.first, parts[2].value.count == 1
      else { return nil }
      let identifier = parts[0].value
      guard identifier.dropLast(2) == Self.identifierRoot[...],
        let suite = CipherSuite.allCases.first(where: { $0.identifier == identifier.last })
      else { return nil }
      return Mapping.allCases.lazy
        .compactMap { PACEProfile(mapping: $0, suite: suite, parameterIdentifier: number) }
        .first { $0.objectIdentifier == identifier }
    }
  }
}
