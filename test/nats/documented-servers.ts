import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import { natsServer } from '../../gateway/local-cluster/nats-server.ts'
import { portsFrom } from '../../gateway/local-cluster/ports.ts'
import { startProgram } from '../../gateway/local-cluster/process.ts'

const docs = resolve(import.meta.dirname, '../../../docs/cluster')
const hosts = ['n1', 'n2', 'n3'] as const

/** Three servers as `docs/cluster/nats-server.conf` describes them, with what `docs/cluster/secrets.sh` made. */
export type DocumentedServers = {
  readonly urls: readonly string[]
  readonly monitorUrls: readonly string[]
  /** The secret of a machine, and what all of them have. */
  readonly secret: (name: string) => string
  /** What the servers have logged. */
  readonly log: () => string
}

export const startDocumentedServers = async (t: Test): Promise<DocumentedServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'nats-docs-'))
  const secrets = join(folder, 'secrets')
  execFileSync(join(docs, 'secrets.sh'), [secrets, ...hosts])
  const ports = await portsFrom(0, 3 * hosts.length)
  const port = (kind: number, n: number): number => ports[kind * hosts.length + n]!
  const written = readFileSync(join(docs, 'nats-server.conf'), 'utf8')
  const logFile = (n: number): string => join(folder, `${hosts[n]}.log`)

  /** Of one machine: its folders, and ports of the loopback instead of names and ports of three machines. */
  const config = (n: number): string =>
    hosts
      .reduce((text, host, m) => text.replace(`${host}:6222`, `127.0.0.1:${port(1, m)}`), written)
      .replace('0.0.0.0:4222', `127.0.0.1:${port(0, n)}`)
      .replace('0.0.0.0:6222', `127.0.0.1:${port(1, n)}`)
      .replace('0.0.0.0:8222', `127.0.0.1:${port(2, n)}`)
      .replace('/var/lib/nats', join(folder, `data-${n}`))
      .replaceAll('/etc/nats/machine', join(secrets, hosts[n]!))
      .replaceAll('/etc/nats', secrets)

  const servers = hosts.map((host, n) => {
    mkdirSync(join(folder, `data-${n}`))
    const file = join(secrets, `${host}.conf`)
    writeFileSync(file, config(n))
    const env = { ...process.env, SERVER_NAME: host }
    return startProgram([natsServer(), '-c', file], { env, logFile: logFile(n) })
  })
  t.teardown(async () => {
    await Promise.all(servers.map((server) => server.stop(5000)))
    rmSync(folder, { recursive: true, force: true })
  })
  const monitorUrls = hosts.map((_, n) => `http://127.0.0.1:${port(2, n)}`)
  for (const [n, url] of monitorUrls.entries())
    while (!(await isHealthy(url))) {
      if (!servers[n]!.isRunning()) throw new Error(readFileSync(logFile(n), 'utf8'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  return {
    urls: hosts.map((_, n) => `tls://127.0.0.1:${port(0, n)}`),
    monitorUrls,
    secret: (name) => join(secrets, name),
    log: () => hosts.map((_, n) => readFileSync(logFile(n), 'utf8')).join('\n'),
  }
}

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`)).ok
  } catch {
    return false
  }
}
