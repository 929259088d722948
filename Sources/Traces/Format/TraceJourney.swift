public import CIECard

extension Trace {
  /// The function of the card that a trace replays, with its inputs.
  ///
  /// PIN and PUK are those published for the software card's personas; traces from another source
  /// cannot contain any.
  public enum Journey: Sendable, Equatable {
    /// Probes the card and its applications.
    case information
    /// The services number (NIS), with its authenticity report.
    case servicesNumber
    case serialNumber
    case documentNumber(pin: String)
    /// The holder's certificate, which needs the PIN.
    case certificate(pin: String)
    /// VERIFY of the PIN and nothing else.
    case verifyPIN(pin: String)
    case changePIN(pin: String, newPIN: String)
    /// A new PIN by the PUK.
    case unblockPIN(puk: String, newPIN: String)
    /// Signatures over digests in one session.
    case sign(pin: String, digests: [Digest])
    /// The certificate and signatures, as one of their users asks for them.
    case signatures(Signatory, pin: String, digests: [Digest])
    /// Proof that the chip is genuine; with a random challenge if the given one is `nil`.
    case authenticity(challenge: [UInt8]?, trustAnchors: [[UInt8]])
    case travelDocument(DocumentVisit)
    /// Proof that the travel document is genuine, then the services number on the other side of the card.
    case documentAuthenticity(
      code: DocumentCode, groups: [DataGroup], trustAnchors: [[UInt8]])

    /// A function of this project that has the card sign.
    public enum Signatory: String, Sendable {
      /// Login: the signature that TLS asks of a client.
      case login
      /// The PKCS #11 module: a look at the card, then, after a reset, login and signatures.
      case module
      /// Signed files, all of them after one VERIFY.
      case documents
    }

    /// The name in the file.
    public var name: String {
      switch self {
      case .information: "info"
      case .servicesNumber: "nis"
      case .serialNumber: "serial-number"
      case .documentNumber: "document-number"
      case .certificate: "certificate"
      case .verifyPIN: "verify-pin"
      case .changePIN: "change-pin"
      case .unblockPIN: "unblock-pin"
      case .sign: "sign"
      case .signatures(let signatory, _, _): signatory.rawValue
      case .authenticity: "authenticity"
      case .travelDocument: "travel-document"
      case .documentAuthenticity: "document-authenticity"
      }
    }

    /// The names of all journeys, in the order of the cases.
    public static let names = [
      "info", "nis", "serial-number", "document-number", "certificate", "verify-pin", "change-pin",
      "unblock-pin", "sign", "login", "module", "documents", "authenticity", "travel-document",
      "document-authenticity",
    ]
  }

  /// The expected end of a journey.
  public struct Expectation: Sendable, Equatable {
    /// Success, or the error.
    public var outcome: Outcome
    /// The expected findings.
    public var values: [Value]

    package init(_ outcome: Outcome, values: [Value] = []) {
      self.outcome = outcome
      self.values = values
    }

    /// Success or failure.
    public enum Outcome: Sendable, Equatable {
      case ok
      /// The journey throws this error.
      ///
      /// - Parameters:
      ///   - name: the error.
      ///   - step: the `CardError.Step` at which it occurred; `nil` if at none.
      case error(name: String, step: CardError.Step?)
    }

    /// One finding.
    public enum Value: Sendable, Equatable {
      /// The twelve digits of the services number.
      case servicesNumber(String)
      /// The contents of EF.SN.
      case serialNumber([UInt8])
      /// The nine characters of the document number.
      case documentNumber(String)
      /// The access protocol that opened the travel document: the name of PACE's object identifier, or `BAC`.
      case access(String)
      case chipMapping(String)
      /// SHA-256 of a file of the travel document as read, by its name: `dg1`, `sod`, `com`.
      case fileHash(name: String, hash: [UInt8])
      case chipAuthentication(String)
      case activeAuthentication(String)
      /// SHA-256 of the certificate's DER form.
      case certificateHash([UInt8])
      /// SHA-256 of a signature; one for each digest, in order.
      case signatureHash([UInt8])
      /// The remaining tries that the card reports, 0 to 15.
      case triesLeft(Int)
      /// One check of the authenticity report and its verdict.
      case report(point: String, verdict: String)

      /// The proof that a finding is about, and its verdict; nil for data.
      package var verdict: (point: String, word: String)? {
        switch self {
        case .report(let point, let word): (point, word)
        case .chipMapping(let word): ("chip-mapping", word)
        case .chipAuthentication(let word): ("chip-authentication", word)
        case .activeAuthentication(let word): ("active-authentication", word)
        case .servicesNumber, .serialNumber, .documentNumber, .access, .fileHash, .certificateHash,
          .signatureHash, .triesLeft:
          nil
        }
      }
    }

    /// The findings that are not proofs, in words.
    package var doubts: [String] {
      values.compactMap(\.verdict).filter { $0.word != "proved" }.map { "\($0.point) \($0.word)" }
    }
  }
}
