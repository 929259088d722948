/// A reference to an indirect object (ISO 32000-2 §7.3.10).
struct PDFReference: Hashable {
  let number: Int
  let generation: Int
}
