import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Cleanup } from './cleanup.ts'
import { freePort, run, startChild, temporaryDirectory, until } from './processes.ts'

/**
 * The URL of a PostgreSQL: `PG_URL`, or a private cluster in a temporary directory that ends with the bench. Durable as
 * PostgreSQL is by default (fsync and synchronous_commit are on).
 */
export const openPostgres = async (cleanup: Cleanup): Promise<string> => {
  const given = process.env.PG_URL
  if (given === undefined) return startCluster(cleanup)
  const { hostname } = new URL(given)
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    throw new Error(`PG_URL names ${hostname}: the bench loads this machine only`)
  }
  return given
}

/** Lets PostgreSQL write what it put off, so that no measurement pays for the one before. */
export const checkpoint = async (url: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('CHECKPOINT')
  await client.end()
}

const startCluster = async (cleanup: Cleanup): Promise<string> => {
  const programs = programsDirectory()
  const { path } = temporaryDirectory(cleanup, 'postgres')
  const asUser = notRoot(path)
  await run(cleanup, [
    ...asUser,
    join(programs, 'initdb'),
    '-D',
    path,
    '-U',
    'bench',
    '-A',
    'trust',
    '--no-sync',
  ])
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${path}`,
    'shared_buffers=1GB',
    'max_connections=200',
  ]
  const options = settings.flatMap((setting) => ['-c', setting])
  // SIGINT is its fast shutdown: it does not wait for clients to leave.
  const child = startChild(cleanup, [...asUser, join(programs, 'postgres'), '-D', path, ...options], {
    stopSignal: 'SIGINT',
  })
  const url = `postgres://bench@127.0.0.1:${port}/postgres`
  await until(child, () => checkpoint(url).then(() => true))
  return url
}

/** Debian keeps the server's programs out of the path. */
const programsDirectory = (): string => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const directories = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  const found = directories.find((directory) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(directory, program))),
  )
  if (found === undefined) throw new Error('PostgreSQL is not installed: see bench/README.md, or set PG_URL')
  return found
}

/** PostgreSQL refuses to run as root: for root, the command prefix that runs a command as another user. */
const notRoot = (directory: string): readonly string[] => {
  if (process.getuid?.() !== 0) return []
  const passwd = readFileSync('/etc/passwd', 'utf8')
  const user = /^postgres:.*$/m.exec(passwd) ?? /^nobody:.*$/m.exec(passwd)
  const [, , uid, gid] = user?.[0].split(':') ?? []
  if (uid === undefined || gid === undefined) {
    throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
  }
  chownSync(directory, Number(uid), Number(gid))
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}
