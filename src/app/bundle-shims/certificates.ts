/**
 * Replaces `@peculiar/x509` (`[alias]` in wrangler.toml), by which the passkey library follows a chain
 * of certificates. A passkey that brings a certificate is refused before the library reads it.
 */
class NotReadHere {
  constructor() {
    throw new Error('no certificate is read here')
  }
}

export {
  NotReadHere as AuthorityKeyIdentifierExtension,
  NotReadHere as CRLDistributionPointsExtension,
  NotReadHere as SubjectKeyIdentifierExtension,
  NotReadHere as X509Certificate,
  NotReadHere as X509ChainBuilder,
  NotReadHere as X509Crl,
}
