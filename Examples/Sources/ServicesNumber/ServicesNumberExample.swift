// Reads the services number (NIS) and judges its proofs.
import CIECard
import VirtualCIE

@main struct ServicesNumberExample {
  static func main() throws {
    // A card in a reader: let channel = try PCSCContext().openCard(for: .seconds(10))
    let channel = VirtualCardChannel(persona: .gemalto)
    var card = IdentityCard(over: channel)

    let evidence = try card.gatherEvidence()
    // For a real card omit `trust`, because the Italian anchors are built in.
    let anchors = try TrustStore([Certificate(der: Persona.gemalto.csca)])
    let report = AuthenticityReport(judging: evidence, trust: anchors)

    print("NIS:", evidence.servicesNumber?.description ?? "not read")
    print("outcome:", report.outcome)
  }
}
