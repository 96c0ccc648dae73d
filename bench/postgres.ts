import { existsSync, readdirSync } from 'node:fs'
import { chown } from 'node:fs/promises'
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
  const directory = await temporaryDirectory(cleanup, 'postgres')
  const asUser = await notRoot(directory)
  await run([...asUser, join(programs, 'initdb'), '-D', directory, '-U', 'bench', '-A', 'trust', '--no-sync'])
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${directory}`,
    'shared_buffers=1GB',
    'max_connections=200',
  ]
  startChild(
    cleanup,
    [
      ...asUser,
      join(programs, 'postgres'),
      '-D',
      directory,
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { stopSignal: 'SIGINT' },
  )
  const url = `postgres://bench@127.0.0.1:${port}/postgres`
  await until('PostgreSQL answers', () => checkpoint(url))
  return url
}

/** Debian keeps the server's programs out of the path. */
const programsDirectory = (): string => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const directories = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions.map((name) => join(debian, name, 'bin')),
  ]
  const found = directories.find(
    (name) => existsSync(join(name, 'initdb')) && existsSync(join(name, 'postgres')),
  )
  if (found === undefined) throw new Error('no PostgreSQL here: install postgresql-15, or set PG_URL')
  return found
}

/** PostgreSQL refuses to run as root: for root, the words that run a command as somebody else. */
const notRoot = async (directory: string): Promise<string[]> => {
  if (process.getuid?.() !== 0) return []
  const ids = await run(['getent', 'passwd', 'postgres', 'nobody']).catch(
    (error: Error & { stdout?: string }) => error.stdout ?? '',
  )
  const [, , uid, gid] = ids.split('\n')[0]?.split(':') ?? []
  if (!uid || !gid) throw new Error('PostgreSQL does not run as root and there is no user postgres or nobody')
  await chown(directory, Number(uid), Number(gid))
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}
