internal import Primitives

/// The headers around the portrait in DG2: those of the biometric data (Doc 9303-10 §4.7.2.1) and, in a record of ISO/IEC
/// 19794-5:2005, those of the face and its picture. The portrait is shown whatever they say.
enum PortraitHeaders {
  /// True if a header is missing or has a value that it cannot have; false for a file that cannot be read.
  static func areOdd(in file: [UInt8]) -> Bool { (try? areUsual(in: file)) == false }

  private static func areUsual(in file: [UInt8]) throws(TLVError) -> Bool {
    var cursor = TLVCursor(file)
    let group = try cursor.next(DataGroup.dg2.tag).contents.first(0x7F61).contents.all()
    let templates = group.filter { $0.tag == 0x7F60 }
    guard let count = group.first, count.tag == DER.integer,
      count.bytes == [UInt8(clamping: templates.count)]
    else { return false }
    for template in templates {
      guard try isUsual(try template.contents.all()) else { return false }
    }
    return true
  }

  /// Checks one template: a biometric header, then the record.
  private static func isUsual(_ template: [TLV]) throws(TLVError) -> Bool {
    guard let header = template.first(where: { $0.tag == 0xA1 }),
      let record = template.first(where: { [0x5F2E, 0x7F2E].contains($0.tag) })?.value
    else { return false }
    let fields = try header.contents.all()
    func value(_ tag: UInt32) -> [UInt8]? { fields.first { $0.tag == tag }?.bytes }
    // The owner of the format is ISO/IEC JTC 1/SC 37; a biometric type, if stated, is that of faces.
    guard value(0x87) == [1, 1], value(0x81).map({ $0.withoutLeadingZeros == [2] }) ?? true else {
      return false
    }
    guard FacialRecord.begins(record) else { return value(0x88) != nil }
    return value(0x88) == [0, 8] && isUsual(RecordReader(record.dropFirst(8)), record.count)
  }

  /// Checks the record behind its format and version (§5.4): its length, then the images.
  private static func isUsual(_ record: RecordReader, _ length: Int) -> Bool {
    var reader = record
    guard reader.number(4) == length, let images = reader.number(2), images > 0 else {
      return false
    }
    for _ in 0..<images {
      guard let size = reader.number(4), let block = reader.part(size - 4), isUsualImage(block)
      else { return false }
    }
    return reader.rest.isEmpty
  }

  /// Checks facial information (§5.5), feature points (§5.6), image information (§5.7) and the beginning of the picture.
  private static func isUsualImage(_ block: RecordReader) -> Bool {
    var reader = block
    guard let points = reader.number(2), let gender = reader.number(1),
      let eyes = reader.number(1), let hair = reader.number(1)
    else { return false }
    // Property mask and expression.
    reader.skip(5)
    // Yaw, pitch and roll, and their uncertainties, in steps of two degrees from 1.
    let angles = (0..<6).compactMap { _ in reader.number(1) }
    reader.skip(8 * points)
    guard angles.count == 6, let type = reader.number(1), let coding = reader.number(1) else {
      return false
    }
    // Size, colour space, source, device and quality.
    reader.skip(10)
    guard let format = DataGroup.Portrait.ImageFormat(of: reader.rest) else { return false }
    return [0, 1, 2, 0xFF].contains(gender) && (eyes <= 7 || eyes == 0xFF)
      && (hair <= 9 || hair == 0xFF) && angles.allSatisfy { $0 <= 181 } && type <= 2
      && coding == (format == .jpeg ? 0 : 1)
  }
}
