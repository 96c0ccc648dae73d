import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cnpj } from './charge-body.ts'
import type { Cleanup } from './cleanup.ts'
import { inParallel } from './in-parallel.ts'
import {
  type Child,
  cpuTime,
  freePort,
  residentBytes,
  startChild,
  temporaryDirectory,
  until,
} from './processes.ts'
import type { Random } from './random.ts'
import type { Company, Journal, Target } from './target.ts'

/** A data directory with companies and keys, and nothing else. */
export type FreshData = {
  readonly path: string
  readonly companies: readonly Company[]
  readonly shards: number
}

/** Creates companies and keys. Every measurement then starts on a copy of the directory instead of creating them again. */
export const createCompanies = async (
  cleanup: Cleanup,
  {
    count,
    workers,
    random,
    scopes,
    daysAgo = 0,
  }: {
    readonly count: number
    readonly workers: number
    readonly random: Random
    /** The keys' scopes; by default those of a key that is created without any. */
    readonly scopes?: string
    /** The companies' age. No shard goes back in time: seeded data must be younger. */
    readonly daysAgo?: number
  },
): Promise<FreshData> => {
  const { path } = temporaryDirectory(cleanup, 'companies')
  const { child } = await openService(cleanup, path, workers, {}, clockBehind(daysAgo))
  const companies = await createCompaniesAt(path, count, random, scopes)
  await child.stop()
  return { path, companies, shards: shardsOf(path) }
}

/** Flags for Node, by which every thread's clock is behind. */
export const clockBehind = (days: number): readonly string[] =>
  days === 0
    ? []
    : [`--import=data:text/javascript,const now=Date.now;Date.now=()=>now()-${days * 86_400_000}`]

/** Creates companies and keys at a running service. */
export const createCompaniesAt = (
  dataDir: string,
  count: number,
  random: Random,
  scopes?: string,
): Promise<readonly Company[]> => {
  const names = Array.from({ length: count }, (_, n) => ({
    name: `Empresa ${n + 1} Ltda`,
    document: cnpj(random),
  }))
  return inParallel(operationsAtOnce, names, async (input) => {
    const { id } = await operate(dataDir, 'companies create', input)
    const key = { company: id, environment: 'sandbox', ...(scopes !== undefined && { scopes }) }
    const { secret } = await operate(dataDir, 'keys create', key)
    return { id: id!, secret: secret! }
  })
}

/** As many as the data directory was created with. */
export const shardsOf = (dataDir: string): number =>
  (JSON.parse(readFileSync(join(dataDir, 'format.json'), 'utf8')) as { shards: number }).shards

/** Starts the service on a copy of the data, with these flags for Node, and settings of its own. */
export const startService = async (
  cleanup: Cleanup,
  fresh: FreshData,
  workers: number,
  flags: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Target> => {
  const { path, remove } = temporaryDirectory(cleanup, 'service')
  cpSync(fresh.path, path, { recursive: true })
  const { child, origin } = await openService(cleanup, path, workers, settings, flags)
  return {
    origin,
    journal: () => readJournal(path),
    residentBytes: () => residentBytes(child.pid),
    cpuTime: () => cpuTime(child.pid),
    stop: async () => {
      await child.stop()
      await remove()
    },
  }
}

const program = resolve(import.meta.dirname, '../gateway/program/main.js')
/** The program for profiles: the bundle has many modules in one file. */
const unbundled = resolve(import.meta.dirname, '../gateway/runtime/main.js')
const operationsAtOnce = 4

/** The service on a data directory of the caller's, ready to serve. */
export const openService = async (
  cleanup: Cleanup,
  dataDir: string,
  workers: number,
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<{ child: Child; origin: string }> => {
  const port = await freePort()
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    WORKERS: String(workers),
    RATE_LIMIT: '0',
    RATE_LIMIT_EXPORT: '0',
    // As behind a proxy, or for clients that connect directly: the bare handler and the peers keep their connections too.
    KEEP_ALIVE: 'always',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const main = flags.includes('--cpu-prof') ? unbundled : program
  const child = startChild(cleanup, [process.execPath, '--v8-pool-size=1', ...flags, main, 'start'], { env })
  const origin = `http://127.0.0.1:${port}`
  await until(child, async () => (await fetch(`${origin}/readyz`)).status === 200)
  return { child, origin }
}

const readJournal = async (dataDir: string): Promise<Journal> => {
  const sumOf = await readMetrics(dataDir)
  return {
    commits: sumOf('payments_journal_commits_total'),
    entries: sumOf('payments_journal_entries_total'),
  }
}

/** Reads the metrics of the service on a data directory; the returned function sums one over its label sets. */
export const readMetrics = async (dataDir: string): Promise<(metric: string) => number> => {
  const page = await (await admin(dataDir, '/metrics')).text()
  return (metric) =>
    [...page.matchAll(new RegExp(`^${metric}(?:\\{.*\\})? (\\S+)`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    )
}

/** Performs a command of the command line, without a process for it. */
export const operate = async (
  dataDir: string,
  command: string,
  input: object,
): Promise<Record<string, string>> => {
  const body = JSON.stringify(input)
  const answer = await admin(dataDir, `/${command.replaceAll(' ', '/')}`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`${command} was answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

const admin = (dataDir: string, path: string, request: RequestInit = {}): Promise<Response> => {
  const { port, token } = JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8')) as {
    port: number
    token: string
  }
  return fetch(`http://127.0.0.1:${port}${path}`, {
    ...request,
    headers: { Authorization: `Bearer ${token}` },
  })
}
