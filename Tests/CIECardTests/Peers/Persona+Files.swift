import TestSupport

@testable import VirtualCIE

extension Persona {
  /// The files of the travel-document application by identifier (Doc 9303-10 §4.6 and §4.7), as peers name them.
  var documentFiles: [String: [UInt8]] {
    let document = travelDocument
    var files = ["011E": document.common, "011D": document.securityObject]
    for (number, file) in document.dataGroups { files["01" + Hex.text([number])] = file }
    return files
  }
}
