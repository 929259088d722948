// Deliberately written apart from CIECard: the card's side of secure messaging.

/// The data objects of a command under secure messaging: [87 or 85] [97] 8E, in this order
/// (ISO/IEC 7816-4 §10; IAS ECC §7.1.6).
struct ProtectedCommand {
  /// The cryptogram, without DO87's padding indicator; nil when the command has no data.
  private(set) var cryptogram: [UInt8]?
  /// The plain command's Ne; nil when DO97 is absent.
  private(set) var expected: Int?
  /// The value of DO8E, eight bytes.
  let mac: [UInt8]
  /// The objects before DO8E as they came.
  private(set) var authenticated: [UInt8] = []

  /// Reads the objects of a command: 6987 when one is missing, 6988 when one is wrong.
  init(_ command: CardCommand) throws(Refusal) {
    guard !command.data.isEmpty else { throw Refusal(.secureMessagingObjectMissing) }
    guard var objects = BERObject.list(command.data) else {
      throw Refusal(.secureMessagingObjectIncorrect)
    }
    guard let last = objects.popLast(), last.tag == 0x8E else {
      throw Refusal(.secureMessagingObjectMissing)
    }
    mac = last.value
    for object in objects {
      authenticated += object.encoded
      switch object.tag {
      case 0x87 where cryptogram == nil && expected == nil && command.ins & 1 == 0:
        guard object.value.first == 1 else { throw Refusal(.secureMessagingObjectIncorrect) }
        cryptogram = [UInt8](object.value.dropFirst())
      case 0x85 where cryptogram == nil && expected == nil && command.ins & 1 == 1:
        cryptogram = object.value
      case 0x97 where expected == nil && (1...2).contains(object.value.count):
        let number = object.value.reduce(0) { $0 << 8 | Int($1) }
        expected = number > 0 ? number : object.value.count == 1 ? 256 : 65_536
      default:
        throw Refusal(.secureMessagingObjectIncorrect)
      }
    }
  }
}
