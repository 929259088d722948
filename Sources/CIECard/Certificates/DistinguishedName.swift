extension Certificate {
  /// The name of a certificate's holder or issuer (X.501; RFC 5280 §4.1.2.4).
  public struct DistinguishedName: Sendable, Hashable {
    /// The attributes in the order of the encoding.
    public let attributes: [Attribute]

    /// A name made of these attributes.
    public init(attributes: [Attribute]) {
      self.attributes = attributes
    }

    /// One attribute of a name.
    public struct Attribute: Sendable, Hashable {
      /// The type as a dotted object identifier, such as `2.5.4.3`.
      public let oid: String
      /// The usual short name of the type, such as `CN`; the object identifier if there is none.
      public let name: String
      /// The value as text; `#` and hexadecimal if it is not text.
      public let value: String

      /// One attribute.
      public init(oid: String, name: String, value: String) {
        self.oid = oid
        self.name = name
        self.value = value
      }
    }

    /// commonName, 2.5.4.3: on a CIE the holder's fiscal code and a suffix.
    public var commonName: String? { value("2.5.4.3") }
    /// givenName, 2.5.4.42.
    public var givenName: String? { value("2.5.4.42") }
    /// surname, 2.5.4.4.
    public var surname: String? { value("2.5.4.4") }
    /// serialNumber, 2.5.4.5: on a CIE the number of the document.
    public var serialNumber: String? { value("2.5.4.5") }
    /// countryName, 2.5.4.6.
    public var country: String? { value("2.5.4.6") }
    /// organizationName, 2.5.4.10.
    public var organization: String? { value("2.5.4.10") }

    private func value(_ oid: String) -> String? {
      attributes.first { $0.oid == oid }?.value
    }
  }
}
