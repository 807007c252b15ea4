import { describe, expect, test } from 'vitest'

import { toolOf } from '../../../src/api/mcp/tools.ts'
import { BOOKING_FIELDS } from '../../../src/core/domain/booking-asks.ts'
import { settingsFrom } from '../../../src/core/settings.ts'
import { TOOLS } from '../../../src/practice/operations/index.ts'
import { PROMPTS } from '../../../src/practice/operations/prompts.ts'
import { servedDocuments } from '../../support/openapi.ts'

const practiceWith = (BOOKING_ASKS: string) => settingsFrom({ BOOKING_ASKS }).practice

const toolsOf = (asks: string) =>
  new Map(TOOLS.map((one) => [one.name, toolOf(one, practiceWith(asks))]))
const inputOf = (asks: string) =>
  toolsOf(asks).get('book_consult')!.inputSchema['properties'] as Record<string, object>

async function schemasOf(BOOKING_ASKS: string) {
  const { openApi } = await servedDocuments({ PUBLIC_URL: 'https://c.example', BOOKING_ASKS })
  return new Map(Object.entries(openApi.components.schemas))
}

describe('what a kind of consult asks is offered', () => {
  test('by no tool where no setting says so', () => {
    for (const field of BOOKING_FIELDS) expect(inputOf('')).not.toHaveProperty(field)
    const shown = JSON.stringify(toolsOf('').get('book_consult'))
    expect(shown).not.toMatch(/answers|phone/)
  })

  test.each(['answers', 'phone', 'location', 'answers,phone', ' phone , location '])(
    'by book_consult alone, and no more of it than the setting %j says',
    (asks) => {
      const wanted = asks.split(',').map((one) => one.trim())
      const offered = BOOKING_FIELDS.filter((field) => field in inputOf(asks))
      expect(offered).toEqual(BOOKING_FIELDS.filter((field) => wanted.includes(field)))
      const { book_consult: _without, ...others } = Object.fromEntries(toolsOf(''))
      const { book_consult: _with, ...same } = Object.fromEntries(toolsOf(asks))
      expect(JSON.stringify(same)).toBe(JSON.stringify(others))
    },
  )

  test('by the OpenAPI document in the schema of the request alone', async () => {
    const [without, all] = await Promise.all([schemasOf(''), schemasOf('answers,phone,location')])
    const differ = [...all.keys()].filter(
      (name) => JSON.stringify(all.get(name)) !== JSON.stringify(without.get(name)),
    )
    expect(differ).toEqual(['BookConsultRequest'])
    const fieldsOf = (name: string) => Object.keys(all.get(name)?.properties ?? {})
    expect(fieldsOf('BookConsultRequest')).toEqual(expect.arrayContaining([...BOOKING_FIELDS]))
    // Its preview may have them in any case: a kind may ask what no setting says.
    expect(fieldsOf('PreviewedBooking')).toEqual(expect.arrayContaining(['answers', 'phone']))
    for (const field of BOOKING_FIELDS)
      expect(without.get('BookConsultRequest')?.properties).not.toHaveProperty(field)
  })

  test('by the prompt that books, which never answers for the person', () => {
    const { text } = PROMPTS.find(({ name }) => name === 'book_a_consult')!
    expect(text({}, practiceWith(''))).toBe(text({}))
    expect(text({}, practiceWith('answers'))).toContain('never answer for me')
  })

  test('by no setting that names another field', () =>
    expect(() => settingsFrom({ BOOKING_ASKS: 'answers,shoe_size' })).toThrow('not_configured'))
})
