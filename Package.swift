// swift-tools-version: 6.1
import PackageDescription

/// Every target: Swift 6 language mode, explicit existentials, explicit imports.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Commands, words and pages compute nothing: without the optimizer the module, the last of the build's chain, compiles in
/// a third of the time, and the program is 1.2 MB larger.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone", "-assert-config", "Release"])]

/// Linker settings of the PKCS #11 module: the Swift runtime inside, and only the one symbol of its map visible. The
/// linker is lld because the default one leaves data of the module visible; nodelete because Swift does not survive
/// dlclose; the wrapped functions are in CHostAllocator. Its copy in the sandbox of a browser finds the client of the smart
/// card service beside itself.
let moduleLinking: [String] =
  ["-static-stdlib", "-use-ld=lld"]
  + [
    "--version-script=\(Context.packageDirectory)/Sources/CiePKCS11/Exports/exports.map",
    "--wrap=malloc", "--wrap=malloc_usable_size", "--wrap=_swift_installCrashHandler", "-znodelete",
    "-znow", "-rpath=$ORIGIN",
    "--icf=safe",
    "--as-needed", "--gc-sections", "--strip-debug",
  ].flatMap { ["-Xlinker", $0] }

/// Linker settings of the released program: the Swift runtime inside and no symbol exported, because a start spends more on
/// finding symbols than on all else.
let programLinking = ["-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic"]

/// The programs that tools/lab fuzz builds: its fuzzer links cie-read, which therefore is a library without its entry point, and the
/// sources that are tests elsewhere are a program. No other build sees a difference.
let isFuzzing = Context.environment["CIE_FUZZING"] != nil
let cieRead: [Target.Dependency] = [
  "CIECard", "RedirectFlow", "SignIn", "VirtualCIE", "Traces", "Pictures", "Messages", "CardWork",
  "DocumentSigning", "LocalService", "CLibraries", "CProcessControl", "CServicePage", "Primitives",
  "Arguments", "CWipingHeap", "Accounts",
]
let fuzzed: [Target.Dependency] = [
  "cie-read", "CIECard", "CiePKCS11", "PKCS11Fuzzer", "LocalService", "Pictures", "RedirectFlow",
  "Messages", "SignIn", "Primitives", "TestSupport", "Traces", "VirtualCIE", "Arguments", "Web",
  "CardWork", "DocumentSigning",
]

