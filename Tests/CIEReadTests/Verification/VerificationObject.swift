import TestSupport
import Testing

@testable import VirtualCIE

/// The JSON of `verify`, decoded.
struct VerificationObject {
  let object: [String: Any]
  let exit: CInt?

  /// Runs `verify --json` with these arguments.
  init(_ arguments: [String]) throws {
    let (object, result) = try Program.json(["verify"] + arguments)
    self.object = object
    exit = result.exitStatus
  }

  /// Runs it on a persona, trusting both of its test CSCAs.
  init(_ persona: Persona, _ arguments: [String]) throws {
    let directory = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: directory)
    try self.init(["--virtual", persona.identifier, "--trust", trust] + arguments)
  }

  var error: String? { (object["error"] as? [String: Any])?["name"] as? String }
  /// `overall`, as `outcome conclusion`.
  var overall: String {
    let overall = object["overall"] as? [String: Any]
    return "\(overall?["outcome"] ?? "") \(overall?["conclusion"] ?? "")"
  }
  var document: Side? { Side(object["document"]) }
  var ias: Side? { Side(object["ias"]) }

  /// One side of the card.
  struct Side {
    let members: [String: Any]
    /// Each point, as `point verdict reason`.
    let points: [String]

    init?(_ value: Any?) {
      guard let members = value as? [String: Any],
        let points = members["points"] as? [[String: Any]]
      else { return nil }
      self.members = members
      self.points = points.map { point in
        ["point", "verdict", "reason"].compactMap { point[$0] as? String }
          .joined(separator: " ")
      }
    }

    var outcome: String? { members["outcome"] as? String }
    var cloning: String? { members["cloning"] as? String }
    /// The protocol that opened it: the variant of PACE, or `bac`.
    var access: String? {
      let access = members["access"] as? [String: Any]
      return access?["variant"] as? String ?? access?["protocol"] as? String
    }
    /// The points that are not proved.
    var open: [String] { points.filter { !$0.hasSuffix(" proved") } }
  }
}

extension Persona {
  /// Both of its test CSCAs in a folder that `--trust` takes.
  func writeAnchors(in directory: borrowing TemporaryDirectory) throws -> String {
    try directory.makeFolder("anchors")
    try directory.write("anchors/ias.der", csca)
    try directory.write("anchors/document.der", documentCSCA)
    return directory.path("anchors")
  }

  /// The files of its travel document, by the names that `read --out` gives them.
  var savedFiles: [String: [UInt8]] {
    let data = travelDocument
    let files = [
      "EF.CardAccess": data.cardAccess, "EF.CardSecurity": data.cardSecurity,
      "EF.COM": data.common, "EF.SOD": data.securityObject,
    ].filter { !$0.value.isEmpty }
    let groups = data.dataGroups.map { ("DG\($0.key)", $0.value) }
    return Dictionary(
      uniqueKeysWithValues: (files.map { ($0.key, $0.value) } + groups).map {
        ($0.0 + ".bin", $0.1)
      })
  }
}
