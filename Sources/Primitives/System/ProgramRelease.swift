/// The release that this is: `--version`, the module's `CK_INFO`, the package and the documentation take it from here.
package enum ProgramRelease {
  package static let version = "0.9.0"

  /// The first two numbers of it.
  package static var numbers: (major: UInt8, minor: UInt8) {
    let numbers = version.split(separator: ".").compactMap { UInt8($0) }
    return (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
  }
}
