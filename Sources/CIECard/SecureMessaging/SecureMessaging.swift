/// Secure messaging (ISO/IEC 7816-4 §10) with two-key triple DES (IAS ECC §7.1.5–7.1.9) or AES too (Doc 9303-11 §9.8).
///
/// A pure value without I/O: it protects commands, and verifies and decrypts responses. The counter
/// is incremented before each command and before each response. Any failure is final: a channel
/// that was manipulated once is not used again.
struct SecureMessaging: ~Copyable {
  private let keys: SessionKeys
  private let cipher: SessionCipher
  private let profile: Profile
  private var counter: SendSequenceCounter
  /// The error for all further calls after the end; `nil` while the session lasts.
  private var end: CardError.Reason?

  /// Differences between the two applications of a CIE.
  enum Profile: Sendable {
    /// IAS ECC: the MAC input is padded after the header and once more at the end, even if nothing
    /// follows.
    case ias
    /// Doc 9303-11 §9.8.6.1: the header is padded once if no data object follows.
    case travelDocument
  }

  init(keys: consuming SessionKeys, counter: SendSequenceCounter, profile: Profile = .ias) {
    cipher = keys.cipher
    self.keys = keys
    self.counter = counter
    self.profile = profile
  }

  /// Replaces the counter, as device authentication does (IAS ECC §5.2.3.5).
  mutating func restart(_ counter: SendSequenceCounter) { self.counter = counter }

  /// Protects one command.
  ///
  /// - Returns: the complete C-APDU, in short form if its body fits and `form` does not require
  ///   more.
  mutating func protect(
    _ command: CommandAPDU, form: CommandAPDU.Form
  ) throws(CardError.Reason) -> [UInt8] {
    let clear = Secret(command.data)
    return try protect(command, secretData: clear, form: form)
  }

  /// Protects one command whose data must not be copied, such as a PIN; `command.data` is ignored.
  mutating func protect(
    _ command: CommandAPDU, secretData: borrowing Secret, form: CommandAPDU.Form
  ) throws(CardError.Reason) -> [UInt8] {
    if let end { throw end }
    do throws(CryptoError) {
      counter.step()
      let header = [command.classByte | Self.protectedClass] + command.header.dropFirst()
      var objects: [UInt8] = []
      if secretData.count > 0 {
        objects += try cryptogramObject(
          for: secretData, oddInstruction: command.instruction & 1 == 1)
      }
      objects += expectedLengthObject(for: command.expected)
      let mac = try cipher.authenticate(
        macInput(head: counter.bytes + header, objects: objects), key: keys.authentication)
      let body = objects + TLV.encode(0x8E, mac)
      return try wire(header: header, body: body, expected: command.expected, form: form)
    } catch {
      end = .notBelieved(.closed)
      throw .crypto(error)
    }
  }

  /// Verifies and decrypts one answer: the MAC is checked before any decryption, and the status
  /// word is the one under the MAC, whatever the outer one is.
  mutating func unprotect(_ response: ResponseAPDU) throws(CardError.Reason) -> ResponseAPDU {
    if let end { throw end }
    do throws(CardError.Reason) {
      counter.step()
      return try opened(response)
    } catch {
      // If the card ended the session with a bare status word, later calls repeat that.
      if case .channelEnded = error { end = error } else { end = .notBelieved(.closed) }
      throw error
    }
  }

  /// Increments the counter for an answer that the card keeps.
  mutating func skipAnswer() { counter.step() }

  private func opened(_ response: ResponseAPDU) throws(CardError.Reason) -> ResponseAPDU {
    guard !response.data.isEmpty else {
      // A card that cannot or will not continue answers in clear (Doc 9303-11 §9.8.8; IAS ECC
      // §7.1.9). A sender that claims success that way does not have our keys.
      throw response.status.claimsSuccess
        ? .notBelieved(.unprotected(response.status)) : .channelEnded(response.status)
    }
    let objects = try ProtectedAnswer(response.data, block: cipher.blockLength)
    var input = counter.bytes + objects.authenticated
    BlockPadding.pad(&input, to: cipher.blockLength)
    let mac = try mapError(try cipher.authenticate(input, key: keys.authentication)) {
      CardError.Reason.crypto($0)
    }
    guard ConstantTime.equal(mac, objects.mac) else { throw .notBelieved(.wrongMAC) }
    guard let cryptogram = objects.cryptogram else { return ResponseAPDU(status: objects.status) }
    let padded = try mapError(
      try cipher.decrypt(
        cryptogram, key: keys.encryption, iv: cipher.initialVector(counter, key: keys.encryption))
    ) { CardError.Reason.crypto($0) }
    guard let data = BlockPadding.unpad(padded, from: cipher.blockLength) else {
      throw .notBelieved(.wrongPadding)
    }
    return ResponseAPDU(data: data, status: objects.status)
  }

