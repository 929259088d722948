import Primitives

/// The cases of EF.SOD.
extension GuidelineCase {
  private static let sha1Years =
    "SHA-1 as on genuine cards of 2016 to 2020, whose signer is of 2018"
  private static let noGenuineCard =
    "the profile for SHA-1 is not claimed: no genuine card has it in this scheme, of any year"
  private static let noDSA = "no State is known to use DSA"

  /// A case of an algorithm in the whole chain.
  private static func algorithm(
    _ number: String, _ change: String, _ scheme: StateScheme, _ decision: Decision,
    _ reason: String
  ) -> GuidelineCase {
    GuidelineCase(number, change, decision, reason) { document in
      document.object.scheme = scheme
      if scheme.hash == .sha1 { document.object.certificate.begin = 2018 }
    }
  }

  static let algorithms = [
    algorithm("H_01", "RSA PKCS#1 with SHA-1", .rsa(.sha1), .remark, sha1Years),
    algorithm("H_79", "rsaEncryption with SHA-1", .rsaAlone(.sha1), .remark, "as H_01"),
    algorithm("H_02", "RSASSA-PSS with SHA-1", .pss(.sha1), .couldNotCheck, noGenuineCard),
    algorithm("H_09", "ECDSA with SHA-1", .ecdsa(.sha1), .couldNotCheck, noGenuineCard),
    algorithm("H_10", "ecdsa-plain with SHA-1", .plain(.sha1), .couldNotCheck, noGenuineCard),
    algorithm("H_11", "ecdsa-plain with SHA-224", .plain(.sha224), .passes, "BSI TR-03111"),
    algorithm("H_12", "ecdsa-plain with SHA-256", .plain(.sha256), .passes, "BSI TR-03111"),
    algorithm("H_13", "ecdsa-plain with SHA-384", .plain(.sha384), .passes, "BSI TR-03111"),
    algorithm("H_14", "ecdsa-plain with SHA-512", .plain(.sha512), .passes, "BSI TR-03111"),
    algorithm("H_97", "DSA with SHA-224", .dsa(.sha224), .couldNotCheck, noDSA),
    algorithm("H_98", "DSA with SHA-256", .dsa(.sha256), .couldNotCheck, noDSA),
  ]

  private static let unsigned = "no signature covers it"
  private static let md5: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x05]

  static let structure = [
    GuidelineCase(
      "H_15", "no signer's certificate, and it is not known", .couldNotCheck,
      "Doc 9303-10 allows it; everything else is judged"
    ) { $0.object.certificates = 0 },
    GuidelineCase(
      "H_15", "no signer's certificate, but the trust store has it", .passes,
      "the chain is checked as of one that comes along"
    ) { document in
      document.object.certificates = 0
      document.knowsSigner = true
    },
    GuidelineCase("H_20", "SignedData of version 9", .remark, unsigned) { $0.object.version = 9 },
    GuidelineCase("H_22", "MD5 among the hash functions of SignedData", .remark, "it is not used") {
      $0.object.otherDigests = [Form.algorithm(md5, Form.null)]
    },
    GuidelineCase("H_26", "SignerInfo of version 9", .remark, unsigned) {
      $0.object.signerVersion = 9
    },
    GuidelineCase("H_28", "another serial number in SignerInfo", .remark, unsigned) {
      $0.object.identifier = .otherSerialNumber
    },
    GuidelineCase("H_29", "another key identifier in SignerInfo", .remark, unsigned) { document in
      document.object.signerVersion = 3
      document.object.identifier = .otherSubjectKey
    },
    GuidelineCase(
      "H_29", "another serial number, beside two certificates", .fails,
      "neither can be taken for the signer's"
    ) { document in
      document.object.identifier = .otherSerialNumber
      document.object.certificates = 2
    },
    GuidelineCase(
      "H_45", "hash of a DG10 that is not there", .couldNotCheck,
      "a group that the card does not return, as one that an attacker withholds"
    ) { $0.listedOnly[10] = [0x6A, 0] },
    GuidelineCase("H_84", "SignerInfo of version 3 with a serial number", .remark, unsigned) {
      $0.object.signerVersion = 3
    },
    GuidelineCase("H_85", "SignerInfo of version 1 with a key identifier", .remark, unsigned) {
      $0.object.identifier = .subjectKey
    },
    GuidelineCase("H_88", "list of version 1 for LDS 1.7", .remark, "both have the same contents") {
      document in
      document.object.listVersion = 1
      document.object.structureVersion = "0107"
    },
  ]

  private static let ofTheCSCA = "the CSCA signed it so"

  static let certificate = [
    GuidelineCase("H_48", "signer's certificate of version 7", .remark, ofTheCSCA) {
      $0.object.certificate.version = 6
    },
    GuidelineCase("H_49", "signer's certificate without version", .remark, ofTheCSCA) {
      $0.object.certificate.version = nil
    },
    GuidelineCase("H_56", "GeneralizedTime before 2050", .remark, ofTheCSCA) {
      $0.object.certificate.hasLongYears = true
    },
    GuidelineCase("H_60", "authority key identifier without the key", .remark, ofTheCSCA) {
      $0.object.certificate.issuerKey = .unnamed
    },
    GuidelineCase("H_61", "no authority key identifier", .remark, ofTheCSCA) {
      $0.object.certificate.issuerKey = .absent
    },
    GuidelineCase("H_62", "key usage that is not critical", .remark, ofTheCSCA) {
      $0.object.certificate.keyUsage = .plain
    },
    GuidelineCase("H_64", "no key usage", .remark, ofTheCSCA) {
      $0.object.certificate.keyUsage = .absent
    },
  ]

  /// SecurityInfos of EF.CardSecurity: variants of PACE, chip authentication, its key.
  private static func infos(
    _ number: String, _ change: String, _ decision: Decision, _ reason: String,
    _ alter: @escaping @Sendable (inout [[UInt8]]) -> Void
  ) -> GuidelineCase {
    GuidelineCase(number, "EF.CardSecurity: " + change, decision, reason) { document in
      try document.useMapping()
      var infos = document.securityInfos ?? []
      alter(&infos)
      document.securityInfos = infos
    }
  }

  static let cardSecurity = [
    infos("J_01", "one more SecurityInfo", .passes, "of PACE it would be false, as in J_03") {
      $0.append(Form.sequence([Form.object([4, 0, 0x7F, 0, 7, 2, 2, 8]), Form.integer(1)]))
    },
    infos(
      "J_02", "one variant of PACE less", .byDesign,
      "EF.CardAccess offers more than is signed, which weakens nothing that is signed"
    ) { $0.remove(at: 1) },
    infos(
      "J_03", "other parameters of PACE", .fails, "EF.CardAccess does not announce what is signed"
    ) { $0[1][$0[1].count - 1] = 13 },
    infos(
      "J_04", "key of chip authentication without its protocol", .couldNotCheck,
      "the file cannot be read, and says nothing about the chip"
    ) { infos in
      let key = infos.removeLast()
      let identifier = 11
      infos.append(TLV.encode(DER.sequence, [UInt8](key.dropFirst(2 + identifier))))
    },
  ]
}
