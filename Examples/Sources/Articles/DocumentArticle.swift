// The code in the article of DocumentSigning.
import CIECard
import DocumentSigning
import VirtualCIE

func signContract(_ card: inout VerifiedCard<VirtualCardChannel>) throws -> [UInt8] {
  let certificate = try card.readCertificate()
  let contract = try UnsignedDocument(ByteSource(path: "contract.pdf"), as: .pdf())
  let prepared = try contract.prepared(for: certificate)
  var steps = try prepared.finish(card.sign(prepared.digest))
  var signed: [UInt8] = []
  while case .write(let block)? = try steps.next() { signed += block }

  return signed
}

func update(
  _ stored: [String: [UInt8]], get: (String) throws -> [UInt8]
) throws -> [String: [UInt8]] {
  var documents = stored
  var update = TrustedListUpdate(stored: documents, countries: ["IT"])
  while let request = update.next() {
    update.answer(try get(request.url))
  }
  documents = update.outcome().documents
  return documents
}

/// Stands for the caller's file.
struct SignedFile {
  func write(contentsOf block: [UInt8]) throws {}
}

func write(
  _ way: consuming SigningSteps, to file: SignedFile, send: (AuthorityRequest) -> [UInt8]?
) throws {
  var steps = way
  while let step = try steps.next() {
    switch step {
    case .ask(let request):
      if let body = send(request) {
        steps.authorities.answer(body)
      } else {
        steps.authorities.fail()
      }
    case .write(let block): try file.write(contentsOf: block)
    }
  }
}
