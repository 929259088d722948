import CIECard
import VirtualCIE

// A card in a reader: IdentityCard(over: try PCSCContext().openCard(for: .seconds(10)))
var card = IdentityCard(over: VirtualCardChannel(persona: .gemalto))
let report = AuthenticityReport(judging: try card.gatherEvidence())
print(try card.readServicesNumber(), report.outcome)
