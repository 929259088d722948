public import CPKCS11
internal import CiePKCS11

/// C_GetFunctionList (PKCS #11 v2.40 §5.4): the one symbol of the library, by which hosts find all functions.
/// Named by an older attribute than `@c`, which Debian's compiler does not know.
@_cdecl("C_GetFunctionList")
public func getFunctionList(
  _ list: UnsafeMutablePointer<UnsafeMutablePointer<CK_FUNCTION_LIST>?>?
) -> CK_RV {
  guard let list else { return CK_RV(CKR_ARGUMENTS_BAD) }
  list.pointee = FunctionList.pointer
  return CK_RV(CKR_OK)
}
