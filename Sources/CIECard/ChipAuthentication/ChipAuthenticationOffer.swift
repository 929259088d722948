/// A static key of the chip and its protocol, from SecurityInfos (Doc 9303-11 §6.2.3).
struct ChipAuthenticationOffer: Sendable {
  let domain: AgreementDomain
  /// PK_IC.
  let publicValue: [UInt8]
  /// The protocol; 3DES if a document announces only a key.
  let `protocol`: ChipAuthenticationProtocol
  /// To be sent if the document numbers its keys.
  let keyIdentifier: KeyIdentifier?

  /// The most keys that are checked: documents have one or two, and checking one costs two
  /// exponentiations.
  private static let mostKeys = 8

  /// The offers, AES before 3DES, then in file order. Unsupported keys are left out.
  static func all(in infos: SecurityInfos) throws(CryptoError) -> [ChipAuthenticationOffer] {
    var offers: [ChipAuthenticationOffer] = []
    for announced in infos.chipAuthenticationKeys.prefix(mostKeys) {
      guard
        let key = try? KeyAgreementPublicKey(
          subjectPublicKeyInfo: announced.subjectPublicKeyInfo),
        let domain = try AgreementDomain(key.domain), domain.method == announced.agreement,
        try domain.isSafe(key.publicValue)
      else { continue }
      for variant in variants(for: announced, in: infos) {
        offers.append(
          ChipAuthenticationOffer(
            domain: domain, publicValue: key.publicValue, protocol: variant,
            keyIdentifier: announced.keyIdentifier))
      }
    }
    return offers.filter { $0.protocol.cipher != .tripleDES }
      + offers.filter { $0.protocol.cipher == .tripleDES }
  }

  /// The protocols announced for a key: those with its number, or any of its kind if it has none.
  private static func variants(
    for key: ChipAuthenticationPublicKeyInfo, in infos: SecurityInfos
  ) -> [ChipAuthenticationProtocol] {
    let announced = infos.infos.compactMap { info in
      if case .chipAuthentication(let info) = info { info } else { nil }
    }
    guard !announced.isEmpty else {
      return [ChipAuthenticationProtocol(agreement: key.agreement, cipher: .tripleDES)]
    }
    return announced.filter {
      $0.protocol.agreement == key.agreement
        && ($0.keyIdentifier == nil || $0.keyIdentifier == key.keyIdentifier)
    }.map { $0.protocol }
  }
}

extension SecurityInfos {
  /// The announced static keys, in file order.
  var chipAuthenticationKeys: [ChipAuthenticationPublicKeyInfo] {
    infos.compactMap { info in
      if case .chipAuthenticationPublicKey(let key) = info { key } else { nil }
    }
  }
}

extension AgreementDomain {
  /// The parameters of a static key.
  ///
  /// A curve must be a standardised one, in any notation; a field must be within limits, because a
  /// card may bring its own.
  ///
  /// - Returns: `nil` for unsupported parameters.
  init?(_ domain: KeyAgreementPublicKey.Domain) throws(CryptoError) {
    switch domain {
    case .standardized(let number):
      try self.init(standardized: number)
    case .namedCurve(let identifier):
      guard let name = StandardCurve(objectIdentifier: identifier) else { return nil }
      self = .curve(try EllipticCurve(name))
    case .explicitCurve(let parameters):
      guard let curve = try Self.curve(like: parameters) else { return nil }
      self = .curve(curve)
    case .field(let prime, let generator, let order):
      let field = try FiniteField(bounding: prime, generator: generator, order: order)
      guard let field else { return nil }
      self = .finiteField(field)
    }
  }

  /// The standardised curve whose parameters are all equal to these explicit ones.
  private static func curve(like parameters: ExplicitCurve) throws(CryptoError) -> EllipticCurve? {
    for name in StandardCurve.allCases {
      let curve = try EllipticCurve(name)
      if curve.prime == parameters.prime, curve.a.withoutLeadingZeros == parameters.a,
        curve.b.withoutLeadingZeros == parameters.b, curve.generator == parameters.generator,
        curve.order == parameters.order, parameters.cofactor ?? [1] == [1]
      {
        return curve
      }
    }
    return nil
  }
}
