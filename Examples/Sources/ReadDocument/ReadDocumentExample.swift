// Opens the travel document with the six digits on its front, and reads the holder's name and portrait.
import CIECard
import Pictures
import VirtualCIE

@main struct ReadDocumentExample {
  static func main() throws {
    let card = IdentityCard(over: VirtualCardChannel(persona: .itj4))
    var document = try card.openTravelDocument(with: AccessCode(can: Persona.itj4.can))

    let evidence = try document.gatherEvidence([.dg1, .dg2])
    let zone = try MRZ(dataGroup1: evidence.files[.dg1] ?? [])
    let portrait = try DataGroup.Portrait(dataGroup2: evidence.files[.dg2] ?? [])
    let picture = try Picture(decoding: portrait.image, format: portrait.format)

    print("opened by:", document.access)
    print("name:", zone.name.surname, zone.name.givenNames)
    print("portrait:", picture.width, "×", picture.height, "pixels")
    print(
      "hashes:", AuthenticityReport(judging: evidence)[.dataGroup(.dg1)] ?? .couldNotCheck(.notRead)
    )
  }
}
