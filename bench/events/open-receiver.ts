import { resolve } from 'node:path'
import type { Cleanup } from '../cleanup.ts'
import { freePort, startChild, until } from '../processes.ts'
import type { Report } from './report.ts'

/** The receiver's process. */
export type Receiver = {
  readonly origin: string
  /** How many deliveries it has heard, each counted once. */
  readonly count: () => Promise<number>
  readonly report: () => Promise<Report>
}

export const openReceiver = async (cleanup: Cleanup): Promise<Receiver> => {
  const port = await freePort()
  const program = resolve(import.meta.dirname, 'receiver.js')
  const child = startChild(cleanup, [process.execPath, program], { env: { PORT: String(port) } })
  const origin = `http://127.0.0.1:${port}`
  const ask = async (path: string): Promise<unknown> => (await fetch(origin + path)).json()
  const count = async () => Number(await ask('/count'))
  await until(child, async () => (await count()) === 0)
  return { origin, count, report: async () => (await ask('/report')) as Report }
}
