import Accounts
import CardWork

/// The functions that are declared as one value; the command line has the same ones, in its order.
enum FunctionList {
  static let all: [any Function.Type] = [
    Demo.self, Readers.self, Info.self, NIS.self, Verify.self, Read.self, Cert.self, PINVerify.self,
    PINChange.self, PINUnblock.self, TrustList.self, TrustImport.self, TraceShow.self,
    TraceCheck.self, TraceDiff.self, TraceStats.self, TraceFromReport.self, Check.self, Extend.self,
    BrowserStatus.self, BrowserInstall.self, BrowserRemove.self, Status.self, Claims.self,
    Token.self, LockSet.self, LockEnter.self, LockChange.self, LockForget.self, LockStatus.self,
    Logout.self, Reset.self,
  ]
}
