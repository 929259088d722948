package import CIECard
import Glibc

/// The files of a travel document that `read --out` saved, judged without a card.
package enum SavedDocument {
  /// The limit for a file, above every card's.
  private static let longestFile = 256 << 10

  /// Reads a folder. Files of other names are left alone, and so is EF.COM, which is not signed.
  ///
  /// - Throws: `file`: the folder or one of its files cannot be read, is not plain or too long, or EF.SOD is missing.
  package static func read(_ path: String) throws(Failure) -> AuthenticityReport.Evidence.Document {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .file(.unreadable(path: path, errno: errno)) }
    defer { close(folder) }
    func contents(_ file: DocumentFile) throws(Failure) -> [UInt8]? {
      try InputFile.read(file.fileName, in: folder, path, limit: longestFile)
    }
    guard let securityObject = try contents(.securityObject) else {
      throw .file(.noSecurityObject(path: path))
    }
    var groups: [DataGroup: [UInt8]] = [:]
    for group in DataGroup.allCases { groups[group] = try contents(.group(group)) }
    return AuthenticityReport.Evidence.Document(
      savedSecurityObject: securityObject, files: groups,
      cardAccess: try contents(.cardAccess), cardSecurity: try contents(.cardSecurity))
  }

  /// Judges it. The proof that the chip was no copy is never possible here.
  package static func verify(
    _ path: String, trust: TrustStore?, requiresValidity: Bool, at time: UTCTime
  ) throws(Failure) -> Verification {
    let evidence = try read(path)
    let report = AuthenticityReport(judging: evidence, trust: trust, at: time)
    return Verification(
      document: DocumentReading(evidence, openedBy: nil, report, isTest: false, at: time), ias: nil,
      requiresValidity: requiresValidity)
  }
}
