import CIECard
import CProcessControl

/// What keeps the memory of this process from everybody else: no core dump, no debugger of the same user, and secrets
/// where they are not written to the swap space. What the system does not grant is done without.
enum ProcessSecrecy {
  /// To be called once, before there are other threads and secrets.
  static func begin() {
    cie_keep_memory_private()
    SecretMemory.begin()
  }
}
