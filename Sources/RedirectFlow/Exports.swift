// Public types that stand below the login, such as `RedirectURL` and `LoginEnvironment`, are names of this library's
// interface: `import RedirectFlow` alone must reach them, although SignIn has them without the card.
@_exported public import Web
