package import Glibc

/// Checks of a file's owner, mode and access control list.
package enum FileRights {
  /// True if the file belongs to another user than this one and root, or if any other user has
  /// access to it.
  ///
  /// An access control list that grants a right to this user alone does not expose the file,
  /// although the mode then shows it as a right of the group (acl(5)): systemd passes credentials
  /// to services this way (systemd.exec(5), LoadCredential=).
  package static func isExposed(_ descriptor: CInt, _ status: stat) -> Bool {
    guard status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & 0o007 == 0 else {
      return true
    }
    return status.st_mode & 0o070 != 0 && !isListedForUser(descriptor)
  }

  /// True if users other than the owner may write to the file or folder. The owner's private group
  /// is assumed to have no other members (useradd(8), USERGROUPS_ENAB).
  package static func isWritableByOthers(_ status: stat) -> Bool {
    status.st_mode & 0o002 != 0
      || status.st_mode & 0o020 != 0 && status.st_gid != status.st_uid
  }

  /// The tags of an entry (`linux/posix_acl.h`).
  private enum Tag {
    static let user: UInt16 = 0x02
    static let owningGroup: UInt16 = 0x04
    static let group: UInt16 = 0x08
  }

  /// True if the access control list names this user or root, and no other user or group.
  private static func isListedForUser(_ descriptor: CInt) -> Bool {
    // A version of 4 octets, then entries of tag, permissions and ID: 2, 2 and 4 octets,
    // little-endian.
    guard let list = accessList(of: descriptor, limit: 4 + 8 * 32) else { return false }
    let entries = list.dropFirst(4)
    guard !entries.isEmpty, entries.count % 8 == 0 else { return false }
    return stride(from: entries.startIndex, to: entries.endIndex, by: 8).allSatisfy { start in
      let entry = entries[start..<start + 8]
      func number(_ range: Range<Int>) -> UInt32 {
        entry.dropFirst(range.lowerBound).prefix(range.count).reversed()
          .reduce(0) { $0 << 8 | UInt32($1) }
      }
      switch UInt16(truncatingIfNeeded: number(0..<2)) {
      case Tag.user: return [0, geteuid()].contains(number(4..<8))
      case Tag.owningGroup, Tag.group: return number(2..<4) == 0
      case _: return true
      }
    }
  }
}
