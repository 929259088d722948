import CPKCS11
import Testing
import VirtualCIE

@testable import CiePKCS11

/// Objects, their attributes, signatures.
extension FunctionTests {
  @Test func `attributes are returned with their lengths, independently`() throws {
    try withModule {
      let session = open()
      expect(.ok, logIn(session))
      var (subject, number) = ([UInt8](repeating: 0, count: 10), UInt(0))
      let own = UInt(MemoryLayout<UInt>.size)
      subject.withUnsafeMutableBytes { subject in
        withUnsafeMutableBytes(of: &number) { number in
          var template = [
            CK_ATTRIBUTE(type: CKA_SUBJECT, pValue: subject.baseAddress, ulValueLen: 10),
            CK_ATTRIBUTE(type: CKA_EC_POINT, pValue: nil, ulValueLen: 0),
            CK_ATTRIBUTE(type: CKA_PRIME_1, pValue: subject.baseAddress, ulValueLen: 10),
            CK_ATTRIBUTE(type: CKA_CLASS, pValue: number.baseAddress, ulValueLen: own),
            CK_ATTRIBUTE(type: CKA_MODULUS, pValue: nil, ulValueLen: 0),
          ]
          let value = list.C_GetAttributeValue(session, 3, &template, 5)
          #expect(
            [.attributeTypeInvalid, .attributeSensitive, .bufferTooSmall].contains(
              ReturnValue(rawValue: value)))
          #expect(template.map(\.ulValueLen) == [.max, .max, .max, own, 256])
          #expect(number.load(as: UInt.self) == CKO_PRIVATE_KEY)
          #expect(subject.allSatisfy { $0 == 0 })
          // The resulting value is no length of a buffer.
          expect(.bufferTooSmall, list.C_GetAttributeValue(session, 3, &template, 1))
          expect(.attributeTypeInvalid, list.C_GetAttributeValue(session, 3, &template[1], 1))
          expect(.attributeSensitive, list.C_GetAttributeValue(session, 3, &template[2], 1))
        }
      }
      expect(.argumentsBad, list.C_GetAttributeValue(session, 3, nil, 0))
      // Above every real count: none of the attributes is read.
      var one = CK_ATTRIBUTE(type: 0, pValue: nil, ulValueLen: 0)
      for count in [65, UInt.max] {
        expect(.argumentsBad, list.C_GetAttributeValue(session, 3, &one, count))
        expect(.argumentsBad, list.C_FindObjectsInit(session, &one, count))
      }
      #expect(one.ulValueLen == 0)
    }
  }

  @Test func `a search finds the objects with all given attributes`() throws {
    try withModule {
      let session = open()
      expect(.ok, logIn(session))
      func find(_ type: UInt, _ value: [UInt8], length: Int? = nil) -> [UInt] {
        var (value, found, count) = (value, [UInt](repeating: 0, count: 3), UInt(0))
        value.withUnsafeMutableBytes { value in
          var wanted = CK_ATTRIBUTE(
            type: type, pValue: value.baseAddress, ulValueLen: UInt(length ?? value.count))
          expect(.ok, list.C_FindObjectsInit(session, &wanted, 1))
        }
        expect(.ok, list.C_FindObjects(session, &found, 3, &count))
        expect(.ok, list.C_FindObjectsFinal(session))
        return Array(found.prefix(Int(count)))
      }
      #expect(find(CKA_LABEL, Array("CIE".utf8)) == [1, 2, 3])
      #expect(find(CKA_LABEL, Array("CIE".utf8), length: 2) == [])
      #expect(find(CKA_PRIVATE, [1]) == [3])
      #expect(find(CKA_PRIVATE, [0]) == [1, 2])
      #expect(find(CKA_MODULUS_BITS, [0, 8, 0, 0, 0, 0, 0, 0]) == [2])
    }
  }

  @Test func `a length query and a short buffer keep the signature pending`() throws {
    try withModule {
      let session = open()
      expect(.ok, logIn(session))
      var mechanism = CK_MECHANISM(
        mechanism: CKM_RSA_PKCS, pParameter: nil, ulParameterLen: 1)
      expect(.mechanismParamInvalid, list.C_SignInit(session, &mechanism, 3))
      expect(.argumentsBad, list.C_SignInit(session, nil, 3))
      mechanism.ulParameterLen = 0
      expect(.ok, list.C_SignInit(session, &mechanism, 3))
      var (data, signature, length) = (
        [UInt8](repeating: 1, count: 20), [UInt8](repeating: 0, count: 256), UInt(0)
      )
      expect(.ok, list.C_Sign(session, &data, 20, nil, &length))
      #expect(length == 256)
      for short in [UInt(0), 255] {
        length = short
        expect(.bufferTooSmall, list.C_Sign(session, &data, 20, &signature, &length))
        #expect(length == 256)
      }
      #expect(card.log.counters.holderSignatures == 0)
      expect(.ok, list.C_Sign(session, &data, 20, &signature, &length))
      expect(.operationNotInitialized, list.C_Sign(session, &data, 20, &signature, &length))
      // An operation that was begun does not outlive the login.
      expect(.ok, list.C_SignInit(session, &mechanism, 3))
      expect(.ok, list.C_Logout(session))
      expect(.ok, logIn(session))
      expect(.operationNotInitialized, list.C_Sign(session, &data, 20, &signature, &length))
      #expect(card.log.counters.holderSignatures == 1)
    }
  }
}
