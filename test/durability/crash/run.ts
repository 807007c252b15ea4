import { join } from 'node:path'

import { buildWorker } from '../../../src/cli/local.ts'
import { optionsOf } from '../../support/options.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { campaign, type Report } from './campaign.ts'
import { flowsIn, tableOf, total } from './report.ts'

const values = optionsOf({
  seed: { type: 'string' },
  kills: { type: 'string' },
  quiet: { type: 'boolean' },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const kills = Number(values.kills ?? 112)
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error('--kills takes a number from 1 on, --seed a whole number.')
  process.exit(2)
}
const started = Date.now()
console.log(
  `Crash test: ${kills} kills, seed ${seed}. Again: npm run test:crash -- --seed ${seed} --kills ${kills}`,
)

// An interrupted run leaves no process and no file behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const builds = temporaryFolder()
try {
  const [one, other] = [
    await buildWorker({ outdir: join(builds.path, 'one') }),
    await buildWorker({ outdir: join(builds.path, 'other') }),
  ]
  const share = (part: number) => Math.max(1, Math.round(kills * part))
  const plans = [
    { provider: 'calendly', style: 'payment_link', kills: share(0.35), deploys: 4, alarms: 1 },
    { provider: 'calcom', style: 'payment_link', kills: share(0.35), deploys: 3, alarms: 1 },
    { provider: 'calendly', style: 'hosted_invoice', kills: share(0.15), deploys: 1, alarms: 0 },
    { provider: 'calcom', style: 'hosted_invoice', kills: share(0.15), deploys: 1, alarms: 0 },
  ] as const
  const scripts = [one.script, other.script] as const
  const run = (index: number): Promise<Report> => {
    const plan = plans[index]!
    const name = `${plan.provider}, ${plan.style}`
    const say = (line: string) => values.quiet || console.log(`${name}: ${line}`)
    return campaign({ ...plan, seed: seed + index, scripts, say })
  }
  // Two at a time: most of their time they wait.
  const reports = [
    ...(await Promise.all([run(0), run(1)])),
    ...(await Promise.all([run(2), run(3)])),
  ]
  const { counts, wrong } = total(reports)
  console.log(`\n${tableOf(counts)}\n`)
  for (const what of wrong) console.log(`WRONG: ${what}`)
  const between = counts['kills between intent and outcome'] ?? 0
  const enough = (counts['kills'] ?? 0) >= 100 && between >= 60
  const tooFew = values.kills === undefined && !enough
  if (tooFew) console.log('TOO FEW: at least 100 kills, 60 of them between.')
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(
    `${counts['kills'] ?? 0} kills, ${flowsIn(counts)} flows, ${wrong.length} broken promises, ${seconds} s`,
  )
  process.exitCode = wrong.length > 0 || tooFew ? 1 : 0
} finally {
  builds.remove()
}
