import CIECard
import Foundation
import Primitives

/// Invented lists that belong together: a list of lists, its pivot, and those of Italy and Belgium.
///
/// The old signer is the one to be given; it signed the pivot, which names the new one, who signed the list of lists.
struct MadeTrustedLists: Sendable {
  let oldSigner: ListAuthority
  let newSigner: ListAuthority
  let italian: ListAuthority
  let belgian: ListAuthority
  /// An issuer of qualified certificates for signatures on Italy's list, and one of Belgium's.
  let issuer: ListAuthority
  let belgianIssuer: ListAuthority
  /// A time stamp authority's certificate on Italy's list, and the issuer of identity cards, recognised for advanced signatures.
  let stamps: ListAuthority
  let cardIssuer: ListAuthority

  /// Start of all addresses, without a slash at the end.
  var base = "https://lists.test"
  var number = 2
  var issued: UTCTime = 1_700_000_000
  var nextUpdate: UTCTime? = 1_710_000_000

  /// - Parameter folder: for keys and certificates, which are made once.
  init(keysIn folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let authority = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"]
    func made(_ name: String, _ extensions: [String]? = nil) throws -> ListAuthority {
      try ListAuthority(
        name, in: folder, extensions: extensions ?? ["keyUsage=critical,digitalSignature"])
    }
    oldSigner = try made("Old signer")
    newSigner = try made("New signer")
    italian = try made("Italian operator")
    belgian = try made("Belgian operator")
    issuer = try made("Issuer", authority)
    belgianIssuer = try made("Belgian issuer", authority)
    stamps = try made("Stamps", ["extendedKeyUsage=critical,timeStamping"])
    cardIssuer = try made("Card issuer", authority)
  }

  var listOfListsAddress: String { base + "/eu-lotl.xml" }
  var pivotAddress: String { base + "/eu-lotl-pivot-1.xml" }

  var pivot: MadeList {
    var list = listOfLists
    list.number = 1
    return list
  }

  var listOfLists: MadeList {
    var list = dated("EU")
    list.kind = "EUlistofthelists"
    list.addresses = [pivotAddress, base + "/notice", base + "/legal.html"]
    list.pointers = [
      .init(
        territory: "EU", kind: "EUlistofthelists", location: listOfListsAddress,
        signers: [newSigner]),
      .init(territory: "BE", location: base + "/be.xml", signers: [belgian]),
      .init(territory: "IT", location: base + "/it.xml", signers: [italian]),
    ]
    return list
  }

  var italy: MadeList {
    var list = dated("IT")
    list.provider = "Prestatore Inventato"
    let granted = MadeList.Period(name: "Firme qualificate")
    var before = granted
    (before.status, before.start) = ("undersupervision", "2014-01-01T00:00:00Z")
    let stamping = MadeList.Period(kind: "TSA/QTST", name: "Marche temporali", extensions: "")
    let card = MadeList.Period(
      kind: "AdESGeneration", status: "recognisedatnationallevel", start: "2021-06-10T00:00:00Z",
      name: "Carta d'identità")
    list.services = [
      .init(certificate: issuer, periods: [granted, before]),
      .init(certificate: stamps, periods: [stamping]),
      .init(certificate: cardIssuer, periods: [card]),
    ]
    return list
  }

  var belgium: MadeList {
    var list = dated("BE")
    list.version = "6"
    list.services = [.init(certificate: belgianIssuer)]
    return list
  }

  private func dated(_ territory: String) -> MadeList {
    var list = MadeList()
    (list.territory, list.number) = (territory, number)
    (list.issued, list.nextUpdate) = (issued, nextUpdate)
    return list
  }

  /// All documents by the ends of their addresses.
  func documents() throws -> [String: [UInt8]] {
    let signature = MadeSignature()
    return [
      "eu-lotl.xml": try signature.signed(listOfLists, by: newSigner),
      "eu-lotl-pivot-1.xml": try signature.signed(pivot, by: oldSigner),
      "it.xml": try signature.signed(italy, by: italian),
      "be.xml": try signature.signed(belgium, by: belgian),
    ]
  }
}
