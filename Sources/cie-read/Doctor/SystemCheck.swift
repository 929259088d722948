import CIECard
import CardWork
import Glibc
import Messages
import Primitives

/// The machine: obstacles between readers and the service, and its clock.
struct SystemCheck {
  /// Kernel modules that claim an NFC reader, so that pcscd does not get it: the drivers of the kernel's own NFC
  /// (linux, drivers/nfc), for chips of PN533 readers such as the ACR122U, and of Sony's.
  static let takers = ["pn533_usb", "pn533", "port100"]

  /// The loaded modules, as `/proc/modules` lists them (proc(5)).
  let modules: String
  let now: UTCTime
  /// The trust anchors; the present cannot be before the issue of any of them.
  let anchors: TrustStore?

  /// The check of this machine.
  init(_ session: RunContext, anchors: TrustStore?) {
    let file = open("/proc/modules", O_RDONLY | O_CLOEXEC)
    let text = (try? FileDescriptor(file).readAll(limit: 1 << 20)) ?? []
    if file >= 0 { close(file) }
    self.init(
      modules: String(decoding: text, as: UTF8.self), now: session.time, anchors: anchors)
  }

  init(modules: String, now: UTCTime, anchors: TrustStore?) {
    self.modules = modules
    self.now = now
    self.anchors = anchors
  }

  /// Each line begins with the name of a module.
  var moduleFinding: DoctorFinding {
    let loaded = Set(modules.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    let taking = Self.takers.filter { loaded.contains($0[...]) }
    guard !taking.isEmpty else {
      return DoctorFinding("kernel-modules", .ok, Message("doctor.kernel-modules.none"))
    }
    let names = taking.joined(separator: " ")
    var finding = DoctorFinding(
      "kernel-modules", .warning, Message("doctor.kernel-modules.taking", ["names": names]),
      remedy: Message("doctor.kernel-modules.taking.do", ["names": names]))
    finding.command = "sudo modprobe -r \(names)"
    return finding
  }

  var clockFinding: DoctorFinding {
    let latest = anchors?.certificates.map(\.notBefore).max()
    guard let latest, now < latest else {
      return DoctorFinding(
        "clock", .ok, Message("doctor.clock.plausible", ["time": LocalMoment(now)]))
    }
    var finding = DoctorFinding(
      "clock",
      Diagnosis(.couldNotCheck, "clock-early", ["time": LocalMoment(now), "issued": latest]))
    finding.command = "sudo timedatectl set-ntp true"
    return finding
  }

  var anchorFinding: DoctorFinding {
    let all = anchors?.certificates ?? []
    let valid = all.filter { $0.isValid(at: now) }
    guard let last = valid.map(\.notAfter).max() else {
      return DoctorFinding(
        "anchors", .warning, Message("doctor.anchors.none"),
        remedy: Message("doctor.anchors.none.do"))
    }
    return DoctorFinding(
      "anchors", .ok,
      Message("doctor.anchors.valid", ["total": all.count, "valid": valid.count, "day": last]))
  }
}
