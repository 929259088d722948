/// The signature fields of a form (ISO 32000-2 §12.7.5.5).
struct SignatureField {
  /// The fully qualified name (ISO 32000-2 §12.7.4.2).
  let name: String
  let object: PDFObject
  /// The signature dictionary; nil if the field is empty.
  let signature: PDFObject?

  /// The annotation that shows the field: itself or the first of its kids.
  var widget: PDFObject? {
    object["Subtype"].name == "Widget"
      ? object : object["Kids"].items?.first { $0["Subtype"].name == "Widget" }
  }

  /// All signature fields, in the order of the form; of hostile trees the first 10 000 nodes.
  static func all(of file: PDFFile) -> [SignatureField] {
    var fields: [SignatureField] = []
    var seen: Set<Int> = []
    var budget = 10_000
    // FT and V are inherited (ISO 32000-2 §12.7.4.1), so that a field with kids may be signed, or its kid by its value.
    func visit(
      _ node: PDFObject, _ prefix: String, _ isInherited: Bool, _ inherited: PDFObject?,
      _ depth: Int
    ) {
      budget -= 1
      guard budget > 0, depth < 32, node.isDictionary else { return }
      guard !node.isIndirect || seen.insert(node.number).inserted else { return }
      let name = [prefix, node["T"].text ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
      let isSignature = node["FT"].name.map { $0 == "Sig" } ?? isInherited
      // Kids without a name are widgets of this field, not fields.
      let kids = (node["Kids"].items ?? []).filter { !$0["T"].isNull }
      let own = node["V"].isDictionary ? node["V"] : nil
      let isTaken = isSignature && own != nil
      for kid in kids { visit(kid, name, isSignature, isTaken ? nil : own ?? inherited, depth + 1) }
      guard isSignature, kids.isEmpty || own != nil else { return }
      fields.append(SignatureField(name: name, object: node, signature: own ?? inherited))
    }
    for node in file.root["AcroForm"]["Fields"].items ?? [] { visit(node, "", false, nil, 0) }
    return fields
  }
}

/// Fields that a signature locks (FieldMDP; ISO 32000-2 §12.8.2.4).
struct FieldLock {
  private let action: String?
  private let names: [String]

  static func all(of signature: PDFObject) -> [FieldLock] {
    (signature["Reference"].items ?? []).compactMap { reference in
      guard reference["TransformMethod"].name == "FieldMDP" else { return nil }
      let parameters = reference["TransformParams"]
      return FieldLock(
        action: parameters["Action"].name,
        names: (parameters["Fields"].items ?? []).compactMap { $0.text })
    }
  }

  /// True if the lock is on a field, or on one above it; an unknown action is on all of them.
  func covers(_ name: String) -> Bool {
    let isNamed = names.contains { $0 == name || name.hasPrefix($0 + ".") }
    return switch action {
    case "Include": isNamed
    case "Exclude": !isNamed
    default: true
    }
  }
}

/// Rules of a document that forbid a signature: certifications, locks, seed values (ISO 32000-2 §12.7.5.5, §12.8.2).
enum SigningPermission {
  /// Checks what forbids any update. A certification never forbids time stamps and evidence (ISO 32000-2 §12.8.2.2).
  static func checkUpdate(of file: PDFFile) throws(DocumentError) {
    guard file.bytes.starts(with: "%PDF-".utf8) else { throw .refused(.junkBeforeHeader) }
    let permissions = file.root["Perms"]
    guard permissions["UR3"].isNull, permissions["UR"].isNull else { throw .refused(.usageRights) }
  }

  static func check(_ file: PDFFile, _ fields: [SignatureField]) throws(DocumentError) {
    try checkUpdate(of: file)
    guard try file.securityHandler()?.allowsSigning ?? true else { throw .refused(.permissions) }
    guard file.root["AcroForm"]["XFA"].isNull else { throw .refused(.xfa) }
    let signatures = [file.root["Perms"]["DocMDP"]] + fields.compactMap { $0.signature }
    for reference in signatures.flatMap({ $0["Reference"].items ?? [] }) {
      guard reference["TransformMethod"].name == "DocMDP" else { continue }
      // 2 is the default (ISO 32000-2 table 257).
      let permission = reference["TransformParams"]["P"]
      guard permission.isNull || [2, 3].contains(permission.integer) else {
        throw .refused(.certified)
      }
    }
  }

  /// Checks the field that will hold the signature.
  static func check(
    _ name: String, _ target: SignatureField?, among fields: [SignatureField]
  ) throws(DocumentError) {
    for lock in fields.flatMap({ $0.signature.map(FieldLock.all) ?? [] }) {
      guard !lock.covers(name) else { throw .refused(.locked(field: name)) }
    }
    guard let target else { return }
    guard target.object["Lock"].isNull else { throw .refused(.lockDemanded(field: name)) }
    try check(seed: target.object["SV"])
  }

  /// The keys of a seed value by the bit of Ff that makes each a must (ISO 32000-2 table 237).
  private static let required = [
    (1, "Filter"), (2, "SubFilter"), (4, "V"), (8, "Reasons"), (16, "LegalAttestation"),
    (32, "AddRevInfo"), (64, "DigestMethod"), (128, "LockDocument"), (256, "AppearanceFilter"),
  ]

  private static func check(seed: PDFObject) throws(DocumentError) {
    guard seed.isDictionary else { return }
    let flags = seed["Ff"].integer ?? 0
    for (bit, key) in required where flags & bit != 0 {
      let isMet =
        switch key {
        case "Filter": seed[key].name == "Adobe.PPKLite"
        case "SubFilter":
          (seed[key].items ?? []).contains { $0.name == "ETSI.CAdES.detached" }
        case "DigestMethod": (seed[key].items ?? []).contains { $0.text == "SHA256" }
        default: false
        }
      guard isMet else { throw .refused(.seedValue(key: key)) }
    }
    // These have flags inside, or demand a certification.
    for key in ["MDP", "TimeStamp", "Cert"] where !seed[key].isNull {
      let isDemand =
        key == "MDP"
        ? (seed[key]["P"].integer ?? 0) != 0 : (seed[key]["Ff"].integer ?? 0) != 0
      guard !isDemand else { throw .refused(.seedValue(key: key)) }
    }
  }
}
