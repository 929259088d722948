internal import CSeccomp
internal import Glibc

/// What a process takes away from itself before it looks at a picture: files, network, other processes, privileges,
/// memory and time.
enum Confinement {
  /// Bytes of address space: the largest picture takes a fifth.
  private static let addressSpace: rlim_t = 1 << 30
  /// Seconds of calculation.
  private static let seconds: rlim_t = 5

  /// From here on only calculation is left. Where the kernel has no filter of system calls, the limits stand alone.
  ///
  /// - Returns: whether the limits hold.
  static func begin() -> Bool {
    guard cie_close_descriptors_from(3) == 0 else { return false }
    let isLimited =
      limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 0)
      && limit(RLIMIT_CPU, seconds) && limit(RLIMIT_AS, addressSpace)
    guard isLimited, cie_drop_privileges() == 0 else { return false }
    _ = cie_only_calculate()
    return true
  }

  private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) -> Bool {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
  }
}
