// The code in the article of DocumentSigning.
import CIECard
import DocumentSigning
import VirtualCIE

func signContract(_ card: inout VerifiedCard<VirtualCardChannel>) throws -> [UInt8] {
  let certificate = try card.readCertificate()
  let contract = try UnsignedDocument(ByteSource(path: "contract.pdf"), as: .pdf())
  let prepared = try contract.prepared(for: certificate)
  var signed: [UInt8] = []
  try prepared.finish(card.sign(prepared.digest)) { signed += $0 }

  return signed
}
