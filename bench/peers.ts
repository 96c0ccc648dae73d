import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Cleanup } from './cleanup.ts'
import type { FloorStep } from './floor-steps.ts'
import { cpuTime, freePort, residentBytes, startChild, temporaryDirectory, until } from './processes.ts'
import type { Company, Target } from './target.ts'

/**
 * The ceiling: as many threads as the service has workers, answering a constant of `answerBytes` with its head.
 */
export const startBareUws = (cleanup: Cleanup, workers: number, answerBytes: number): Promise<Target> =>
  start(cleanup, 'bare-uws', { WORKERS: String(workers), ANSWER_BYTES: String(answerBytes) })

/** A create without the domain, up to a step. */
export const startFloor = async (cleanup: Cleanup, upTo: FloorStep, answerBytes: number): Promise<Target> => {
  const { path, remove } = temporaryDirectory(cleanup, 'floor')
  const env = { UP_TO: upTo, ANSWER_BYTES: String(answerBytes), DATA_DIR: path }
  const target = await start(cleanup, 'floor', env)
  const stop = async (): Promise<void> => {
    await target.stop()
    await remove()
  }
  return { ...target, stop }
}

/** The processes of the peer over PostgreSQL, and the database connections of each. */
export type Spread = { readonly processes: number; readonly pool: number }

/** Starts the peer over PostgreSQL, with new tables. */
export const startFastifyPostgres = async (
  cleanup: Cleanup,
  { processes, pool }: Spread,
  { url, companies }: { readonly url: string; readonly companies: readonly Company[] },
): Promise<Target> => {
  const { path, remove } = temporaryDirectory(cleanup, 'peer')
  const file = join(path, 'companies.json')
  writeFileSync(file, JSON.stringify(companies), { mode: 0o600 })
  const env = { PG_URL: url, COMPANIES_FILE: file, PROCESSES: String(processes), POOL: String(pool) }
  const target = await start(cleanup, 'fastify-postgres', env)
  await remove()
  return target
}

/** A peer writes `ready` when all of its threads or processes listen. */
const start = async (
  cleanup: Cleanup,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<Target> => {
  const port = await freePort()
  const child = startChild(cleanup, [process.execPath, resolve(import.meta.dirname, `peers/${name}.js`)], {
    env: { ...env, PORT: String(port), NODE_ENV: 'production' },
  })
  await until(child, () => child.output().includes('ready'))
  return {
    origin: `http://127.0.0.1:${port}`,
    journal: async () => null,
    residentBytes: () => residentBytes(child.pid),
    cpuTime: () => cpuTime(child.pid),
    stop: child.stop,
  }
}
