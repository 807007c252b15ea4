import { describe, expect, test } from 'vitest'
import { toolOf } from '../../../src/mcp/tools.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { settingsFrom } from '../../../src/settings.ts'

const toolsOf = (settings: Record<string, string>) => {
  const { practice } = settingsFrom(settings)
  return OPERATIONS.map((operation) => toolOf(operation, practice))
}

const inputs = (settings: Record<string, string>) =>
  toolsOf(settings).map(({ name, inputSchema }) => ({
    name,
    required: inputSchema['required'] as string[] | undefined,
    properties: inputSchema['properties'] as Record<string, { default?: unknown; examples?: unknown[] }>,
  }))

describe('the input of a tool', () => {
  test('names the zone of the practice as the default', () => {
    for (const zone of ['Europe/Lisbon', 'America/New_York']) {
      const [availability] = inputs({ PRACTICE_TIMEZONE: zone })
      expect(availability?.properties['timezone']?.default).toBe(zone)
    }
    expect(JSON.stringify(toolsOf({ PRACTICE_TIMEZONE: 'Europe/Lisbon' }))).not.toContain(
      '"default":"America/New_York"',
    )
  })

  test('of a change begins with a preview, says so, and still has to say it', () => {
    for (const { name, properties, required } of inputs({}).slice(1)) {
      expect([name, properties['confirm']?.default]).toEqual([name, false])
      expect(required).toContain('confirm')
      expect(properties['idempotency_key']?.examples).toEqual([
        expect.stringContaining(name.replaceAll('_', '-')),
      ])
    }
  })
})
