internal import Glibc
internal import Primitives

extension TrustStore {
  /// The largest accepted file: the master lists of all states, unpacked, are below 2 MB.
  static let largestFile = 4 << 20
  /// The most entries that a folder may have.
  static let mostFiles = 4096
  /// The file name extensions that are read in a folder.
  static let endings = [".pem", ".crt", ".cer", ".der", ".ml"]

  /// Reads a store from a file (one certificate in DER, any number in PEM, or a master list) or from a folder of
  /// such files.
  ///
  /// In a folder, files whose names end in `.pem`, `.crt`, `.cer`, `.der` or `.ml` are read, in the
  /// order of their names, but no subfolders; each file must be valid. A file or folder that users
  /// other than its owner may write to is refused, because they could choose the trusted
  /// certificates.
  ///
  /// - Parameters:
  ///   - path: the file or folder.
  ///   - signers: the CSCA certificates whose master lists are trusted.
  ///   - time: the time at which the signer of a master list must be valid.
  /// - Throws: `TrustStore.LoadingError`.
  public init(
    path: String, masterListSigners signers: TrustStore = .masterListSigners,
    at time: UTCTime = .now
  ) throws(LoadingError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .notFound(path: path) : .unreadable(path: path, errno: errno)
    }
    var certificates: [Certificate] = []
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in try Self.names(inFolder: path) {
        certificates += try Self.certificates(inFile: path + "/" + name, signers, time)
      }
    } else {
      certificates = try Self.certificates(inFile: path, signers, time)
    }
    try self.init(certificates)
  }

  private static func names(inFolder path: String) throws(LoadingError) -> [String] {
    guard let folder = opendir(path) else { throw .unreadable(path: path, errno: errno) }
    defer { closedir(folder) }
    var status = stat()
    guard fstat(dirfd(folder), &status) == 0 else { throw .unreadable(path: path, errno: errno) }
    guard !FileRights.isWritableByOthers(status) else { throw .writableByOthers(path: path) }
    guard let names = FolderNames.read(folder, atMost: mostFiles) else {
      throw .tooManyFiles(path: path, limit: mostFiles)
    }
    return names.filter { name in
      !name.hasPrefix(".") && endings.contains(where: name.lowercased().hasSuffix)
    }.sorted()
  }

  /// - Throws: `TrustStore.LoadingError`; `masterList` if it is not trusted.
  package static func masterList(
    path: String, signedBy signers: TrustStore, at time: UTCTime
  ) throws(LoadingError) -> MasterList {
    try MasterList(file: read(path), path: path, signedBy: signers, at: time)
  }

  private static func certificates(
    inFile path: String, _ signers: TrustStore, _ time: UTCTime
  ) throws(LoadingError) -> [Certificate] {
    let contents = try read(path)
    if MasterList.isCandidate(contents) {
      return try MasterList(file: contents, path: path, signedBy: signers, at: time).certificates
    }
    func refusal(_ reason: String) -> LoadingError { .notACertificate(path: path, reason: reason) }
    // A certificate in DER begins with the tag of a SEQUENCE; no PEM file does.
    let isDER = contents.first == 0x30
    let encoded = try mapError(isDER ? [contents] : try X509PEM.certificates(in: contents)) {
      (error: CryptoError) in refusal(error.reason)
    }
    guard !encoded.isEmpty else { throw refusal("no certificate found") }
    return try encoded.map { der throws(LoadingError) in
      try mapError(try Certificate(der: der)) { (error: Certificate.Malformation) in
        refusal(error.reason)
      }
    }
  }

  private static func read(_ path: String) throws(LoadingError) -> [UInt8] {
    do throws(PlainFile.Failure) {
      return try PlainFile.read(path, limit: largestFile, others: .readers)
    } catch {
      switch error {
      case .unreadable(let reason) where reason.code == ENOENT: throw .notFound(path: path)
      case .unreadable(let reason): throw .unreadable(path: path, errno: reason.code)
      case .notPlain: throw .notAFile(path: path)
      case .exposed: throw .writableByOthers(path: path)
      case .tooLarge: throw .tooLarge(path: path, limit: largestFile)
      }
    }
  }
}

extension Certificate.Malformation {
  /// The reason, by OpenSSL or this package.
  fileprivate var reason: String {
    switch self {
    case .malformed(let reason): reason
    case .trailingBytes(let count): "\(count) bytes after the certificate"
    }
  }
}

extension TrustStore {
  /// The reason why a trust store could not be loaded. The path is the requested one, or that of a
  /// file inside it.
  public enum LoadingError: Error, Sendable, Equatable {
    /// It has no certificate: provide at least the CSCA certificate of the issuing state.
    case empty
    /// No file or folder has this name: correct the path.
    case notFound(path: String)
    /// The system refuses to read it, with `errno`: check the permissions.
    case unreadable(path: String, errno: Int32)
    /// Neither a regular file nor a folder of regular files: provide one of these.
    case notAFile(path: String)
    /// Users other than the owner may write to it: remove that permission.
    case writableByOthers(path: String)
    /// Larger than a file of certificates can be: provide only the certificates.
    case tooLarge(path: String, limit: Int)
    /// More files in the folder than the limit: provide fewer.
    case tooManyFiles(path: String, limit: Int)
    /// Neither a certificate in DER nor a file of certificates in PEM, with the reason: convert it,
    /// or remove it from the folder.
    case notACertificate(path: String, reason: String)
    /// A master list that is not trusted, with the reason.
    case masterList(path: String, MasterListError)
  }

  /// The folder of imported anchors, which every later run trusts: `$XDG_DATA_HOME/cie-read/trust`,
  /// otherwise `~/.local/share/cie-read/trust` (XDG Base Directory Specification).
  ///
  /// - Parameter variable: returns a variable of the environment.
  /// - Returns: `nil` if the environment has neither.
  package static func importFolder(_ variable: (String) -> String?) -> String? {
    dataFolder(variable).map { $0 + "/trust" }
  }

  /// The program's folder for data of a person: `$XDG_DATA_HOME/cie-read`, otherwise `~/.local/share/cie-read`.
  ///
  /// - Parameter variable: returns a variable of the environment.
  /// - Returns: `nil` if the environment has neither.
  package static func dataFolder(_ variable: (String) -> String?) -> String? {
    // A relative home folder counts here, too.
    let home = variable("HOME").flatMap { $0.isEmpty ? nil : $0 }
    return PersonalFolder.data.path(inHome: home, variable).map { $0 + "/cie-read" }
  }
}
