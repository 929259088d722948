// The code in the article of DocumentSigning.
import CIECard
import DocumentSigning
import VirtualCIE

func signContract(_ card: inout VerifiedCard<VirtualCardChannel>) throws -> [UInt8] {
  let certificate = try card.readCertificate()
  let prepared = try PreparedPDF(ByteSource(path: "contract.pdf"), certificate: certificate)
  let signed = try prepared.finish(card.sign(prepared.signer.digest))

  return signed
}
