extension TrustStore {
  /// Why there is no trust store to judge with. The path is the one that was asked for, or of the file inside it.
  public enum LoadingError: Error, Sendable, Equatable {
    /// No certificate in it: give at least the CSCA certificate of the issuing state.
    case empty
    /// No file or folder of this name: correct the path.
    case notFound(path: String)
    /// The system refuses to read it, with `errno`: check the permissions.
    case unreadable(path: String, errno: Int32)
    /// Neither a plain file nor a folder of plain files: give one of these.
    case notAFile(path: String)
    /// Larger than a file of certificates can be: give the certificates alone.
    case tooLarge(path: String, limit: Int)
    /// More files in the folder than are read: give fewer.
    case tooManyFiles(path: String, limit: Int)
    /// Not a certificate in DER nor a file of certificates in PEM, with the reason: convert it, or take it out of
    /// the folder.
    case notACertificate(path: String, reason: String)
    /// A master list that is not believed, and why.
    case masterList(path: String, TrustStore.MasterListError)
  }
}
