import CIECard
import Glibc
import Messages
import Primitives

/// Programs of this user that can hold a card, because they have loaded the library of the smart card service.
struct CardHolders {
  /// A process, by its name and number.
  struct Holder: Equatable {
    let name: String
    let number: pid_t
  }

  let holders: [Holder]

  /// Looks at the processes, as proc(5) lists them: their names, and the libraries in their memory.
  ///
  /// - Parameter root: `/proc`, or a folder like it.
  init(in root: String = "/proc", except own: pid_t = getpid()) {
    guard let folder = opendir(root) else {
      holders = []
      return
    }
    defer { closedir(folder) }
    let numbers = (FolderNames.read(folder, atMost: Self.mostProcesses) ?? [])
      .compactMap { pid_t($0) }.filter { $0 != own }.sorted()
    holders = numbers.compactMap { number -> Holder? in
      let path = "\(root)/\(number)"
      // Those of other users cannot be read.
      guard let maps = Self.text(path + "/maps"), maps.includes("/libpcsclite.so"),
        let name = Self.text(path + "/comm")?.split(separator: "\n").first
      else { return nil }
      // The service itself has no use for the library of its clients, but its drivers may.
      return name == "pcscd" ? nil : Holder(name: String(name).printable, number: number)
    }
  }

  /// A finding in the words of a command's failure, with these programs.
  func finding(_ name: String, _ diagnosis: Diagnosis) -> DoctorFinding {
    guard !holders.isEmpty else {
      return DoctorFinding(
        name, .problem, Message("doctor.card.held-unknown"), remedy: diagnosis.advice,
        failure: diagnosis)
    }
    let names = holders.prefix(Self.mostNames).map { "\($0.name) (\($0.number))" }
    let isOfGnuPG = holders.contains { $0.name == "scdaemon" }
    return DoctorFinding(
      name, .problem, Message("doctor.card.held", ["names": names.joined(separator: ", ")]),
      remedy: isOfGnuPG ? Message("doctor.card.held-by-gpg.do") : diagnosis.advice,
      failure: diagnosis, command: isOfGnuPG ? "gpgconf --kill scdaemon" : nil)
  }

  private static let mostProcesses = 100_000
  private static let mostNames = 8

  private static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return (try? FileDescriptor(file).readAll(limit: 8 << 20))
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