  /// DO87 with the padding indicator 01 for even instructions, DO85 without it for odd ones (ISO/IEC 7816-4 §10.4).
  private func cryptogramObject(
    for clear: borrowing Secret, oddInstruction: Bool
  ) throws(CryptoError) -> [UInt8] {
    let block = cipher.blockLength
    let padded = Secret(count: (clear.count / block + 1) * block) { buffer in
      clear.withBytes { buffer.copyBytes(from: $0) }
      buffer[clear.count] = BlockPadding.marker
    }
    let cryptogram = try cipher.encrypt(
      secret: padded, key: keys.encryption,
      iv: cipher.initialVector(counter, key: keys.encryption))
    return oddInstruction ? TLV.encode(0x85, cryptogram) : TLV.encode(0x87, [0x01] + cryptogram)
  }

  /// DO97, the protected Le, of one byte or, above 256, two.
  private func expectedLengthObject(for expected: CommandAPDU.ExpectedLength) -> [UInt8] {
    switch expected {
    case .none, .whole:
      []
    case .upTo(let length) where length <= CommandAPDU.maximumShortResponse:
      TLV.encode(0x97, [UInt8(truncatingIfNeeded: length)])
    case .upTo(let length):
      TLV.encode(
        0x97, [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)])
    }
  }

  private func macInput(head: [UInt8], objects: [UInt8]) -> [UInt8] {
    var input = head
    BlockPadding.pad(&input, to: cipher.blockLength)
    input += objects
    switch profile {
    case .ias: BlockPadding.pad(&input, to: cipher.blockLength)
    case .travelDocument:
      if !objects.isEmpty { BlockPadding.pad(&input, to: cipher.blockLength) }
    }
    return input
  }

  /// A protected command always has an Le field, because its answer always has data objects.
  private func wire(
    header: [UInt8], body: [UInt8], expected: CommandAPDU.ExpectedLength, form: CommandAPDU.Form
  ) throws(CryptoError) -> [UInt8] {
    let isLong = body.count > CommandAPDU.maximumShortData
    let outer: CommandAPDU.ExpectedLength =
      switch (form, expected) {
      // Doc 9303-11 §9.8.4: Le is 00 or 0000, depending on the length form.
      case (.extended, .none) where profile == .travelDocument && isLong: .whole
      case (.short, _), (.extended, .none): .upTo(CommandAPDU.maximumShortResponse)
      case (.extended, .upTo(let length)) where length <= maximumShortRead:
        .upTo(CommandAPDU.maximumShortResponse)
      case (.extended, .upTo), (.extended, .whole): .whole
      }
    let wrapped = CommandAPDU(
      header[1], header[2], header[3], data: body, expected: outer, classByte: header[0])
    guard let bytes = wrapped.encoded(form) else {
      throw CryptoError("secure messaging", reason: "command too long for the length form")
    }
    return bytes
  }

  /// CLA bits 4 and 3: secure messaging with an authenticated header (ISO/IEC 7816-4 table 2).
  private static let protectedClass: UInt8 = 0x0C

  /// The most plain bytes in a short protected answer: 231 with 3DES, which is also the limit of
  /// IAS ECC §8.6.3.3 (E7), 223 with AES.
  var maximumShortRead: Int { maximumRead(inAnswerOf: CommandAPDU.maximumShortResponse) }

  /// Length for a short READ BINARY. The chips of a CIE have been seen with 223 bytes (DF) and less
  /// in the travel document, which fit with every cipher; with 231 only in the IAS application.
  var preferredShortRead: Int {
    switch profile {
    case .ias: maximumShortRead
    case .travelDocument: min(maximumShortRead, 0xDF)
    }
  }

  /// The most plain bytes of a short protected command with an Le: 3 bytes of tag and length and
  /// one of padding indicator around the cryptogram, 3 for the Le object, 10 for the MAC object,
  /// and the padding marker.
  var maximumShortData: Int {
    (CommandAPDU.maximumShortData - 17) / cipher.blockLength * cipher.blockLength - 1
  }

  /// The most plain bytes in an answer of `total` bytes: four bytes of tag and length and one of
  /// padding indicator around the cryptogram, 4 for the status word object, 10 for the MAC object,
  /// and the padding marker.
  func maximumRead(inAnswerOf total: Int) -> Int {
    (total - 19) / cipher.blockLength * cipher.blockLength - 1
  }
}
