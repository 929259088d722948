// swift-tools-version: 6.1
import PackageDescription

/// What an application is built from, each example in one file; they use the software card and run without a reader.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "cie-read", path: "..")],
  targets: [
    example("ServicesNumber", "CIECard", "VirtualCIE"),
    example("ReadDocument", "CIECard", "Pictures", "VirtualCIE"),
    example("Sign", "CIECard", "VirtualCIE"),
    example("Login", "CIECard", "RedirectFlow", "VirtualCIE"),
    example("Articles", "CIECard", "RedirectFlow", "VirtualCIE"),
  ]
)

func example(_ name: String, _ products: String...) -> Target {
  .executableTarget(
    name: name, dependencies: products.map { .product(name: $0, package: "cie-read") },
    swiftSettings: [.swiftLanguageMode(.v6)])
}
