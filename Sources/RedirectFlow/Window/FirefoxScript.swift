internal import CBrowserScript
internal import Glibc
package import Primitives

/// The script that makes a Firefox accept the commands of a login. It is sent by the Firefox Remote Debugging Protocol,
/// once, over the socket of `--start-debugger-server`, which then closes.
package struct FirefoxScript: ~Copyable {
  /// The settings of a profile with which the socket opens, without a question to the person.
  package static let preferences = [
    "devtools.debugger.remote-enabled": "true", "devtools.chrome.enabled": "true",
    "devtools.debugger.prompt-connection": "false",
  ]
  /// The longest packet, in bytes: all expected ones are much shorter.
  private static let packetLimit = 1 << 20
  /// The length of one wait, in milliseconds, between checks whether to give up.
  private static let patience: CInt = 50

  private let socket: FileDescriptor
  private let isOver: () -> Bool

  /// - Parameter isOver: returns true to give up waiting.
  package init(over socket: FileDescriptor, isOver: @escaping () -> Bool) {
    self.socket = socket
    self.isOver = isOver
  }

  /// Has the browser run the script.
  ///
  /// - Parameter path: of the socket to which the script connects.
  /// - Throws: `.browserFailed`, `.cancelled`.
  package consuming func run(connectingTo path: String) throws(LoginError) {
    try send([.init("to", "root"), .init("type", "getProcess"), .init("id", 0)])
    let browser = try answer { $0["processDescriptor"]?["actor"]?.text }
    try send([.init("to", browser), .init("type", "getTarget")])
    let console = try answer { $0["process"]?["consoleActor"]?.text }
    try send([
      .init("to", console), .init("type", "evaluateJSAsync"),
      .init("text", Self.text(connectingTo: path)),
    ])
    let result = try answer { $0["type"]?.text == "evaluationResult" ? $0 : nil }
    if result["exceptionMessage"] != nil { throw LoginError(.browserFailed) }
  }

  /// The script, to be evaluated in the browser's own console. It gets a separate global object, which outlives the
  /// window in which it was started.
  private static func text(connectingTo path: String) -> String {
    let script = String(
      decoding: UnsafeRawBufferPointer(
        start: firefox_script_bytes(), count: firefox_script_length()), as: UTF8.self)
    return """
      ((path, script) => {
        const shared = Cu.getGlobalForObject(
          ChromeUtils.importESModule("resource://gre/modules/XPCOMUtils.sys.mjs").XPCOMUtils);
        const global = new Cu.Sandbox(
          Services.scriptSecurityManager.getSystemPrincipal(),
          { wantGlobalProperties: ["TextEncoder", "TextDecoder", "btoa"] });
        for (const name of ["BrowsingContext", "ChromeUtils", "Services"]) global[name] = shared[name];
        global.path = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
        global.path.initWithPath(path);
        Cu.evalInSandbox(script, global, "latest", "resource://cie-read/firefox.js", 1);
      })(\(JSON.string(path).text), \(JSON.string(script).text))
      """
  }

  /// `length:JSON`, the length in bytes.
  private func send(_ members: [JSON.Member]) throws(LoginError) {
    let packet = [UInt8](JSON.object(members).text.utf8)
    try mapError(try socket.writeAll([UInt8]("\(packet.count):".utf8) + packet)) {
      (_: SystemError) in LoginError(.browserFailed)
    }
  }

  /// Reads packets until one has the wanted content; the others report other events.
  private func answer<Wanted>(
    _ wanted: (JSONValue) -> Wanted?
  ) throws(LoginError) -> Wanted {
    while true {
      var length = 0
      while true {
        let byte = try bytes(1).first ?? 0
        if byte == UInt8(ascii: ":") { break }
        guard ASCII.isDigit(byte) else { throw LoginError(.browserFailed) }
        length = length * 10 + Int(byte - UInt8(ascii: "0"))
        guard length <= Self.packetLimit else { throw LoginError(.browserFailed) }
      }
      guard let packet = try? JSONValue(try bytes(length)) else { throw LoginError(.browserFailed) }
      if let value = wanted(packet) { return value }
    }
  }

  private func bytes(_ count: Int) throws(LoginError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard !isOver() else { throw LoginError(.cancelled) }
      var descriptors = [pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)]
      guard poll(&descriptors, 1, Self.patience) > 0 else { continue }
      let block = (try? socket.read(atMost: count - bytes.count)) ?? []
      guard !block.isEmpty else { throw LoginError(.browserFailed) }
      bytes += block
    }
    return bytes
  }
}
