/// A case of layer 7 of BSI TR-03105-5.1 (version 1.5, 2020) that does not end here as it does there.
struct GuidelineCase: Sendable {
  /// Without `LDS_`.
  let number: String
  /// A few words on the change to a good document.
  let change: String
  let decision: Decision
  let reason: String
  let alter: @Sendable (inout GuidelineDocument) throws -> Void

  enum Decision: String {
    /// As the guideline wants it.
    case passes, fails
    /// Genuine, because the State signed it so; the report says what is odd.
    case remark
    case couldNotCheck = "could not check"
    case byDesign = "by design"
  }

  init(
    _ number: String, _ change: String, _ decision: Decision, _ reason: String,
    _ alter: @escaping @Sendable (inout GuidelineDocument) throws -> Void
  ) {
    (self.number, self.change, self.decision, self.reason) = (number, change, decision, reason)
    self.alter = alter
  }

  static let all =
    commonData + zone + portrait + chip + algorithms + structure + certificate + cardSecurity

  private static let notRead = "EF.COM is not signed, and not read: EF.SOD lists the groups"

  private static let commonData =
    [
      ("A_01", "EF.COM with tag 61", GuidelineDocument.common(tag: 0x61)),
      ("A_02", "EF.COM: length too small", GuidelineDocument.common(excess: -1)),
      ("A_03", "EF.COM: length too big", GuidelineDocument.common(excess: 1)),
      ("A_04", "EF.COM: LDS version 3.0", GuidelineDocument.common(structure: "0300")),
      ("A_05", "EF.COM: no LDS version", GuidelineDocument.common(structure: nil)),
      ("A_06", "EF.COM: Unicode version 5", GuidelineDocument.common(unicode: "050000")),
      ("A_07", "EF.COM: no Unicode version", GuidelineDocument.common(unicode: nil)),
      (
        "A_08", "EF.COM: list without DG1",
        GuidelineDocument.common(tags: [0x75, 0x6B, 0x6C, 0x6E])
      ),
      ("A_09", "EF.COM: no list", GuidelineDocument.common(tags: nil)),
      ("H_90", "EF.COM: fewer groups than EF.SOD", GuidelineDocument.common(tags: [0x61, 0x75])),
      (
        "H_91", "EF.COM: more groups than EF.SOD",
        GuidelineDocument.common(tags: [0x61, 0x75, 0x6B, 0x6C, 0x6D, 0x6E])
      ),
      (
        "H_92", "EF.COM: other groups than EF.SOD",
        GuidelineDocument.common(tags: [0x61, 0x75, 0x6B, 0x6D, 0x6E])
      ),
    ].map { number, change, file in
      GuidelineCase(number, change, .byDesign, notRead) { $0.common = file }
    }

  private static let signedSo = "the State signed it so"

  private static let zone = [
    GuidelineCase(
      "B_08", "DG1: document type X",
      .remark, "signed so; false if the signer's certificate lists its document types"
    ) { try $0.write("X", at: (1, 1)) },
    GuidelineCase("B_10", "DG1: empty name", .remark, signedSo) {
      try $0.write(String(repeating: "<", count: 30), at: (3, 1))
    },
    GuidelineCase("B_13", "DG1: check digit of the number", .remark, signedSo) {
      try $0.spoilDigit(at: (1, 15))
    },
    GuidelineCase("B_14", "DG1: nationality with a digit", .remark, signedSo) {
      try $0.write("1", at: (2, 17))
    },
    GuidelineCase("B_17", "DG1: check digit of the birth", .remark, signedSo) {
      try $0.spoilDigit(at: (2, 7))
    },
    GuidelineCase("B_21", "DG1: check digit of the expiry", .remark, signedSo) {
      try $0.spoilDigit(at: (2, 15))
    },
    GuidelineCase("B_23", "DG1: composite check digit", .remark, signedSo) {
      try $0.spoilDigit(at: (2, 30))
    },
  ]

  private static let shown = "signed so; the picture itself is what is shown"

  /// A case of DG2.
  private static func portrait(
    _ number: String, _ change: String,
    _ alter: @escaping @Sendable (inout GuidelinePortrait) -> Void
  ) -> GuidelineCase {
    GuidelineCase(number, "DG2: " + change, .remark, shown) { try $0.changePortrait(alter) }
  }

  /// Bytes of the facial record (ISO/IEC 19794-5:2005 §5.4 to §5.7) with a value that is not defined.
  private static let fields: [(String, String, place: Int, value: UInt8)] = [
    ("C_17", "gender 03", 20, 0x03), ("C_18", "eye colour 20", 21, 0x20),
    ("C_19", "hair colour 20", 22, 0x20), ("C_20", "yaw FE", 28, 0xFE),
    ("C_21", "pitch FE", 29, 0xFE), ("C_22", "roll FE", 30, 0xFE),
    ("C_23", "uncertainty of the yaw FE", 31, 0xFE),
    ("C_24", "uncertainty of the pitch FE", 32, 0xFE),
    ("C_25", "uncertainty of the roll FE", 33, 0xFE), ("C_26", "face image type 10", 34, 0x10),
    ("C_27", "image data type 02", 35, 0x02),
  ]

  private static let portrait =
    [
      portrait("C_07", "no number of instances") { $0.count = nil },
      portrait("C_08", "format owner 0102") { $0[0x87] = [1, 2] },
      portrait("C_09", "no format owner") { $0[0x87] = nil },
      portrait("C_10", "format type 0009") { $0[0x88] = [0, 9] },
      portrait("C_11", "no format type") { $0[0x88] = nil },
      portrait("C_13", "biometric type 08") { $0[0x81] = [8] },
      portrait("C_16", "a feature point that the lengths do not count") {
        $0.record[19] = 1
        $0.record.insert(contentsOf: [UInt8](repeating: 0, count: 8), at: 34)
      },
    ]
    + fields.map { field in
      portrait(field.0, field.1) { $0.record[field.place] = field.value }
    }

  private static let chip = [
    GuidelineCase(
      "F_06", "DG14: chip authentication of version 10", .remark, "the chip proved its key"
    ) {
      try $0.setChipVersion(10)
    }
  ]
}
