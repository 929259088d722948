/// What the name in a holder's certificate says of the card (CIE 3.0 chip specification §6.12). The country in it is the
/// holder's citizenship, not necessarily Italy.
package struct CertificateHolder: Sendable, Equatable {
  /// The number of the document: serialNumber without what stands before it, `IDCIT-`.
  package let documentNumber: String?
  /// The fiscal code: commonName up to the slash.
  package let fiscalCode: String?
  /// The services number, NIS: commonName behind the slash.
  package let servicesNumber: String?

  /// `IDC`, an identity card, by the state `IT` (ETSI EN 319 412-1 §5.1.3).
  private static let prefix = "IDCIT-"

  /// - Parameter subject: the certificate's holder.
  package init(_ subject: Certificate.DistinguishedName) {
    let number = subject.serialNumber
    documentNumber = number.map {
      $0.hasPrefix(Self.prefix) ? String($0.dropFirst(Self.prefix.count)) : $0
    }
    let parts = subject.commonName.map {
      $0.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }
    fiscalCode = parts?.first
    servicesNumber = parts.flatMap { $0.count == 2 ? $0[1] : nil }
  }

  /// Whether it names this services number; what either side does not tell does not disagree.
  package func agrees(with number: ServicesNumber?) -> Bool {
    guard let number, let servicesNumber else { return true }
    return servicesNumber == number.description
  }

  /// Whether it names this document number; what either side does not tell does not disagree. The specification's
  /// example has eleven characters, so longer ones may go on.
  package func agrees(with number: DocumentNumber?) -> Bool {
    guard let number, let documentNumber else { return true }
    return documentNumber.hasPrefix(number.description)
  }
}
