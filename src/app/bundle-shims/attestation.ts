/**
 * Replaces what @simplewebauthn/server reads attestation certificates with (`[alias]` in wrangler.toml): the ASN.1 and
 * X.509 packages, root certificates, formats and metadata. We never request an attestation, so only the signature of a
 * passkey is left, also in the format "packed" without a certificate. Other calls throw.
 */
const refused = (): never => {
  throw new Error('attestation certificates are not read here')
}

class Certificates {
  constructor() {
    refused()
  }
}

const SEQUENCE = 0x30
const INTEGER = 0x02

/** The ECDSA signature of WebAuthn (RFC 3279 section 2.2.3): the bytes of two whole numbers. */
export class ECDSASigValue {
  r = new Uint8Array()
  s = new Uint8Array()
}

/** Reads one DER value (ITU-T X.690) with this tag, and the bytes after it. */
function valueIn(bytes: Uint8Array, tag: number): { value: Uint8Array; rest: Uint8Array } {
  // Signatures of P-521 need the long form of a length, in one byte.
  const long = bytes[1] === 0x81
  const length = (long ? bytes[2] : bytes[1]) ?? 0
  const start = long ? 3 : 2
  const isMinimal = long ? length > 0x7f : length < 0x80
  const value = bytes.subarray(start, start + length)
  if (bytes[0] !== tag || !isMinimal || length === 0 || value.length !== length) return refused()
  return { value, rest: bytes.subarray(start + length) }
}

export const AsnParser = {
  parse(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>, type: unknown): ECDSASigValue {
    if (type !== ECDSASigValue) return refused()
    const { value, rest } = valueIn(new Uint8Array(bytes), SEQUENCE)
    const r = valueIn(value, INTEGER)
    const s = valueIn(r.rest, INTEGER)
    if (rest.length > 0 || s.rest.length > 0) return refused()
    return { r: r.value.slice(), s: s.value.slice() }
  },
}

// The library imports these names and never reaches them: it stops at the parser or at a certificate.
const NO_ID = ''

/** The metadata of authenticators, which only a certificate leads to. */
export const MetadataService = { getStatement: refused }

export {
  Certificates as AuthorityKeyIdentifierExtension,
  Certificates as BasicConstraints,
  Certificates as CRLDistributionPointsExtension,
  Certificates as Certificate,
  Certificates as ECParameters,
  Certificates as ExtendedKeyUsage,
  Certificates as KeyDescription,
  Certificates as OctetString,
  Certificates as RSAPublicKey,
  Certificates as SubjectAlternativeName,
  Certificates as SubjectKeyIdentifierExtension,
  Certificates as X509Certificate,
  Certificates as X509ChainBuilder,
  Certificates as X509Crl,
  NO_ID as Apple_WebAuthn_Root_CA,
  NO_ID as GlobalSign_Root_CA,
  NO_ID as GlobalSign_Root_CA_R3,
  NO_ID as GlobalSign_Root_R46,
  NO_ID as Google_Hardware_Attestation_Root_1,
  NO_ID as Google_Hardware_Attestation_Root_2,
  NO_ID as Google_Hardware_Attestation_Root_3,
  NO_ID as Google_Hardware_Attestation_Root_4,
  NO_ID as id_ce_basicConstraints,
  NO_ID as id_ce_extKeyUsage,
  NO_ID as id_ce_keyDescription,
  NO_ID as id_ce_subjectAltName,
  NO_ID as id_ecPublicKey,
  NO_ID as id_ecdsaWithSHA256,
  NO_ID as id_ecdsaWithSHA384,
  NO_ID as id_ecdsaWithSHA512,
  NO_ID as id_ml_dsa_44,
  NO_ID as id_ml_dsa_65,
  NO_ID as id_ml_dsa_87,
  NO_ID as id_rsaEncryption,
  NO_ID as id_secp256r1,
  NO_ID as id_secp384r1,
  NO_ID as id_sha1WithRSAEncryption,
  NO_ID as id_sha256WithRSAEncryption,
  NO_ID as id_sha384WithRSAEncryption,
  NO_ID as id_sha512WithRSAEncryption,
  refused as validateCertificatePath,
  refused as verifyAttestationAndroidKey,
  refused as verifyAttestationAndroidSafetyNet,
  refused as verifyAttestationApple,
  refused as verifyAttestationFIDOU2F,
  refused as verifyAttestationTPM,
  refused as verifyAttestationWithMetadata,
}
