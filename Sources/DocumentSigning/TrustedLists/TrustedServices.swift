internal import CIECard
internal import Glibc
public import Primitives

/// The services of trusted lists, in the index that an update made of lists that it verified.
public struct TrustedServices: Sendable {
  /// The lists, each of another territory.
  public let lists: [ListState]
  private let source: ByteSource
  private let count: Int
  /// The place of the first record.
  private let records: Int
  /// The place of the first line behind them.
  private let lines: Int

  /// Opens the index; the services in it are read when they are needed.
  ///
  /// - Throws: `ServiceIndexError`: all but `crowded`.
  public init(indexAt path: String) throws(ServiceIndexError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    for place in [folder, path] {
      var status = stat()
      guard stat(place, &status) == 0 else {
        throw errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable(errno: errno)
      }
      guard !FileRights.isWritableByOthers(status) else { throw .writableByOthers }
    }
    let source = try mapError(try ByteSource(path: path)) { (error: DocumentError) in
      ServiceIndexError.unreadable(errno: error.number ?? EINVAL)
    }
    try self.init(source)
  }

  init(_ source: ByteSource) throws(ServiceIndexError) {
    let head = try Self.read(source, 0..<min(source.count, Self.longestHeader))
    guard let end = head.firstIndex(of: 0x0A) else { throw .damaged }
    let header = try Self.parse(Array(head[...end]), of: "")
    guard header["format"]?.integer == ServiceIndex.format, let count = header["records"]?.integer,
      let length = header["length"]?.integer, case .array(let lists)? = header["lists"],
      length == source.count - (end + 1), count >= 0,
      count <= length / ServiceIndex.recordLength
    else { throw .damaged }
    self.lists = try lists.map { (list) throws(ServiceIndexError) in try ListState(list) }
    guard Set(self.lists.map(\.territory)).count == lists.count else { throw .damaged }
    (self.source, self.count) = (source, count)
    records = end + 1
    lines = end + 1 + count * ServiceIndex.recordLength
  }

  /// The longest header: lists of all countries have some thousand bytes.
  private static let longestHeader = 1 << 16

  /// The most services of one name, key or provider: the largest real list has some dozens of one name.
  static let most = 256

  /// The states whose lists are here, without the list of lists.
  var territories: [String] { lists.map(\.territory).filter { $0 != "EU" }.sorted() }

  /// The list that has a service.
  func list(of service: TrustedService) throws(ServiceIndexError) -> ListState {
    guard let list = lists.first(where: { $0.territory == service.territory }) else {
      throw .damaged
    }
    return list
  }

  /// The services with a certificate of this name, each with that certificate alone.
  func services(named hash: UInt32) throws(ServiceIndexError) -> [TrustedService] {
    try services(at: ServiceIndex.Key.name(hash).text).filter { service in
      service.certificates.contains { $0.subjectHash == hash }
    }
  }

  /// The services without a certificate that have this key.
  ///
  /// - Parameter digest: SHA-1 of the key.
  func services(withKey digest: [UInt8]) throws(ServiceIndexError) -> [TrustedService] {
    try services(at: ServiceIndex.Key.key(digest).text).filter { service in
      service.certificates.isEmpty && service.keyIdentifiers.contains(digest)
    }
  }

  /// The services with the name and the key of an issuer, in one certificate or by the key alone.
  func services(of issuer: Certificate) throws(ServiceIndexError) -> [TrustedService] {
    let named = try services(named: issuer.subjectHash).filter { service in
      service.certificates.contains { $0.isOfSameHolder(as: issuer) }
    }
    return try named + (issuer.keyDigest.map(services(withKey:)) ?? [])
  }

  /// The services of a service's provider that speak about revocations.
  func statusServices(
    beside service: TrustedService
  ) throws(ServiceIndexError) -> [TrustedService] {
    let key = try mapError(try ServiceIndex.Key.provider(of: service)) { (_: CryptoError) in
      ServiceIndexError.damaged
    }
    return try services(at: key.text).filter { $0.isOfSameProvider(as: service) }
  }

  private func services(at key: String) throws(ServiceIndexError) -> [TrustedService] {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if try record(middle).key < key { low = middle + 1 } else { high = middle }
    }
    var found: [TrustedService] = []
    while low < count {
      let record = try record(low)
      guard record.key == key else { break }
      guard found.count < Self.most else { throw .crowded(limit: Self.most) }
      let service = try TrustedService(
        Self.parse(try Self.read(source, record.line), of: key))
      _ = try list(of: service)
      found.append(service)
      low += 1
    }
    return found
  }

  /// Visits each service of the index, as often as it has certificates.
  func forEach(_ body: (TrustedService) -> Void) throws(ServiceIndexError) {
    for index in 0..<count {
      let record = try record(index)
      body(try TrustedService(Self.parse(try Self.read(source, record.line), of: record.key)))
    }
  }

  private func record(
    _ index: Int
  ) throws(ServiceIndexError) -> (key: String, line: Range<Int>) {
    let start = records + index * ServiceIndex.recordLength
    let text = try Self.read(source, start..<start + ServiceIndex.recordLength)
    let fields = text.dropLast().split(separator: 0x20, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard text.last == 0x0A, fields.map(\.utf8.count) == [9, 10, 8],
      let place = Int(fields[1], radix: 16), let length = Int(fields[2], radix: 16), place >= 0,
      length >= 0, place + length <= source.count - lines
    else { throw .damaged }
    return (fields[0], lines + place..<lines + place + length)
  }

  /// The JSON of a line whose digest is right.
  private static func parse(
    _ line: [UInt8], of key: String
  ) throws(ServiceIndexError) -> JSONValue {
    let text = [UInt8](line.dropFirst(ServiceIndex.digestLength).dropLast())
    guard line.last == 0x0A, let digest = try? ServiceIndex.digest(of: text, key),
      line.prefix(ServiceIndex.digestLength).elementsEqual((digest + " ").utf8),
      let json = try? JSONValue(text)
    else { throw .damaged }
    return json
  }

  private static func read(
    _ source: ByteSource, _ range: Range<Int>
  ) throws(ServiceIndexError) -> [UInt8] {
    try mapError(try source.bytes(range)) { (error: DocumentError) in
      error.number.map { .unreadable(errno: $0) } ?? ServiceIndexError.damaged
    }
  }
}

extension DocumentError {
  fileprivate var number: Int32? { if case .system(let code) = self { code } else { nil } }
}

/// The state of a trusted list when its services were read.
public struct ListState: Sendable, Equatable {
  /// The state or body whose list it is: two capital letters (ETSI TS 119 612 §5.3.10).
  public let territory: String
  /// TSLSequenceNumber (§5.3.2).
  public let sequenceNumber: Int
  /// ListIssueDateTime (§5.3.14).
  public let issued: UTCTime
  /// Time by which a newer list is issued (§5.3.15); nil for a closed list.
  public let nextUpdate: UTCTime?
  /// Time at which the list was fetched, or last found to be the newest.
  public let fetched: UTCTime

  /// A state of a list.
  public init(
    territory: String, sequenceNumber: Int, issued: UTCTime, nextUpdate: UTCTime?, fetched: UTCTime
  ) {
    (self.territory, self.sequenceNumber) = (territory, sequenceNumber)
    (self.issued, self.nextUpdate, self.fetched) = (issued, nextUpdate, fetched)
  }

  /// True if a newer list must have been issued by then.
  public func isOld(at time: UTCTime) -> Bool { nextUpdate.map { $0 < time } ?? true }
}
