import { execFileSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The certificate for this machine, and its key. */
    ownCertificate: { cert: string; key: string }
  }
}

const folder = join(tmpdir(), `connector-certificate-${process.pid}`)
/** A certificate for this machine. workerd trusts it if `NODE_EXTRA_CA_CERTS` names it before miniflare is loaded. */
export const CERTIFICATE = join(folder, 'cert.pem')

/** Makes the certificate before the first file of the project. */
export default async function setup(project: TestProject) {
  const remove = () => rm(folder, { recursive: true, force: true })
  await remove()
  await mkdir(folder, { mode: 0o700 })
  const key = join(folder, 'key.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const files = ['-keyout', key, '-out', CERTIFICATE, '-days', '2']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    stdio: 'ignore',
  })
  project.provide('ownCertificate', { cert: CERTIFICATE, key })
  return remove
}
