/** A request as an example shows it. */
export interface SampleCall {
  method: string
  url: string
  /** Whether it needs a credential. */
  isOpen: boolean
  /** Whether it takes an idempotency key: the first call makes a new one, and `repeat` uses that again. */
  idempotency?: 'new' | 'repeat' | undefined
  headers?: Record<string, string>
  body?: unknown
  /** Whether the answer is JSON. */
  isJson: boolean
}

/**
 * How an example fits between others: the name of its answer, and what stands in place of values
 * that an earlier answer gave.
 */
export interface SampleFrame {
  answer?: string
  /** By the value in the body: what stands in its place, in each language. */
  instead?: Record<string, Sample>
  /** Whether an earlier example has what every program begins with. */
  isContinued?: boolean
}

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const
export type Sample = Record<(typeof LANGUAGES)[number], string>

const KEY_NAME = 'CONNECTOR_API_KEY'

/** The same request with curl, and in TypeScript and Python. */
export const samplesOf = (call: SampleCall, frame: SampleFrame = {}): Sample => ({
  curl: curlOf(call, frame),
  TypeScript: typeScriptOf(call, frame),
  Python: pythonOf(call, frame),
})

const needsBody = ({ body }: SampleCall): boolean => body !== undefined

function curlOf(call: SampleCall, { instead = {} }: SampleFrame): string {
  const { method, url, isOpen, idempotency, headers = {}, body } = call
  const isPlain = method === 'get' || (method === 'post' && needsBody(call))
  let sent = JSON.stringify(body, null, 2)?.replaceAll("'", `'\\''`)
  for (const [value, { curl }] of Object.entries(instead))
    sent = sent?.replaceAll(JSON.stringify(value), `"'"${curl}"'"`)
  const parts = [
    `curl ${isPlain ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    ...(isOpen ? [] : [`-H "Authorization: Bearer $${KEY_NAME}"`]),
    ...(idempotency ? ['-H "Idempotency-Key: $ID"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(sent === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${sent}'`]),
  ]
  const newKey = idempotency === 'new' ? 'ID=$(openssl rand -hex 16)\n' : ''
  return newKey + parts.join(' \\\n  ')
}

function typeScriptOf(call: SampleCall, { instead = {}, answer = 'answer' }: SampleFrame): string {
  const { method, url, isOpen, idempotency, headers = {}, body, isJson } = call
  const literal = literalIn({
    constants: { true: 'true', false: 'false', null: 'null' },
    keyOf: (name) => (/^\w+$/.test(name) ? name : `'${name}'`),
    textOf: (text) => instead[text]?.TypeScript ?? quotedText(text),
  })
  const sent = [
    ...(isOpen ? [] : [`Authorization: \`Bearer \${process.env.${KEY_NAME}}\``]),
    ...(idempotency ? [`'Idempotency-Key': id`] : []),
    ...Object.entries(headers).map(([name, value]) => `${quotedName(name)}: '${value}'`),
    ...(needsBody(call) ? [`'Content-Type': 'application/json'`] : []),
  ]
  const options = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    ...(sent.length === 0 ? [] : [`headers: {\n    ${sent.join(',\n    ')},\n  }`]),
    ...(needsBody(call) ? [`body: JSON.stringify(${literal(body, 1)})`] : []),
  ]
  const given = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`
  const newKey = idempotency === 'new' ? 'const id = crypto.randomUUID()\n' : ''
  const read = isJson ? 'json' : 'text'
  return `${newKey}const ${answer} = await fetch('${url}'${given}).then((response) => response.${read}())`
}

function pythonOf(
  call: SampleCall,
  { instead = {}, answer = 'answer', isContinued = false }: SampleFrame,
): string {
  const { method, url, isOpen, idempotency, headers = {}, body, isJson } = call
  const literal = literalIn({
    constants: { true: 'True', false: 'False', null: 'None' },
    keyOf: (name) => JSON.stringify(name),
    textOf: (text) => instead[text]?.Python ?? JSON.stringify(text),
  })
  const sent = [
    ...(isOpen ? [] : [`"Authorization": "Bearer " + os.environ["${KEY_NAME}"]`]),
    ...(idempotency ? ['"Idempotency-Key": key'] : []),
    ...Object.entries(headers).map(([name, value]) => `"${name}": "${value}"`),
  ]
  const given = [
    `"${url}"`,
    ...(sent.length === 0 ? [] : [`headers={\n        ${sent.join(',\n        ')},\n    }`]),
    ...(needsBody(call) ? [`json=${literal(body, 2)}`] : []),
  ]
  const modules = [...(isOpen ? [] : ['os']), ...(idempotency ? ['uuid'] : [])]
  const begin = [
    ...(isContinued ? [] : [...modules.map((name) => `import ${name}`), 'import requests', '']),
    ...(idempotency === 'new' ? ['key = str(uuid.uuid4())'] : []),
  ]
  const read = isJson ? 'json()' : 'text'
  const asked = `${answer} = requests.${method}(\n    ${given.join(',\n    ')},\n).${read}`
  return [...begin, asked].join('\n')
}

const quotedName = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)
const quotedText = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

interface Language {
  constants: Record<'true' | 'false' | 'null', string>
  keyOf(name: string): string
  textOf(text: string): string
}

/** Writes a JSON value as a literal of a language, which begins `depth` indents deep. */
function literalIn({ constants, keyOf, textOf }: Language) {
  const indent = (depth: number): string => '\n' + '  '.repeat(depth)
  const write = (value: unknown, depth: number): string => {
    if (typeof value === 'string') return textOf(value)
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'object' || value === null)
      return constants[String(value) as keyof typeof constants]
    const isList = Array.isArray(value)
    const items = Object.entries(value).map(([name, item]) => {
      const written = write(item, depth + 1)
      return isList ? written : `${keyOf(name)}: ${written}`
    })
    const [open, close] = isList ? '[]' : '{}'
    if (items.length === 0) return `${open}${close}`
    const inner = items.map((item) => `${indent(depth + 1)}${item},`).join('')
    return `${open}${inner}${indent(depth)}${close}`
  }
  return write
}
