import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cnpj } from './charge-body.ts'
import type { Cleanup } from './cleanup.ts'
import { inParallel } from './in-parallel.ts'
import {
  type Child,
  freePort,
  residentBytes,
  run,
  startChild,
  temporaryDirectory,
  until,
} from './processes.ts'
import type { Random } from './random.ts'
import type { Company, Journal, Target } from './target.ts'

/** A data directory in which nothing has happened but that companies and keys were created. */
export type FreshData = {
  readonly path: string
  readonly companies: readonly Company[]
  readonly shards: number
}

/**
 * Creates companies and keys through the command line, which takes long. Every measurement then starts on a copy of the
 * directory instead of creating them again.
 */
export const createCompanies = async (
  cleanup: Cleanup,
  {
    count,
    workers,
    random,
    scopes,
  }: {
    readonly count: number
    readonly workers: number
    readonly random: Random
    /** Of the keys; by default those of a key that is created without any. */
    readonly scopes?: string
  },
): Promise<FreshData> => {
  const { path } = temporaryDirectory(cleanup, 'companies')
  const { child } = await openService(cleanup, path, workers)
  const payments = async (...args: string[]): Promise<Record<string, string>> =>
    JSON.parse(
      await run(cleanup, [process.execPath, program, ...args, '--json'], { env: { DATA_DIR: path } }),
    )
  const names = Array.from({ length: count }, (_, n) => ({
    name: `Empresa ${n + 1} Ltda`,
    document: cnpj(random),
  }))
  const companies = await inParallel(commandsAtOnce, names, async ({ name, document }) => {
    const { id } = await payments('companies', 'create', '--name', name, '--document', document)
    const { secret } = await payments(
      ...['keys', 'create', '--company', id!, '--environment', 'sandbox'],
      ...(scopes === undefined ? [] : ['--scopes', scopes]),
    )
    return { id: id!, secret: secret! }
  })
  await child.stop()
  const { shards } = JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')) as { shards: number }
  return { path, companies, shards }
}

export const startService = async (cleanup: Cleanup, fresh: FreshData, workers: number): Promise<Target> => {
  const { path, remove } = temporaryDirectory(cleanup, 'service')
  cpSync(fresh.path, path, { recursive: true })
  const { child, origin } = await openService(cleanup, path, workers)
  return {
    origin,
    journal: () => readJournal(path),
    residentBytes: () => residentBytes(child.pid),
    stop: async () => {
      await child.stop()
      await remove()
    },
  }
}

const program = resolve(import.meta.dirname, '../gateway/main.js')
const commandsAtOnce = 4

/** The service on a data directory of the caller's, ready to serve. */
export const openService = async (
  cleanup: Cleanup,
  dataDir: string,
  workers: number,
): Promise<{ child: Child; origin: string }> => {
  const port = await freePort()
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    WORKERS: String(workers),
    RATE_LIMIT: '0',
    RATE_LIMIT_EXPORT: '0',
    LOG_LEVEL: 'warn',
  }
  const child = startChild(cleanup, [process.execPath, program, 'start'], { env })
  const origin = `http://127.0.0.1:${port}`
  await until(child, async () => (await fetch(`${origin}/readyz`)).status === 200)
  return { child, origin }
}

const readJournal = async (dataDir: string): Promise<Journal> => {
  const { port, token } = JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8')) as {
    port: number
    token: string
  }
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const page = await answer.text()
  return {
    commits: sumOf(page, 'payments_journal_commits_total'),
    entries: sumOf(page, 'payments_journal_entries_total'),
  }
}

/** Over all label sets of a metric on a Prometheus page. */
const sumOf = (page: string, metric: string): number =>
  [...page.matchAll(new RegExp(`^${metric}(?:\\{.*\\})? (\\S+)`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  )
