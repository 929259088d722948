public import Primitives

extension Diagnosis {
  /// Bytes that are no certificate.
  public init(_ error: Certificate.Malformation) {
    switch error {
    case .malformed(let reason):
      self = .usage("certificate", ["reason": reason], key: "format-certificate")
    case .trailingBytes(let count):
      self = .usage("certificate", ["length": count], key: "format-longer")
    }
  }

  /// Bytes that are no file of a travel document.
  public init(_ error: DataGroup.Malformation) {
    func object(_ tag: UInt32) -> Diagnosis {
      .usage("data-group", ["tag": String(tag, radix: 16)], key: "format-object")
    }
    switch error {
    case .truncated: self = .usage("data-group", key: "format-truncated")
    case .notDataObjects: self = .usage("data-group", key: "format-no-objects")
    case .unexpectedTag(_, let expected): self = object(expected)
    case .missing(let tag), .repeated(let tag), .value(let tag): self = object(tag)
    case .trailingBytes(let count):
      self = .usage("data-group", ["length": count], key: "format-longer")
    case .zone(let error): self.init(error)
    case .noImage: self = .usage("data-group", key: "format-no-image")
    }
  }

  /// Bytes that are no evidence of the known version.
  public init(_ error: CardEvidence.Malformation) {
    switch error {
    case .tooLong(let limit): self.init(.usage, "evidence-too-long", ["limit": limit])
    case .unknownFormat(let format):
      self.init(.couldNotCheck, "evidence-format", ["format": format])
    case .notInForm: self.init(.false, "evidence-malformed")
    }
  }

  /// Characters that are no machine readable zone.
  public init(_ error: MRZ.Malformation) {
    switch error {
    case .lines(let lengths):
      let lengths = lengths.map(String.init).joined(separator: ", ")
      self = .usage("zone", ["lengths": lengths], key: "format-zone-lines")
    case .character(let position):
      self = .usage("zone", ["position": position], key: "format-zone-character")
    case .dateOfBirth: self = .date("date-of-birth")
    case .dateOfExpiry: self = .date("date-of-expiry")
    case .sex: self = .usage("zone", key: "format-zone-sex")
    }
  }

  /// Typed data of the machine readable zone.
  public init(_ error: MRZ.Information.Problem) {
    switch error {
    case .documentNumber: self = .usage("zone", key: "format-zone-number")
    case .dateOfBirth: self = .date("date-of-birth")
    case .dateOfExpiry: self = .date("date-of-expiry")
    }
  }

  private static func date(_ field: String) -> Diagnosis {
    usage("zone", ["field": Message("document.\(field)")], key: "format-zone-date")
  }

  private static func usage(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String
  ) -> Diagnosis {
    Diagnosis(
      .usage, "malformed-\(name)", arguments, key: key, advice: Message("format.do"))
  }
}

extension CardEvidence.Malformation: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension Certificate.Malformation: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension DataGroup.Malformation: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension MRZ.Malformation: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension MRZ.Information.Problem: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