let package = Package(
  name: "cie-read",
  products: [
    // With Messages, a program prints errors as sentences; the module, a host's guest, is spared the table.
    .library(name: "CIECard", targets: ["CIECard", "Messages"]),
    .library(name: "RedirectFlow", targets: ["RedirectFlow", "Messages"]),
    .library(name: "SignIn", targets: ["SignIn", "Messages"]),
    .library(name: "VirtualCIE", targets: ["VirtualCIE", "Messages"]),
    .library(name: "Traces", targets: ["Traces", "Messages"]),
    .library(name: "Pictures", targets: ["Pictures", "Messages"]),
    .library(name: "DocumentSigning", targets: ["DocumentSigning", "Messages"]),
    .library(name: "Messages", targets: ["Messages"]),
    .library(name: "cie-pkcs11", type: .dynamic, targets: ["CiePKCS11Exports"]),
    isFuzzing
      ? .executable(name: "Fuzzer", targets: ["Fuzzer"])
      : .executable(name: "cie-read", targets: ["cie-read"]),
    .executable(name: "cie-lab", targets: ["cie-lab"]),
  ],
  targets: [
    .target(name: "CPCSCLite", path: "Sources/C/CPCSCLite"),
    // Of its two libraries the card needs one; the other, for TLS, is named where that is spoken.
    .systemLibrary(
      name: "COpenSSL", path: "Sources/C/COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CCurl", path: "Sources/C/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CLibXML2", path: "Sources/C/CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CXMLSec", path: "Sources/C/CXMLSec", providers: [.apt(["libxmlsec1-dev"])]),
    .systemLibrary(
      name: "CIDN2", path: "Sources/C/CIDN2", pkgConfig: "libidn2",
      providers: [.apt(["libidn2-dev"])]),
    .systemLibrary(
      name: "CQREncode", path: "Sources/C/CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"])]),
    // Without pkgConfig: its -pthread is a flag that SwiftPM does not take.
    .systemLibrary(name: "CJOSE", path: "Sources/C/CJOSE", providers: [.apt(["libcjose-dev"])]),
    .systemLibrary(
      name: "COpenJPEG", path: "Sources/C/COpenJPEG", pkgConfig: "libopenjp2",
      providers: [.apt(["libopenjp2-7-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CProcessControl", path: "Sources/C/CProcessControl"),
    .systemLibrary(
      name: "CPNG", path: "Sources/C/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CSeccomp", path: "Sources/C/CSeccomp"),
    // Without pkgConfig, for the same reason as CJOSE.
    .systemLibrary(name: "CQPDF", path: "Sources/C/CQPDF", providers: [.apt(["libqpdf-dev"])]),
    .systemLibrary(name: "CZLib", path: "Sources/C/CZLib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CLibraries", path: "Sources/C/CLibraries"),
    .target(name: "CMemoryBudget", path: "Sources/C/CMemoryBudget"),
    .target(
      name: "CMarkFont", path: "Sources/C/CMarkFont",
      exclude: ["LICENSE", "glyphs.bin", "make-mark-font"]),
    .target(
      name: "CCharacterReferences", path: "Sources/C/CCharacterReferences", exclude: ["names.txt"]),
    .target(name: "CTrustAnchors", path: "Sources/C/CTrustAnchors", exclude: ["anchors"]),
    .systemLibrary(
      name: "CMicroHTTPD", path: "Sources/C/CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(
      name: "CPKCS11", path: "Sources/C/CPKCS11", providers: [.apt(["libp11-kit-dev"])]),
    .target(
      name: "Primitives", dependencies: ["COpenSSL", "CProcessControl"], swiftSettings: strict),
    .target(name: "Arguments", swiftSettings: strict),
    .target(
      name: "CIECard", dependencies: ["CPCSCLite", "COpenSSL", "CTrustAnchors", "Primitives"],
      exclude: ["Survey/README.md"], swiftSettings: strict),
    .target(name: "CPersonaData", path: "Sources/C/CPersonaData", exclude: ["data", "maker"]),
    .target(
      name: "VirtualCIE", dependencies: ["CIECard", "CPersonaData", "Primitives"],
      exclude: ["README.md"], swiftSettings: strict),
    .target(name: "Traces", dependencies: ["CIECard", "Primitives"], swiftSettings: strict),
    .target(
      name: "Web",
      dependencies: [
        "CCurl", "CIDN2", "CLibXML2", "COpenSSL", "CQREncode", "Primitives",
      ],
      swiftSettings: strict, linkerSettings: [.linkedLibrary("ssl")]),
    .target(name: "CBrowserScript", path: "Sources/C/CBrowserScript", exclude: ["firefox"]),
    .target(
      name: "RedirectFlow",
      dependencies: [
        "CIECard", "Web", "CBrowserScript", "CCharacterReferences", "CCurl", "COpenSSL",
        "Primitives",
      ],
      swiftSettings: strict),
    .target(
      name: "SignIn", dependencies: ["Web", "CJOSE", "COpenSSL", "CProcessControl", "Primitives"],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Pictures",
      dependencies: ["CIECard", "COpenJPEG", "CTurboJPEG", "CPNG", "CSeccomp", "Primitives"],
      swiftSettings: strict),
    .target(
      name: "DocumentSigning",
      dependencies: [
        "CIECard", "CLibXML2", "CMarkFont", "CMemoryBudget", "CQPDF", "CXMLSec", "CZLib",
        "Primitives",
      ],
      swiftSettings: strict),
    .target(name: "CServicePage", path: "Sources/C/CServicePage", exclude: ["page"]),
    .target(
      name: "LocalService", dependencies: ["CMicroHTTPD", "CWipingHeap", "Primitives"],
      swiftSettings: strict),
    .target(name: "CHostAllocator", path: "Sources/C/CHostAllocator"),
    .target(name: "CWipingHeap", path: "Sources/C/CWipingHeap"),
    .target(
      name: "CiePKCS11", dependencies: ["CIECard", "CPKCS11", "Primitives"],
      exclude: ["Exports", "README.md"], swiftSettings: strict),
    .target(
      name: "CiePKCS11Exports", dependencies: ["CiePKCS11", "CPKCS11", "CHostAllocator"],
      path: "Sources/CiePKCS11/Exports", exclude: ["exports.map"], swiftSettings: strict,
      linkerSettings: [.unsafeFlags(moduleLinking)]),
    .target(
      name: "CMessages", path: "Sources/C/CMessages",
      exclude: ["README.md", "tables", "translations"]),
    .target(
      name: "Messages", dependencies: ["CMessages", "Primitives"], swiftSettings: strict),
    .target(
      name: "CardWork",
      dependencies: ["Arguments", "CIECard", "Messages", "CProcessControl", "Primitives"],
      swiftSettings: strict),
    .target(
      name: "Accounts",
      dependencies: [
        "Arguments", "SignIn", "CardWork", "Messages", "Primitives",
      ],
      swiftSettings: strict + unoptimized),
    isFuzzing
      ? .target(
        name: "cie-read", dependencies: cieRead,
        exclude: ["Functions/README.md", "Program.swift", "Schema"],
        swiftSettings: strict)
      : .executableTarget(
        name: "cie-read", dependencies: cieRead, exclude: ["Functions/README.md", "Schema"],
        swiftSettings: strict + unoptimized,
        linkerSettings: [.unsafeFlags(programLinking, .when(configuration: .release))]),
    .target(
      name: "TraceScenarios", dependencies: ["CIECard", "VirtualCIE", "Traces", "Primitives"],
      path: "Tests/Scenarios", swiftSettings: strict),
    .executableTarget(
      name: "cie-lab",
      dependencies: [
        "CIECard", "VirtualCIE", "Traces", "TraceScenarios", "CProcessControl", "Primitives",
        "Arguments",
      ], path: "Tests/Lab",
      swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: ["CIECard", "CZLib", "VirtualCIE", "Traces", "TraceScenarios", "Primitives"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "CardWorkTests",
      dependencies: ["Arguments", "CardWork", "Messages", "Primitives"],
      swiftSettings: strict),
    .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"], swiftSettings: strict),
    .testTarget(
      name: "SystemTests", dependencies: ["Primitives", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CIECardTests",
      dependencies: [
        "CIECard", "Primitives", "VirtualCIE", "Traces", "TestSupport", "cie-lab",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentSigningTests",
      dependencies: [
        "DocumentSigning", "CIECard", "CZLib", "Pictures", "Primitives", "TestSupport",
        "VirtualCIE", "cie-lab",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "VirtualCIETests", dependencies: ["VirtualCIE", "Primitives", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RedirectFlowTests",
      dependencies: ["RedirectFlow", "Web", "VirtualCIE", "Primitives", "TestSupport"],
      exclude: ["README.md"], swiftSettings: strict),
    .testTarget(
      name: "SignInTests",
      dependencies: ["SignIn", "RedirectFlow", "Web", "Primitives", "TestSupport"],
      swiftSettings: strict),
    isFuzzing
      ? .executableTarget(
        name: "Fuzzer", dependencies: fuzzed, path: "Tests/Fuzzer",
        exclude: ["Corpora", "Keys", "CorpusTests.swift"], swiftSettings: strict)
      : .testTarget(
        name: "FuzzerTests", dependencies: fuzzed, path: "Tests/Fuzzer",
        exclude: ["Corpora", "Keys"],
        swiftSettings: strict),
    .target(
      name: "PKCS11Fuzzer", dependencies: ["CiePKCS11", "CIECard", "CPKCS11", "VirtualCIE"],
      path: "Tests/PKCS11Fuzzer", exclude: ["seeds.txt"], swiftSettings: strict),
    .testTarget(
      name: "CiePKCS11Tests",
      dependencies: ["CiePKCS11", "CIECard", "VirtualCIE", "PKCS11Fuzzer", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MessagesTests", dependencies: ["Messages", "RedirectFlow", "SignIn", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CIEReadTests",
      dependencies: [
        "cie-read", "cie-lab", "Arguments", "CardWork", "Messages", "Pictures",
        "Primitives", "TestSupport", "TraceScenarios",
      ],
      exclude: [
        "Contract/Scripts", "Contract/reader.sh", "Document/JSON", "SignedFiles", "Help",
        "Login/mellon_login.py",
        "RealReader/held.py", "RealReader/holder.py", "RealReader/pin-in-flight.sh",
        "RealReader/proxied.py", "RealReader/proxy.py", "RealReader/real-reader.sh",
        "RealReader/watch.py",
        "Support/authorities.py", "Support/file-capabilities.sh", "Support/locked-memory.py",
        "Support/process-secrecy.sh",
        "Support/public-names.txt", "Support/time-stamp-server.py",
        "Terminal/terminal_session.py", "Traces/shown.txt",
      ], swiftSettings: strict),
  ]
)
