extension DataGroup {
  /// The holder's portrait, from DG2 (Doc 9303-10 §4.7.2).
  public struct Portrait: Sendable, Equatable {
    /// The picture as stored, a complete file of its format.
    public let image: [UInt8]
    /// The format of the picture.
    public let format: ImageFormat
    /// The size of the picture; the one stated in the record if the picture's header is damaged,
    /// `nil` if neither has it.
    public let size: ImageSize?
    /// The record around the picture.
    public let record: Record

    /// The standards of facial records.
    public enum Record: Sendable, Hashable {
      /// ISO/IEC 19794-5:2005, the record of most documents.
      case iso19794
      /// ISO/IEC 39794-5:2019, its successor, encoded in DER.
      case iso39794
    }

    /// Parses the file: `75 { 7F61 { 02 count, 7F60 { A1 header, 5F2E or 7F2E record } … } }`.
    /// Takes the first record with a picture; bytes after the data object are dropped.
    public init(dataGroup2 file: [UInt8]) throws(DataGroup.Malformation) {
      let contents = try DataGroup.Malformation.contents(of: file, tag: DataGroup.dg2.tag)
      let records = try DataGroup.Malformation.parse(
        try Self.records(in: contents.first(0x7F61).contents))
      guard !records.isEmpty else { throw .missing(tag: 0x5F2E) }
      guard let portrait = records.lazy.compactMap({ Portrait($0.value) }).first else {
        throw .noImage
      }
      self = portrait
    }

    private static func records(in group: TLVCursor) throws(TLVError) -> [TLV] {
      var records: [TLV] = []
      for template in try group.all() where template.tag == 0x7F60 {
        records += try template.contents.all().filter { [0x5F2E, 0x7F2E].contains($0.tag) }
      }
      return records
    }

    private init?(_ record: ArraySlice<UInt8>) {
      if FacialRecord.begins(record) {
        guard let facial = FacialRecord(record) else { return nil }
        self.init(facial.image, stated: facial.statedSize, .iso19794)
      } else {
        guard let image = Self.image(inside: record) else { return nil }
        self.init(image, stated: nil, .iso39794)
      }
    }

    private init?(_ image: ArraySlice<UInt8>, stated: ImageSize?, _ record: Record) {
      guard let format = ImageFormat(of: image) else { return nil }
      self.image = [UInt8](image)
      self.format = format
      size = ImageSize(of: image, format: format) ?? stated
      self.record = record
    }

    /// The picture of a record of ISO/IEC 39794-5: the first primitive object that begins like one,
    /// because that standard has many optional parts before it.
    private static func image(inside record: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
      var open = [TLVCursor(record)]
      while var cursor = open.popLast() {
        guard !cursor.isAtEnd, let object = try? cursor.next() else { continue }
        open.append(cursor)
        if object.isConstructed {
          open.append(object.contents)
        } else if ImageFormat(of: object.value) != nil {
          return object.value
        }
      }
      return nil
    }
  }
}
