import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AggregatorRegistry } from 'prom-client'
import type { DirectoryEvent } from '../engine/directory/directory.ts'
import { evolveDirectory, newDirectory } from '../engine/directory/evolve.ts'
import {
  type DataDirectory,
  DataDirectoryRefusal,
  isDataDirectory,
  openDataDirectory,
} from '../persistence/data-directory.ts'
import { openJournal } from '../persistence/journal.ts'
import { json } from '../persistence/layout.ts'
import { problemsOfNatsFiles } from '../persistence/nats/files.ts'
import { CommandFailure } from './admin/cli.ts'
import { createDemo } from './admin/demo.ts'
import { openAdminListener } from './admin/listener.ts'
import { openAccounts, openOperations } from './admin/operations.ts'
import { startCrew } from './crew.ts'
import { systemEntropy } from './entropy.ts'
import { newRateLimitMemory } from './http/rate-limit.ts'
import { whyNotUws } from './http/uws.ts'
import { openLog } from './log.ts'
import { openMesh } from './mesh.ts'
import { readSettings, type Settings } from './settings.ts'
import { vetEndpointUrl } from './webhooks/address.ts'
import { openResolver } from './webhooks/resolve.ts'

/** The main thread: the data directory, the directory of companies and keys, the workers, the admin listener. */
export async function start(): Promise<void> {
  const read = readSettings(process.env)
  const problems = read.ok ? problemsOfFiles(read.settings) : read.problems
  if (!read.ok || problems.length > 0) {
    for (const problem of problems) console.error(`payments: ${problem}`)
    process.exitCode = 1
    return
  }
  const { transport, workers, log, settings } = await chooseTransport(read.settings)
  const data = await openData(settings.dataDir, settings.shards, settings.workers)
  const masterKey = readMasterKey(data)
  const journal = openJournal<DirectoryEvent>(data.directoryPath, json(), {
    commits: 0,
    entries: 0,
    bytes: 0,
  })
  const directoryEvents = [...journal.replay(0)].map(({ record }) => record)
  const directory = directoryEvents.reduce(evolveDirectory, newDirectory())
  const crew = startCrew(
    {
      settings,
      shards: data.shards,
      transport,
      directoryEvents,
      rateLimitMemory: newRateLimitMemory(),
      exportRateLimitMemory: newRateLimitMemory(),
      masterKey,
    },
    workers,
    (message) => {
      log.fatal({ message }, 'a worker failed; the service stops')
      void crew.stop().then(() => process.exit(1))
    },
  )
  await crew.opened
  const router = openMesh({
    self: -1,
    workers,
    shards: data.shards,
    local: { tell: noShards, ask: noShards, serve: noShards },
    siblings: crew.ports,
  })
  for (const company of directory.companies.values()) await openAccounts(company, router)
  const commit = async (event: DirectoryEvent): Promise<void> => {
    await journal.settled(journal.append(event))
    evolveDirectory(directory, event)
    await crew.ask((ack) => ({ type: 'directory', event, ack }))
  }
  const resolveHost = openResolver()
  const operations = openOperations({
    directory,
    commit,
    router,
    realNow: Date.now,
    entropy: systemEntropy(),
    randomBytes,
    masterKey,
    readEndpointUrl: (text, environment) => vetEndpointUrl(text, environment, resolveHost),
  })
  const admin = await openAdminListener({
    port: settings.adminPort,
    dataDir: settings.dataDir,
    token: randomBytes(32).toString('base64url'),
    operations,
    metrics: async () => {
      const registries = await crew.ask((ack) => ({ type: 'metrics', ack }))
      return AggregatorRegistry.aggregate(registries as object[]).metrics()
    },
    onFault: (error) => log.error({ err: error }, 'an admin operation failed'),
  })
  const demo = data.isNew && settings.demo ? await createDemo(operations) : null
  const port = await crew.listen()
  const origin = `${settings.tls ? 'https' : 'http'}://${settings.host}:${port}`
  log.info({ origin, workers, shards: data.shards, transport, dataDir: settings.dataDir }, 'serving')
  if (demo !== null) console.log(demo(origin))

  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping')
    await crew.stop()
    await admin.close()
    await journal.close()
    await data.release()
    log.info('stopped')
    process.exit(0)
  }
  process.once('SIGTERM', (signal) => void stop(signal))
  process.once('SIGINT', (signal) => void stop(signal))
}

const problemsOfFiles = ({ nats }: Settings): readonly string[] =>
  nats === null ? [] : problemsOfNatsFiles(nats)

async function chooseTransport(settings: Settings) {
  const log = openLog(settings)
  const reason = settings.transport === 'node' ? 'TRANSPORT=node' : await whyNotUws()
  if (reason === null) return { transport: 'uws', workers: settings.workers, log, settings } as const
  if (settings.transport === 'uws') throw new CommandFailure(`TRANSPORT=uws cannot be used: ${reason}`)
  log.warn({ reason }, 'serving over node:http with one worker: slower than the native transport')
  return { transport: 'node', workers: 1, log, settings } as const
}

const noShards = (): Promise<never> => Promise.reject(new Error('the main thread owns no shard'))

/** The key that seals endpoint secrets, made at the first start. */
function readMasterKey(data: DataDirectory): Buffer {
  const file = join(data.path, 'master.key')
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  return Buffer.from(readFileSync(file, 'utf8'), 'base64')
}

async function openData(path: string, shards: number | null, newShards: number): Promise<DataDirectory> {
  try {
    return await openDataDirectory(path, shards, newShards)
  } catch (error) {
    throw error instanceof DataDirectoryRefusal ? new CommandFailure(error.message) : error
  }
}

/** Prints what it finds in a data directory that no service uses; resolves to whether it is sound. */
export async function verify(dataDir: string, json: boolean): Promise<boolean> {
  if (!isDataDirectory(resolve(dataDir))) throw new CommandFailure(`${dataDir} is not a data directory`)
  const data = await openData(resolve(dataDir), null, 1)
  const { verifyDataDirectory } = await import('../persistence/verify.ts')
  const report = await verifyDataDirectory(data)
  await data.release()
  if (json) console.log(JSON.stringify(report))
  else {
    for (const problem of report.problems) console.log(`PROBLEM ${problem}`)
    console.log(`${report.shards} shards, ${report.entries} entries, ${report.transactions} transactions`)
    console.log(report.problems.length === 0 ? 'sound' : `${report.problems.length} problems`)
  }
  return report.problems.length === 0
}
