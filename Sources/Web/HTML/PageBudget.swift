/// The work that reading a page may take, in elements and bytes looked at: in proportion to its size, whatever its
/// shape.
///
/// A short page can cause much work by a text that is collected again for each element around it, or by a long base
/// address against which each link is resolved.
package struct PageBudget: Sendable {
  private let limit: Int
  private(set) var spent = 0

  init(size: Int) { limit = 2 << 20 + 16 * size }

  /// - Throws: `.tooComplicated` once the work is more than the page is worth.
  mutating func spend(_ work: Int) throws(PageError) {
    spent += work
    guard spent <= limit else { throw .tooComplicated(limit: limit) }
  }
}
