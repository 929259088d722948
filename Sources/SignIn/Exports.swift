// Public functions of this library take and return `RedirectURL`, `UTCTime` and others that stand below it:
// `import SignIn` alone must reach them.
@_exported public import Primitives
@_exported public import Web
