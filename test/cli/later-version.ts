import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the later version has more: a column of the records, the setting whose value is kept there, and an operation. */
export const LATER = {
  column: 'added_note',
  setting: 'ADDED_NOTE',
  operation: 'create_prospect',
  path: '/v1/clients/prospects',
} as const

/** What is changed in each file: a text that is there once, and the text that takes its place. */
const CHANGES: Record<string, [before: string, after: string][]> = {
  'durable-objects/records.ts': [
    [
      'this.sql`CREATE INDEX IF NOT EXISTS links_of_record ON links (seq)`',
      `this.sql\`CREATE INDEX IF NOT EXISTS links_of_record ON links (seq)\`
    const { has } = ctx.storage.sql.exec("SELECT COUNT(*) AS has FROM pragma_table_info('records') " +
      "WHERE name = '${LATER.column}'").one()
    if (!has) ctx.storage.sql.exec('ALTER TABLE records ADD COLUMN ${LATER.column} TEXT')`,
    ],
    [
      `INSERT INTO records (key, kind, mode, value)
      VALUES (\${key}, \${kindOf(key)}, \${mode}, \${text}) ON`,
      `INSERT INTO records (key, kind, mode, value, ${LATER.column})
      VALUES (\${key}, \${kindOf(key)}, \${mode}, \${text}, \${this.env.${LATER.setting}}) ON`,
    ],
  ],
  'src/core/settings-schema.ts': [
    [
      '  MOCK_FAULTS:',
      `  ${LATER.setting}: z.string().default('').meta({ description: 'A note.' }),\n  MOCK_FAULTS:`,
    ],
  ],
  'src/practice/operations/index.ts': [
    [
      '  respondToBooking,\n]',
      `  respondToBooking,
  {
    ...createClientProfile,
    name: '${LATER.operation}',
    route: 'POST ${LATER.path}',
  },
]`,
    ],
  ],
  // A flow of the new operation has the next version: older code must not act on it.
  'src/core/confirm/record.ts': [['unknown[] = [1]', 'unknown[] = [1, 2]']],
  'src/core/confirm/machine.ts': [
    ['{ v: 1, ...fresh,', `{ v: fresh.operation === '${LATER.operation}' ? 2 : 1, ...fresh,`],
  ],
}

/** Makes of a clone the version after this one. */
export function makeLater(root: string): void {
  for (const [file, changes] of Object.entries(CHANGES)) {
    const path = join(root, file)
    let text = readFileSync(path, 'utf8')
    for (const [before, after] of changes) {
      if (text.split(before).length !== 2) throw new Error(`${file} has not once: ${before}`)
      text = text.replace(before, () => after)
    }
    writeFileSync(path, text)
  }
}
