internal import CSeccomp
internal import Glibc

/// Restrictions that a process puts on itself before it decodes a picture or draws a page: files, network, other
/// processes, privileges, memory and time.
enum Confinement {
  /// Nothing but calculation.
  case calculation
  /// Another program that reads its libraries and fonts.
  case drawing

  /// Bytes of address space: the largest picture takes a fifth.
  private static let addressSpace: rlim_t = 1 << 30

  /// Begins for the rest of the process. Of a system call filter and Landlock, those that the kernel lacks are left out.
  ///
  /// - Returns: true if the resource limits apply.
  func begin() -> Bool {
    guard cie_close_descriptors_from(3) == 0 else { return false }
    let (files, seconds): (rlim_t, rlim_t) =
      switch self {
      case .calculation: (0, 5)
      case .drawing: (64, 10)
      }
    let isLimited =
      Self.limit(RLIMIT_CORE, 0) && Self.limit(RLIMIT_FSIZE, 0)
      && Self.limit(RLIMIT_CPU, seconds) && Self.limit(RLIMIT_AS, Self.addressSpace)
    guard isLimited, cie_drop_privileges() == 0 else { return false }
    if case .drawing = self { _ = cie_only_read_system() }
    guard Self.limit(RLIMIT_NOFILE, files) else { return false }
    _ =
      switch self {
      case .calculation: cie_only_calculate()
      case .drawing: cie_only_draw()
      }
    return true
  }

  private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) -> Bool {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
  }
}
