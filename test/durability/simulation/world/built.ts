import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'

import { buildSync } from 'esbuild'

/** Where src/practice/wiring says which adapter stands behind a port. */
export const WIRING_FILES = [
  '*/wiring/providers.ts',
  '*/wiring/objects.ts',
  '*/wiring/services.ts',
] as const

/**
 * A real object of durable-objects/, built so that names of the platform can be given to it. `given` are these names;
 * what is imported from `external` comes from `imports`. Each call makes a new module.
 */
export function builtObject<Exports>(
  file: string,
  external: readonly string[],
  imports: object,
  given: readonly string[],
): (...values: unknown[]) => Exports {
  const [built] = buildSync({
    entryPoints: [fileURLToPath(new URL(`../../../../durable-objects/${file}`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    external: ['cloudflare:workers', ...external],
  }).outputFiles
  const compiled = compileFunction(
    `return (${['module', 'require', ...given].join(', ')}) => {${built!.text}}`,
  ) as () => (...values: unknown[]) => void
  const whole = { DurableObject, ...imports }
  return (...values) => {
    const module = { exports: {} as Exports }
    compiled()(module, () => whole, ...values)
    return module.exports
  }
}

/** Stands for the class of the platform. */
class DurableObject {
  readonly ctx: unknown
  readonly env: unknown
  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx
    this.env = env
  }
}
