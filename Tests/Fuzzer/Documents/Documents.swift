@testable import CIECard
@testable import Pictures
internal import TestSupport
@testable import VirtualCIE

/// The contents of a travel document's files.
extension FuzzTarget {
  static let documents = [mrz, details, portrait, pictures]

  private static func groups(_ number: UInt8) throws -> [[UInt8]] {
    try Persona.everyone.compactMap { $0.travelDocument.dataGroups[number] }
      + Seeds.vectors("lds-td1-cie-like", ["DG\(number)"])
      + Seeds.vectors("travel-documents", [String(number)])
  }

  private static let mrz = FuzzTarget("mrz") {
    let lines = Persona.everyone.map { [UInt8]($0.mrzLines.joined(separator: "\n").utf8) }
    return try Seeds.behind([[0]], groups(1)) + Seeds.behind([[1]], lines)
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let zone =
      choices[0] & 1 == 0
      ? try MRZ(dataGroup1: rest) : try MRZ(text: String(decoding: rest, as: UTF8.self))
    let again = try? MRZ(text: zone.text)
    probe.require(again == zone, "a zone that is printed is read")
    let today = MRZ.PartialDate(year: 2026, month: 1, day: 1)
    if let today { _ = (zone.birthDate(asOf: today), zone.expiryDate(asOf: today)) }
    _ = MRZ.Information(zone)
  }

  private static let details = FuzzTarget("details") {
    try Seeds.behind([[0]], groups(11)) + Seeds.behind([[1]], groups(12))
  } play: { probe in
    let (choices, rest) = probe.split(1)
    if choices[0] & 1 == 0 {
      _ = try DataGroup.PersonalDetails(dataGroup11: rest)
    } else {
      _ = try DataGroup.DocumentDetails(dataGroup12: rest)
    }
  }

  private static let portrait = FuzzTarget("dg2") {
    try groups(2).map { [UInt8]($0.prefix(3000)) } + groups(2).filter { $0.count < 30_000 }
  } play: { probe in
    let portrait = try DataGroup.Portrait(dataGroup2: probe.bytes)
    probe.require(portrait.image.count <= probe.bytes.count, "no more than came")
    probe.require(portrait.image.starts(with: portrait.format.magic), "a picture of its format")
  }

  /// The libraries are other people's; the rule is that no large input reaches them.
  private static let pictures = FuzzTarget("picture") {
    try groups(2).compactMap { try? DataGroup.Portrait(dataGroup2: $0).image }
      .filter { $0.count < 20_000 }
  } play: { probe in
    guard let format = DataGroup.Portrait.ImageFormat(of: probe.bytes) else { throw Unfit() }
    let picture = try Picture(decoding: probe.bytes, format: format)
    probe.require(
      Picture.holds(width: picture.width, height: picture.height), "a bounded picture")
    probe.require(
      picture.pixels.count == picture.width * picture.height * 3, "a pixel is three bytes")
    _ = try picture.png()
  }
}
