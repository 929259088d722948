import TestSupport

@testable import CIECard

/// The files of a fictitious CIE, and their contents.
struct DocumentFiles: Decodable {
  let files: Files
  let expected: Expected

  struct Files: Decodable {
    let com: HexBytes
    let dg1: HexBytes
    let dg2: HexBytes
    let dg11: HexBytes
    let dg12: HexBytes
    let dg14: HexBytes

    enum CodingKeys: String, CodingKey {
      case com = "COM"
      case dg1 = "DG1"
      case dg2 = "DG2"
      case dg11 = "DG11"
      case dg12 = "DG12"
      case dg14 = "DG14"
    }
  }

  struct Expected: Decodable {
    let ldsVersion: String
    let unicodeVersion: String
    let tagList: [String]
    let mrz: String
    let fullName: String
    let personalNumber: String
    let fullDateOfBirth: String
    let placeOfBirth: [String]
    let permanentAddress: [String]
    let issuingAuthority: String
    let dateOfIssue: String
    let faceImageType: String
    let faceWidth: Int
    let faceHeight: Int
    let faceSha256: HexBytes
  }

  static func load() throws -> DocumentFiles {
    let cases = try Vectors.cases("lds-td1-cie-like", of: DocumentFiles.self)
    guard let first = cases.first else { throw DataGroup.Malformation.truncated }
    return first
  }
}
