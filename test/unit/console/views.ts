import type { HomeView, OwnerItem } from '../../../src/console/home.ts'
import { NO_RULES, type Rules } from '../../../src/domain/house-rules.ts'

/** Tuesday, November 24, 2026, 3:40 PM in New York. */
export const NOW = Date.parse('2026-11-24T20:40:00Z')

export const RULES: Rules = {
  paused: false,
  operations: ['book_consult', 'reschedule_booking'],
  max_link: { usd: 50_000 },
  hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
  changes_a_day: 100,
  approval: null,
}

export const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`

export const item = (more: Partial<OwnerItem> = {}): OwnerItem => ({
  id: 'one',
  name: 'Claude',
  since: Date.parse('2026-11-01T15:00:00Z'),
  lastUsedOn: '2026-11-23',
  scopes: ['availability:read'],
  ended: false,
  ...more,
})

/** A page with nothing on it, and what a test wants there. */
export const view = (more: Partial<HomeView> = {}): HomeView => ({
  rules: [],
  apps: [],
  keys: [],
  passkeys: [],
  modes: { scheduling: 'live', payments: 'mock' },
  csrf: 'the-secret-of-the-form',
  address: 'https://connector.example.com/mcp',
  done: undefined,
  refused: undefined,
  clock: { now: NOW, zone: 'America/New_York' },
  ...more,
})

/** A page on which there is something of everything. */
export const fullView = (): HomeView =>
  view({
    rules: [
      { caller: '*', rules: RULES, pausedSince: null },
      { caller: 'key:two', rules: { ...NO_RULES, paused: true, max_link: { usd: 1000 } }, pausedSince: NOW },
    ],
    apps: [item({ host: 'claude.ai', caller: 'oauth:owner:app_one' })],
    keys: [
      item({ id: 'two', name: 'Front desk', caller: 'key:two' }),
      item({ id: 'three', name: 'Old', ended: true, end: { word: 'revoked', at: NOW }, scopes: [] }),
    ],
    passkeys: [item({ name: 'Passkey 1', scopes: [], stays: 'It stays.' })],
  })
