// swift-tools-version: 6.1
import PackageDescription

/// Every target: Swift 6 language mode, explicit existentials, explicit imports.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "cie-read",
  products: [
    .library(name: "CIECard", targets: ["CIECard"]),
    .library(name: "RedirectFlow", targets: ["RedirectFlow"]),
    .library(name: "VirtualCIE", targets: ["VirtualCIE"]),
    .library(name: "Traces", targets: ["Traces"]),
    .library(name: "Pictures", targets: ["Pictures"]),
    .library(name: "Messages", targets: ["Messages"]),
    .executable(name: "cie-read", targets: ["cie-read"]),
    .executable(name: "cie-lab", targets: ["cie-lab"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    .systemLibrary(
      name: "CPCSCLite", pkgConfig: "libpcsclite", providers: [.apt(["libpcsclite-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "COpenJPEG", pkgConfig: "libopenjp2", providers: [.apt(["libopenjp2-7-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CProcessControl"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CSeccomp"),
    .target(name: "CTrustAnchors", exclude: ["anchors"]),
    .target(
      name: "CIECard", dependencies: ["CPCSCLite", "COpenSSL", "CTrustAnchors"],
      swiftSettings: strict),
    .target(name: "CPersonaData", exclude: ["data"]),
    .target(
      name: "VirtualCIE", dependencies: ["CIECard", "CPersonaData"], swiftSettings: strict),
    .target(name: "Traces", dependencies: ["CIECard"], swiftSettings: strict),
    .target(
      name: "RedirectFlow",
      dependencies: ["CIECard", "CCurl", "CIDN2", "CLibXML2", "COpenSSL", "CQREncode"],
      swiftSettings: strict),
    .target(
      name: "Pictures", dependencies: ["CIECard", "COpenJPEG", "CTurboJPEG", "CPNG", "CSeccomp"],
      swiftSettings: strict),
    .target(name: "CMessages", exclude: ["tables"]),
    .target(
      name: "Messages", dependencies: ["CIECard", "RedirectFlow", "CMessages"],
      swiftSettings: strict),
    .executableTarget(
      name: "cie-read",
      dependencies: [
        "CIECard", "RedirectFlow", "VirtualCIE", "Traces", "Pictures", "Messages",
        "CProcessControl", argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "cie-lab", dependencies: ["CIECard", "VirtualCIE", "Traces", argumentParser],
      swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["CIECard", "VirtualCIE"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "CIECardTests",
      dependencies: ["CIECard", "VirtualCIE", "Traces", "TestSupport", "cie-lab"],
      swiftSettings: strict),
    .testTarget(
      name: "VirtualCIETests", dependencies: ["VirtualCIE", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RedirectFlowTests",
      dependencies: ["RedirectFlow", "VirtualCIE", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "MessagesTests", dependencies: ["Messages", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CIEReadTests",
      dependencies: ["cie-read", "cie-lab", "Messages", "Pictures", "TestSupport"],
      swiftSettings: strict),
  ]
)
