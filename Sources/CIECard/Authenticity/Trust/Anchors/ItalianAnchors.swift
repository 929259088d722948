/// The CSCA certificates of the Italian Republic, as data.
///
/// Source: the nine certificates with country IT in the German master list of 2026-05-28, published by the BSI at
/// https://www.bsi.bund.de/csca; the signature of the list and the way from its signer to the German CSCA were
/// checked. Nothing is left out, link certificates included: which key signed a given card is found by trying.
enum ItalianAnchors {
  /// All of them, in PEM, the oldest first.
  static var pem: String {
    [issued2011, issued2016, issued2020, issued2024].joined(separator: "\n")
  }
}
