/** The part of the package that the tests use, so that their types can be checked where it is not installed. */
declare module 'standardwebhooks' {
  export class Webhook {
    constructor(secret: string)
    /** The parsed body. Throws where the signature or the time is wrong. */
    verify(body: string, headers: Record<string, string>): unknown
  }
}
