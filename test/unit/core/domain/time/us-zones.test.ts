import { expect, test } from 'vitest'

import { zoneSchema } from '../../../../../src/core/domain/time/time.ts'
import { usZoneMeant } from '../../../../../src/core/domain/time/us-zones.ts'

const NAMES: Record<string, string[]> = {
  'America/New_York': [
    'EST',
    'EDT',
    'ET',
    'est/edt',
    'E.S.T.',
    'Eastern',
    'Eastern Time',
    'EASTERN STANDARD TIME',
    'Eastern Daylight Time',
    'US Eastern Standard Time',
    'Eastern Time (US & Canada)',
    '(UTC-05:00) Eastern Time (US & Canada)',
    'Eastern Time (ET)',
    'ET - Eastern Time',
    'U.S. Eastern',
    'East Coast',
    'New York',
    'new_york',
    'America/New York',
    'America/NewYork',
    'NYC',
    'US/New_York',
  ],
  'America/Chicago': [
    'CST',
    'CDT',
    'CT',
    'Central Standard Time',
    'Central Time (US & Canada)',
    'Chicago',
    'Central Prevailing Time',
  ],
  'America/Denver': ['MST', 'MDT', 'MT', 'Mountain Standard Time', 'US Mountain Time', 'Denver'],
  'America/Phoenix': [
    'US Mountain Standard Time',
    'Arizona',
    '(UTC-07:00) Arizona',
    'Mountain Time (Arizona)',
    'Phoenix',
  ],
  'America/Los_Angeles': [
    'PST',
    'PDT',
    'PT',
    'PST/PDT',
    'Pacific Standard Time',
    'Pacific Daylight Saving Time',
    '(UTC-08:00) Pacific Time (US & Canada)',
    'West Coast',
    'Los Angeles',
    'LosAngeles',
  ],
  'America/Anchorage': [
    'AKST',
    'AKDT',
    'Alaskan Standard Time',
    'Alaska Time',
    '(UTC-09:00) Alaska',
  ],
  'America/Adak': ['Aleutian Standard Time', '(UTC-10:00) Aleutian Islands'],
  'Pacific/Honolulu': ['HST', 'Hawaiian Standard Time', 'Hawaii', 'Hawaii-Aleutian Standard Time'],
  'America/Indiana/Indianapolis': ['Indiana (East)', '(UTC-05:00) Indiana (East)', 'Indianapolis'],
  'America/Puerto_Rico': ['AST', 'Puerto Rico'],
  'Pacific/Guam': ['ChST', 'Guam'],
}

test.each(Object.entries(NAMES).flatMap(([zone, names]) => names.map((name) => [name, zone])))(
  '%s means %s',
  (name, zone) => {
    expect(usZoneMeant(name!)).toBe(zone)
    const issues = zoneSchema.safeParse(name).error?.issues ?? []
    const said = issues.map((issue) =>
      issue.code === 'custom' ? String(issue.params?.['expected']) : '',
    )
    expect(said.join()).toMatch(new RegExp(`did you mean ${zone}\\?`, 'i'))
  },
)

test.each([
  'Central European Standard Time',
  'Central America Standard Time (Mexico)',
  'Pacific Standard Time (Mexico)',
  'West Pacific Standard Time',
  'Central Pacific Standard Time',
  'SA Eastern Standard Time',
  'E. Australia Standard Time',
  'Canada Regina',
  'IST',
  'BST',
  'GMT-5',
  'UTC-05:00',
  '',
  ' ',
  'time',
  'US & Canada',
  'x'.repeat(5000),
])('%s is no name of a zone of the United States', (name) => {
  expect(usZoneMeant(name)).toBeUndefined()
})
