import CLibraries
import CardWork
import Messages

/// A library that is opened on use and cannot be, because it is not installed or is another one.
enum MissingLibrary {
  /// Runs where a function of such a library is called; kept for the rest of the run.
  static func handle(_ end: @escaping @Sendable (Failure) -> Never) {
    let context = Unmanaged.passRetained(End(end)).toOpaque()
    setMissingLibraryHandler(
      { context, package, reason in
        guard let context else { return }
        let problem = Diagnosis(
          .internalFailure, "library-missing",
          ["package": String(cString: package), "reason": String(cString: reason)])
        Unmanaged<End>.fromOpaque(context).takeUnretainedValue().end(.found(problem))
      }, context)
  }

  /// Opens the libraries of pictures now, because a process that may only calculate opens none.
  static func requirePictures() {
    for library in [library_openjpeg, library_png, library_turbojpeg] { requireLibrary(library) }
  }

  private final class End: Sendable {
    let end: @Sendable (Failure) -> Never

    init(_ end: @escaping @Sendable (Failure) -> Never) { self.end = end }
  }
}
