import CardWork
import Glibc
import Primitives

/// A page in a file of this user alone that leads a browser of the desktop to an address: as an argument, every user of
/// the machine could read it.
struct RedirectPage {
  let path: String

  /// Writes it where the browser can read it: one of snap sees only what is not hidden in the home folder.
  init(to address: String) throws(Failure) {
    func folder(_ name: String) -> String? {
      Environment.value(of: name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = folder("HOME")
    let hasSnap = home.map { access($0 + "/snap", F_OK) == 0 } ?? false
    guard let place = (hasSnap ? nil : folder("XDG_RUNTIME_DIR")) ?? home else {
      throw .usage("no-home")
    }
    // With mode 0600, and new.
    let ending = ".html"
    var template = [CChar]((place + "/CIE-XXXXXX" + ending).utf8CString)
    let file = mkstemps(&template, CInt(ending.utf8.count))
    guard file >= 0 else { throw .file(.unwritable(path: place, errno: errno)) }
    defer { close(file) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let page = """
      <!DOCTYPE html><title>CIE</title><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)"><a href="\(address)">CIE</a>

      """
    do throws(SystemError) { try FileDescriptor(file).writeAll([UInt8](page.utf8)) } catch {
      unlink(path)
      throw .file(.unwritable(path: path, errno: error.code))
    }
  }

  func remove() { unlink(path) }
}
