import CardWork
import Primitives

/// The descriptions of the program's functions for other programs.
enum FunctionDescriptions {
  static var json: JSON {
    Descriptions.json(
      of: FunctionList.all, served: ServedFunction.all.compactMap { $0.work },
      others: [
        (
          "sign",
          .answer(
            ofOneOf: [HolderSignatures.self, SignedDocuments.self], adding: [Notice.genuine])
        ),
        (
          "login",
          .answer(ofOneOf: [CompletedLogin.self, CompletedSignIn.self], adding: [Notice.genuine])
        ), ("doctor", .answer(ofOneOf: [CheckupResult.self])),
      ])
  }
}
