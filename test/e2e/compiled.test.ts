// @module-tag slow

import { build } from 'esbuild'
import { Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { expect, onTestFinished, test } from 'vitest'

import { workerOptions } from '../../src/cli/local.ts'
import { PROJECT_ROOT } from '../../src/cli/wrangler.ts'

/** A Worker that names the operations of which a schema that should be compiled was not: while it starts, and in a request. */
const ENTRY = `
import * as z from 'zod'
import { fast, compiledSchemasOf } from './src/practice/operations/schemas.ts'
import { OPERATIONS } from './src/practice/operations/index.ts'
import './src/practice/operations/perform.ts'

const schemas = OPERATIONS.flatMap((one) => compiledSchemasOf(one).map((schema) => [one.name, schema]))
const names = (isCompiled) => schemas.filter(([, schema]) => !isCompiled(schema)).map(([name]) => name)
export default {
  fetch: () =>
    Response.json({
      all: schemas.length,
      atStart: names((schema) => fast(schema) !== schema),
      inRequest: names((schema) => z.compile(schema) !== schema),
    }),
}`

test('workerd compiles the schema of every request while it starts, and none in a request', async () => {
  const { compatibilityDate, compatibilityFlags } = (await workerOptions()) as {
    compatibilityDate?: string
    compatibilityFlags?: string[]
  }
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: PROJECT_ROOT, loader: 'ts' },
    alias: { '@modelcontextprotocol/server/_shims': './src/app/bundle-shims/unused.ts' },
    bundle: true,
    format: 'esm',
    write: false,
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  })
  const modules = [{ type: 'ESModule' as const, path: 'entry.js', contents: outputFiles[0]!.text }]
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'entry',
      modules,
      ...(compatibilityDate !== undefined && { compatibilityDate }),
      ...(compatibilityFlags && { compatibilityFlags }),
    }),
  )
  onTestFinished(() => miniflare.dispose())
  const answer = await miniflare.dispatchFetch('http://127.0.0.1/')
  const { all, atStart, inRequest } = (await answer.json()) as Record<string, string[]>
  expect(all).toBeGreaterThan(15)
  expect(atStart).toEqual([])
  expect(inRequest).toHaveLength(Number(all))
})
