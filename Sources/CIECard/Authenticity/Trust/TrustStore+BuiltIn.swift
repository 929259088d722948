extension TrustStore {
  /// The nine CSCA certificates of the Italian Republic, which this package brings along: enough to judge a CIE.
  public static var italian: TrustStore { TrustStore(builtIn: ItalianAnchors.pem) }

  /// The CSCA certificates whose master lists are believed: the German one.
  public static var masterListSigners: TrustStore {
    TrustStore(builtIn: MasterListAnchors.germany)
  }

  /// Our own data; a test holds every certificate against its source.
  private init(builtIn pem: String) {
    let encoded = (try? X509PEM.certificates(in: [UInt8](pem.utf8))) ?? []
    self.init(anchors: encoded.compactMap { try? Certificate(der: $0) })
  }
}
