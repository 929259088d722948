import CardWork
import DocumentSigning
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
}
