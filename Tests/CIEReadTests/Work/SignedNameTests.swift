import CardWork
import DocumentSigning
import Messages
import Testing

@testable import cie_read

/// The name of a signed PDF beside the document.
@Suite struct SignedNameTests {
  @Test(arguments: [
    ("contract.pdf", "contract-signed.pdf"), ("contract-signed.pdf", "contract-signed-2.pdf"),
    ("contract-signed-2.pdf", "contract-signed-3.pdf"),
    ("contract-signed-19.pdf", "contract-signed-20.pdf"),
    ("a/contract-signed-x.pdf", "a/contract-signed-x-signed.pdf"),
    ("signed-2.pdf", "signed-2-signed.pdf"), ("2.pdf", "2-signed.pdf"),
    ("contract-signed-.pdf", "contract-signed--signed.pdf"),
    ("contract-signed-007.pdf", "contract-signed-007-signed.pdf"),
  ])
  func `a PDF signed again has the next number`(_ path: String, _ expected: String) {
    let format = DocumentFormat.byName(PDFParticulars(), isDetached: false)
    #expect(SigningOrder(path, format).output == expected)
  }

  @Test func `the window names it in its language`() throws {
    let italian = try #require(Language(rawValue: "it"))
    let usual = DocumentFormat.byName(PDFParticulars(), isDetached: false)
    let format = usual.with(password: [], in: italian)
    #expect(SigningOrder("contratto.pdf", format).output == "contratto-firmato.pdf")
    #expect(SigningOrder("contratto-firmato.pdf", format).output == "contratto-firmato-2.pdf")
    #expect(SigningOrder("contract-signed-2.pdf", format).output == "contract-signed-3.pdf")
    #expect(SigningOrder("contract-firmato-2.pdf", usual).output == "contract-firmato-3.pdf")
  }

  @Test(arguments: [
    ("contratto-firmato.pdf", "contratto-original.pdf"), ("a.pdf", "a-original.pdf"),
  ])
  func `its original has no mark of a signature`(_ path: String, _ expected: String) {
    #expect(SigningOrder.originalName(of: path) == expected)
  }
}
