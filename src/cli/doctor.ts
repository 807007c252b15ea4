import type { Finding } from '../admin/doctor.ts'
import { ownerArguments, runCommand } from './owner-api.ts'

await runCommand(async () => {
  const { api } = ownerArguments()
  const { findings } = (await api.get('/v1/doctor')) as { findings: Finding[] }
  const width = Math.max(...findings.map(({ check }) => check.length))
  for (const { check, ok, detail } of findings)
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(width)}  ${detail}`)
  const failed = findings.filter(({ ok }) => !ok).length
  console.log(failed === 0 ? '\nAll is well.' : `\n${failed} of ${findings.length} checks failed.`)
  if (failed > 0) process.exitCode = 1
})
