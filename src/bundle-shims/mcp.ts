import { preloadSchemas } from '@modelcontextprotocol/server'

/**
 * Stands in for what @modelcontextprotocol/server chooses by runtime in the bundle (`[alias]` in wrangler.toml): its JSON
 * Schema validator, which checks the answers to forms. This service asks for no form, and checks all else with Zod.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('no form is asked for here')
  }
}

// As the package itself does on Workers: schemas are built while an isolate starts, and not in its first request.
preloadSchemas()
