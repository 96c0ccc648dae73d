import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Service } from './service.ts'
import { until } from './service.ts'

/** The process that copies for a service. */
export type Writer = { readonly pid: number; readonly sleep: () => void; readonly wake: () => void }

/** Resolves when a service has a process that copies. It sleeps from then on, so that a backup is in the middle as long as a test needs. */
export const stoppedWriter = async ({ process: { pid } }: Service): Promise<Writer> => {
  let found: number | undefined
  await until(async () => {
    found = childrenOf(pid!).find((child) => commandOf(child).includes('backup/process.js'))
    return found !== undefined
  })
  process.kill(found!, 'SIGSTOP')
  return {
    pid: found!,
    sleep: () => process.kill(found!, 'SIGSTOP'),
    wake: () => process.kill(found!, 'SIGCONT'),
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
  )

const commandOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`)

/** Empty where a process has just ended. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const main = join(import.meta.dirname, '../../gateway/main.js')

/** The command line as somebody at a terminal has it: it runs until it ends or is told to. */
export const startCommand = (dataDir: string, ...args: string[]) => {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, DATA_DIR: dataDir } })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8')
  })
  child.stdout.resume()
  return {
    interrupt: () => child.kill('SIGINT'),
    ended: new Promise<{ code: number | null; errors: string }>((resolve) => {
      child.once('close', (code) => resolve({ code, errors }))
    }),
  }
}

export type Acknowledged = { readonly key: string; readonly id: string; readonly atMs: number }

/** Clients that create charges, each with a key of its own, until they are told to stop. */
export const startCharges = (call: Call, connections: number) => {
  const acknowledged: Acknowledged[] = []
  let running = true
  const client = async (name: number): Promise<void> => {
    for (let n = 0; running; n++) {
      const key = `pedido-${name}-${n}`
      const { status, body } = await call('POST', '/v1/pix/charges', chargeOf(key), {
        'Idempotency-Key': key,
      })
      if (status === 201) acknowledged.push({ key, id: body.id, atMs: Date.now() })
    }
  }
  const clients = Array.from({ length: connections }, (_, n) => client(n))
  return {
    acknowledged,
    reach: (count: number) => until(async () => acknowledged.length >= count),
    stop: async () => {
      running = false
      await Promise.all(clients)
    },
  }
}

export const chargeOf = (key: string) => ({ amount: 100, externalId: key })

/** Those that are not there, or whose keys are answered with something else now. */
export const missingAmong = async (
  call: Call,
  acknowledged: readonly Acknowledged[],
): Promise<readonly Acknowledged[]> => {
  const missing: Acknowledged[] = []
  const waiting = [...acknowledged]
  const look = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const again = await call('POST', '/v1/pix/charges', chargeOf(one.key), { 'Idempotency-Key': one.key })
      const isSame = again.body.id === one.id && again.headers.get('idempotent-replayed') === 'true'
      if (!isSame || (await call('GET', `/v1/pix/charges/${one.id}`)).status !== 200) missing.push(one)
    }
  }
  await Promise.all(Array.from({ length: 8 }, look))
  return missing
}

/** What a backup that came to nothing has left at its place and beside it. */
export const leftOf = (path: string): string[] => [path, `${path}.partial`].filter((left) => existsSync(left))
