internal import Primitives

/// The family of the chip, derived from the answer to reset. It is only a hint: it decides the
/// order of attempts, never whether a card is accepted.
///
/// The patterns are those of the package middlewares (italia/cie-middleware-linux,
/// cie-pkcs11/CSP/ATR.cpp), here matched as contiguous bytes. The properties of each family come
/// from the same sources and from EF.ATR samples in the package SDKs (pagopa/cie-sdk-ios,
/// Example/cie-sdk-ios/CIEType.swift).
package enum ChipFamily: String, Sendable, Hashable, CaseIterable {
  /// Gemalto (Thales), first series.
  case gemalto
  /// Gemalto (Thales), second series.
  case gemalto2
  case stm
  /// NXP ("ITNXP").
  case nxp
  /// JCOP 4 chips of Actalis and Bit4id ("ITJ4" and a letter).
  case itj4
  case unknown

  /// Classifies an answer to reset, complete or its historical bytes alone.
  package init(atr: [UInt8]) {
    self = Self.patterns.first { atr.place(of: $0.bytes) != nil }?.family ?? .unknown
  }

  /// True if the master file is tried before the IAS application, as the desktop middleware does.
  var prefersMasterFile: Bool {
    switch self {
    case .nxp, .itj4: true
    case .gemalto, .gemalto2, .stm, .unknown: false
    }
  }

  /// True if the card is known to return all three Diffie–Hellman parameters in one answer. Every
  /// card returns them one by one.
  var givesParametersTogether: Bool {
    switch self {
    case .gemalto: true
    case .gemalto2, .stm, .nxp, .itj4, .unknown: false
    }
  }

  /// True if EF.ATR of this family announces extended length; `nil` if it must be tried.
  var takesExtendedLength: Bool? {
    switch self {
    case .itj4, .gemalto2: true
    case .gemalto, .stm, .nxp: false
    case .unknown: nil
    }
  }

  /// False if cards of this family are reported to refuse extended length but for key agreement (pagopa/cie-sdk-ios).
  var readsUnannounced: Bool {
    switch self {
    case .nxp: false
    case .itj4, .gemalto, .gemalto2, .stm, .unknown: true
    }
  }

  private static var patterns: [(family: ChipFamily, bytes: [UInt8])] {
    [
      (.nxp, [0x80, 0x31, 0x80, 0x65, 0x49, 0x54, 0x4E, 0x58, 0x50]),
      (.itj4, [0x80, 0x31, 0x80, 0x65, 0x49, 0x54, 0x4A, 0x34]),
      (.gemalto, [0x80, 0x31, 0x80, 0x65, 0xB0, 0x85, 0x04, 0x00, 0x11]),
      (.gemalto2, [0x80, 0x31, 0x80, 0x65, 0xB0, 0x85, 0x03, 0x00, 0xEF]),
      (.stm, [0x80, 0x66, 0x47, 0x50, 0x00, 0xB8, 0x00]),
      // An answer to reset without historical bytes: the whole of it.
      (.stm, [0x3B, 0x80, 0x80, 0x01, 0x01]),
    ]
  }
}
