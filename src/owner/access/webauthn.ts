/** What the Worker uses of `@simplewebauthn/server`: the bundle leaves out what no file here names. */
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
export { decodeAttestationObject, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
