/**
 * Replaces the JSON Schema validator of @modelcontextprotocol/server (`[alias]` in wrangler.toml). It
 * validates the answers to forms; this service sends no forms, and validates everything else with Zod.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('no form is asked for here')
  }
}
