/**
 * Replaces the readers of certificates that the passkey library brings along (`[alias]` in wrangler.toml).
 * A passkey that brings a certificate is refused before the library reads it. Of what is left, the library
 * reads signatures with `@peculiar/asn1-ecc`, which is bundled as it is.
 */
function NotReadHere(): never {
  throw new Error('Readers of certificates are left out on purpose: see wrangler.toml.')
}

/** `@peculiar/asn1-ecc` makes some while it loads; nothing reads them. */
class AlgorithmIdentifier {}

/** Never compared with anything that was read. */
const unread = 'no certificate is read here'

export {
  // of @peculiar/x509
  NotReadHere as AuthorityKeyIdentifierExtension,
  NotReadHere as CRLDistributionPointsExtension,
  NotReadHere as SubjectKeyIdentifierExtension,
  NotReadHere as X509Certificate,
  NotReadHere as X509ChainBuilder,
  NotReadHere as X509Crl,
  // of @peculiar/asn1-x509
  AlgorithmIdentifier,
  NotReadHere as BasicConstraints,
  NotReadHere as Certificate,
  NotReadHere as ExtendedKeyUsage,
  NotReadHere as SubjectAlternativeName,
  unread as id_ce_basicConstraints,
  unread as id_ce_extKeyUsage,
  unread as id_ce_subjectAltName,
  // of @simplewebauthn/server
  NotReadHere as convertX509PublicKeyToCOSE,
  NotReadHere as getCertificateInfo,
  NotReadHere as MetadataService,
  NotReadHere as validateCertificatePath,
  NotReadHere as validateExtFIDOGenCEAAGUID,
  NotReadHere as verifyAttestationWithMetadata,
  NotReadHere as verifyAttestationAndroidKey,
  NotReadHere as verifyAttestationAndroidSafetyNet,
  NotReadHere as verifyAttestationApple,
  NotReadHere as verifyAttestationFIDOU2F,
  NotReadHere as verifyAttestationTPM,
  unread as Apple_WebAuthn_Root_CA,
  unread as GlobalSign_Root_CA,
  unread as GlobalSign_Root_CA_R3,
  unread as GlobalSign_Root_R46,
  unread as Google_Hardware_Attestation_Root_1,
  unread as Google_Hardware_Attestation_Root_2,
  unread as Google_Hardware_Attestation_Root_3,
  unread as Google_Hardware_Attestation_Root_4,
  // of @peculiar/asn1-android
  NotReadHere as KeyDescription,
  unread as id_ce_keyDescription,
  // of @peculiar/asn1-rsa
  NotReadHere as RSAPublicKey,
  unread as id_rsaEncryption,
  unread as id_sha1WithRSAEncryption,
  unread as id_sha256WithRSAEncryption,
  unread as id_sha384WithRSAEncryption,
  unread as id_sha512WithRSAEncryption,
  // of @peculiar/asn1-x509-post-quantum
  unread as id_ml_dsa_44,
  unread as id_ml_dsa_65,
  unread as id_ml_dsa_87,
}
