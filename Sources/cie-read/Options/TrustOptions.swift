import ArgumentParser
import CIECard

/// Whom to believe when a card's authenticity is judged.
struct TrustOptions: ParsableArguments {
  @Option(
    help: .text(
      it: "File o cartella con i certificati CSCA a cui credere.",
      en: "File or folder with the CSCA certificates to believe.", value: "path"))
  var trust: String?

  func store() throws(Failure) -> TrustStore? {
    guard let trust else { return nil }
    do throws(TrustStoreError) { return try TrustStore(path: trust) } catch {
      throw .trustStore(error)
    }
  }
}
