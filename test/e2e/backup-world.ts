import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { type AccountId, accountIdOf, type CompanyId } from '../../engine/shared/ids.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { openStoredDirectory } from '../../persistence/home/data-directory.ts'
import { openFactLog } from '../../persistence/journal/fact-log.ts'
import { openJournal } from '../../persistence/journal/journal.ts'
import { type Answer, type Call, type Service, until } from './service.ts'

/** The process that copies for a service. */
export type Writer = { readonly pid: number; readonly sleep: () => void; readonly wake: () => void }

/** Resolves when a service has a process that copies. It sleeps from then on, so that a backup is in the middle as long as a test needs. */
export const stoppedWriter = async ({ process: { pid } }: Service): Promise<Writer> => {
  let found: number | undefined
  await until(async () => {
    found = childrenOf(pid!).find((child) => commandOf(child).includes('backup-process.js'))
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

const main = join(import.meta.dirname, '../../gateway/program/main.js')

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

/** What a command prints for people. */
export const printedBy = async (dataDir: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  })
  return stdout
}

export type Acknowledged = { readonly key: string; readonly id: string; readonly atMs: number }

/**
 * Clients that create charges, each with a key of its own, until they are told to stop. They pause between them unless more are waited for: what
 * happens meanwhile, such as the start of another node, is in the middle of them all the same.
 */
export const startCharges = (call: Call, connections: number) => {
  const acknowledged: Acknowledged[] = []
  let running = true
  let wanted = 0
  const client = async (name: number): Promise<void> => {
    for (let n = 0; running; n++) {
      if (acknowledged.length >= wanted) await new Promise((resolve) => setTimeout(resolve, unhurriedMs))
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
    reach: (count: number) => {
      wanted = Math.max(wanted, count)
      return until(async () => acknowledged.length >= count)
    },
    stop: async () => {
      running = false
      await Promise.all(clients)
    },
  }
}

const unhurriedMs = 25

export const chargeOf = (key: string) => ({ amount: 100, externalId: key })

/** Those that are not there; of the last ones also those whose keys are answered with something else. */
export const missingAmong = async (
  call: Call,
  acknowledged: readonly Acknowledged[],
): Promise<readonly Acknowledged[]> => {
  const found = new Set<string>()
  for (let page = 1, hasMore = true; hasMore; page++) {
    const { body } = await served(() => call('GET', `/v1/pix/charges?pageSize=200&page=${page}`))
    for (const { id } of body.data) found.add(id)
    hasMore = body.pagination.hasMore
  }
  const isReplayed = async ({ key, id }: Acknowledged): Promise<boolean> => {
    const { body, headers } = await served(() =>
      call('POST', '/v1/pix/charges', chargeOf(key), { 'Idempotency-Key': key }),
    )
    return body.id === id && headers.get('idempotent-replayed') === 'true'
  }
  const missing = acknowledged.filter(({ id }) => !found.has(id))
  for (const one of acknowledged.slice(-keysTried)) if (!(await isReplayed(one))) missing.push(one)
  return missing
}

const keysTried = 50

/** What a client that comes back later is answered: a node of a cluster on a busy machine may not be sure of its lease for a moment. */
const served = async (ask: () => Promise<Answer>): Promise<Answer> => {
  let answer = await ask()
  await until(async () => {
    if (answer.status !== 503) return true
    answer = await ask()
    return false
  })
  if (answer.status >= 400) throw new Error(`it answers ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** What the directory of a data directory says that no service uses. */
export const companiesIn = async (dataDir: string): Promise<readonly CompanyId[]> => {
  const log = openFactLog<DirectoryFact>(join(dataDir, 'directory'))
  const { companies } = log.follow(async () => undefined).reduce(evolveDirectory, newDirectory())
  await log.close()
  return [...companies.keys()]
}

/** Of companies: one in each environment. */
export const accountsOf = (companies: readonly CompanyId[]): readonly AccountId[] =>
  companies.flatMap((company) => environments.map((environment) => accountIdOf(company, environment)))

/** The accounts that its shards know. */
export const accountsIn = async (dataDir: string): Promise<readonly AccountId[]> => {
  const data = await openStoredDirectory(dataDir)
  const accounts = new Set<AccountId>()
  for (let number = 0; number < data.shards; number++) {
    const path = join(data.shardPath(number), 'journal')
    const journal = openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 })
    for (const { record } of journal.replay(0)) accounts.add(record.accountId)
    await journal.close()
  }
  await data.release()
  return [...accounts]
}

const environments = ['SANDBOX', 'PRODUCTION'] as const

/** What a backup that came to nothing has left at its place and beside it. */
export const leftOf = (path: string): string[] => [path, `${path}.partial`].filter((left) => existsSync(left))
