// swift-tools-version: 6.1
import PackageDescription

/// Settings of an application, each example in one file; they use the software card and run without a reader.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "cie-read", path: "..")],
  targets: [
    example("ServicesNumber", "CIECard", "VirtualCIE"),
    example("ReadDocument", "CIECard", "Pictures", "VirtualCIE"),
    example("Sign", "CIECard", "VirtualCIE"),
    example("Login", "CIECard", "RedirectFlow", "VirtualCIE"),
    // No two targets of all packages may share a name, and the library has this one.
    example("SignInExample", in: "SignIn", "CIECard", "SignIn"),
    example("Articles", "CIECard", "DocumentSigning", "RedirectFlow", "VirtualCIE"),
  ]
)

func example(_ name: String, in folder: String? = nil, _ products: String...) -> Target {
  .executableTarget(
    name: name, dependencies: products.map { .product(name: $0, package: "cie-read") },
    path: "Sources/" + (folder ?? name), swiftSettings: [.swiftLanguageMode(.v6)])
}
