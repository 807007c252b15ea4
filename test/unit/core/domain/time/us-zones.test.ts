import { expect, test } from 'vitest'

import { zoneSchema } from '../../../../../src/core/domain/time/time.ts'
import { usZoneMeant } from '../../../../../src/core/domain/time/us-zones.ts'

/** What each zone is called, between signs `|`. */
const NAMES: Record<string, string> = {
  'America/New_York':
    'EST|ET|est/edt|E.S.T.|Eastern Time|(UTC-05:00) Eastern Time (US & Canada)|East Coast|' +
    'America/NewYork|NYC|US/New_York|EST (UTC-5)|ET (New York)|us-east|America/Boston|' +
    'America/Washington_DC|eastern|east|edt|new york|new york city|detroit|boston|philadelphia|' +
    'washington dc|baltimore|atlanta|miami|orlando|tampa|charlotte|pittsburgh|cleveland|columbus|' +
    'cincinnati|raleigh|hartford|newark|jersey city|buffalo',
  'America/Chicago':
    'CST|CT|Central Time (US & Canada)|Central Prevailing Time|America/Houston|Dallas, TX|' +
    'St. Louis, MO|central|cdt|chicago|menominee|houston|dallas|austin|san antonio|minneapolis|' +
    'milwaukee|saint louis|st louis|kansas city|nashville|memphis|new orleans|omaha|oklahoma city',
  'America/Denver':
    'MST|MDT|MT|Mountain Standard Time|US Mountain Time|Denver|mountain|boise|salt lake city|' +
    'albuquerque',
  'America/Phoenix':
    'US Mountain Standard Time|Arizona|(GMT-07:00) Mountain Standard Time - Phoenix|phoenix|tucson|' +
    'mountain arizona|mountain phoenix',
  'America/Los_Angeles':
    'PST|PT|PST/PDT|(UTC-08:00) Pacific Time (US & Canada)|West Coast|LA|America/San_Francisco|' +
    'pacific|pdt|los angeles|san francisco|san diego|san jose|sacramento|seattle|las vegas|' +
    'california',
  'America/Anchorage':
    'AKST|Alaskan Standard Time|(UTC-09:00) Alaska|alaskan|alaska|akt|akdt|anchorage|juneau',
  'America/Adak': 'Aleutian Standard Time|(UTC-10:00) Aleutian Islands|aleutian|adak',
  'Pacific/Honolulu':
    'HST|Hawaiian Standard Time|Hawaii|Hawaii-Aleutian Standard Time|hawaiian|hast|hdt|' +
    'hawaii aleutian|honolulu',
  'America/Indiana/Indianapolis':
    'Indiana (East)|(UTC-05:00) Indiana (East)|Indianapolis|indiana|indiana east',
  'America/Puerto_Rico': 'AST|Puerto Rico|atlantic|san juan',
  'Pacific/Guam': 'ChST|Guam|chamorro',
  'Pacific/Pago_Pago': 'american samoa|sst|pago pago',
  UTC: 'z|universal time|coordinated universal|greenwich mean',
}

test.each(
  Object.entries(NAMES).flatMap(([zone, names]) => names.split('|').map((name) => [name, zone])),
)('%s means %s', (name, zone) => {
  expect(usZoneMeant(name!)).toBe(zone)
  const issues = zoneSchema.safeParse(name).error?.issues ?? []
  const said = issues.map((issue) =>
    issue.code === 'custom' ? String(issue.params?.['expected']) : '',
  )
  expect(said.join()).toMatch(new RegExp(`did you mean ${zone}\\?`, 'i'))
})

test.each([
  'Central European Standard Time',
  'Central America Standard Time (Mexico)',
  '(UTC+10:00) Eastern Time',
  'ET/PT',
])('%s is no name of a zone of the United States', (name) => {
  expect(usZoneMeant(name)).toBeUndefined()
})

const said = (zone: string): string =>
  zoneSchema
    .safeParse(zone)
    .error!.issues.map((issue) =>
      issue.code === 'custom' ? String(issue.params?.['expected']) : '',
    )
    .join()

test.each([
  // The words alone would mean Chicago, or Puerto Rico.
  ['Central America Standard Time', 'America/Guatemala'],
  ['(UTC-06:00) Central America', 'America/Guatemala'],
  ['Canada Central Standard Time', 'America/Regina'],
  // A letter or two are wrong.
  ['America/Chicgo', 'America/Chicago'],
  ['Amercia/New_York', 'America/New_York'],
  ['Asia/Mumbai', 'Asia/Kolkata'],
])('%s seems to mean %s', (name, zone) => expect(said(name)).toContain(`Did you mean ${zone}?`))

test.each(['GMT-5', 'UTC-05:00', '-05:00', '(GMT+1)', 'utc\u22128'])(
  '%s is told as an offset',
  (name) => expect(said(name)).toContain('An offset names no zone'),
)

test.each(['Mars/Olympus', 'America/Springfield', 'UTC-5', 'Local', 'x/y'])(
  '%s seems to mean no zone',
  (name) => expect(said(name)).not.toContain('Did you mean'),
)
