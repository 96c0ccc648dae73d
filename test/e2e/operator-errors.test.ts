import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { openSmallDisk } from '../cluster/small-disk.ts'
import { localhostRsaTls, localhostTls } from '../localhost-tls.ts'
import { newDataDir, refusedStart, startService } from './service.ts'

const env = { DEMO: 'false', WORKERS: '1', TRANSPORT: 'node', HOST: '127.0.0.1' }

/** Everything in a directory, by path. */
const contentOf = (path: string): readonly string[] =>
  existsSync(path) ? (readdirSync(path, { recursive: true }) as string[]).sort() : []

/** What an operator must see of a start that cannot be: one line on what to do, and nothing else. */
const oneLine = (text: string): RegExp => new RegExp(`^payments: .*${text}.*\n$`)

t.test('a file that a setting names is tried before anything is written', async (t) => {
  const dataDir = newDataDir(t)
  const junk = `${dataDir}-junk.pem`
  writeFileSync(junk, 'junk')
  t.teardown(() => rmSync(junk))
  const { certFile, keyFile } = localhostTls
  const wrong: readonly (readonly [certFile: string, keyFile: string, said: string])[] = [
    ['/nowhere.pem', keyFile, 'TLS_CERT_FILE: ENOENT'],
    [certFile, '/nowhere.pem', 'TLS_KEY_FILE: ENOENT'],
    [dataDir, keyFile, 'TLS_CERT_FILE: EISDIR'],
    [junk, keyFile, 'TLS_CERT_FILE does not hold certificates in PEM'],
    [certFile, junk, 'TLS_KEY_FILE does not hold a private key in PEM'],
    [
      localhostRsaTls.certFile,
      keyFile,
      'TLS_CERT_FILE does not hold a certificate for the key of TLS_KEY_FILE',
    ],
  ]
  for (const [TLS_CERT_FILE, TLS_KEY_FILE, said] of wrong) {
    const { code, output } = await refusedStart({ ...env, DATA_DIR: dataDir, TLS_CERT_FILE, TLS_KEY_FILE })
    t.match(output, oneLine(said))
    t.equal(code, 1)
  }
  t.strictSame(contentOf(dataDir), [])
})

t.test('a data directory that cannot be used ends in one line, and nothing is written', async (t) => {
  const dataDir = newDataDir(t)
  const service = await startService(t, { dataDir, env })
  await service.kill('SIGTERM')
  const before = contentOf(dataDir)
  for (const name of ['shards', 'shards/00', 'shards/00/journal', 'shards/00/state', 'directory']) {
    const place = join(dataDir, name)
    renameSync(place, `${dataDir}-aside`)
    writeFileSync(place, 'not this')
    const { code, output } = await refusedStart({ ...env, DATA_DIR: dataDir })
    t.match(output, oneLine(`${name} must be a directory, and is none: move what is there away`))
    t.equal(code, 1)
    rmSync(place)
    renameSync(`${dataDir}-aside`, place)
    t.strictSame(contentOf(dataDir), before)
  }
  for (const name of ['format.json', 'master.key', 'directory/data.mdb', 'shards/00/journal/data.mdb']) {
    const place = join(dataDir, name)
    renameSync(place, `${dataDir}-aside`)
    mkdirSync(place)
    const { code, output } = await refusedStart({ ...env, DATA_DIR: dataDir })
    t.match(output, oneLine(`${name} must be a file, and is none: move what is there away`))
    t.equal(code, 1)
    rmSync(place, { recursive: true })
    renameSync(`${dataDir}-aside`, place)
  }
  const key = join(dataDir, 'master.key')
  renameSync(key, `${dataDir}-aside`)
  writeFileSync(key, 'c2hvcnQ=\n')
  const short = await refusedStart({ ...env, DATA_DIR: dataDir })
  t.match(short.output, oneLine('master.key is not a master key: 32 bytes in base64'))
  renameSync(`${dataDir}-aside`, key)
  writeFileSync(join(dataDir, 'directory/data.mdb'), Buffer.alloc(10_000, 1))
  const damaged = await refusedStart({ ...env, DATA_DIR: dataDir })
  t.match(
    damaged.output,
    oneLine('directory/data.mdb is damaged: .*. Restore the data directory from a backup'),
  )
  t.equal(damaged.code, 1)
  t.strictSame(contentOf(dataDir), before)
})

t.test('a place where no data directory can be made ends in one line', async (t) => {
  const file = join(newDataDir(t), 'file')
  writeFileSync(file, '')
  const disk = await openSmallDisk(t)
  disk.fill(4)
  const places = [
    [file, 'file must be a directory, and is none: move what is there away'],
    [
      join(file, 'data'),
      'file/data cannot be made: something above it is no directory; set another DATA_DIR',
    ],
    ['/proc/payments', '/proc/payments cannot be made: .*; set another DATA_DIR'],
    [disk.path, 'has 4 MiB left: nothing is written until it has 48 MiB'],
  ] as const
  for (const [dataDir, text] of places) {
    const { code, output } = await refusedStart({ ...env, DATA_DIR: dataDir })
    t.match(output, oneLine(text))
    t.equal(code, 1)
  }
  t.strictSame(contentOf(disk.path), ['filler'])
})

t.test('an address that cannot be listened on ends in one line, before anything is made', async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => server.close())
  const port = String((server.address() as AddressInfo).port)
  const dataDir = newDataDir(t)
  const wrong = [
    [
      { PORT: port },
      `PORT=${port} is in use on 127.0.0.1: end the process that listens there, or set another port`,
    ],
    [{ ADMIN_PORT: port }, `ADMIN_PORT=${port} is in use on 127.0.0.1`],
    [{ HOST: '203.0.113.7' }, 'HOST=203.0.113.7 is not an address of this machine'],
  ] as const
  for (const [settings, text] of wrong) {
    const { code, output } = await refusedStart({ ...env, DATA_DIR: dataDir, ...settings })
    t.match(output, oneLine(text))
    t.equal(code, 1)
  }
  t.strictSame(contentOf(dataDir), [])
})

const main = join(import.meta.dirname, '../../gateway/program/main.js')

/** Starts the service from a shell that sets limits first. */
const startedWith = (
  shell: string,
  settings: Record<string, string>,
): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve) => {
    const child = spawn('sh', ['-c', `${shell} exec "${process.execPath}" "${main}" start`], {
      env: { ...process.env, ...env, PORT: '0', ...settings },
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    child.once('exit', (code) => resolve({ code, output }))
  })

t.test('too few file descriptors and too small a heap end in one line with what is needed', async (t) => {
  const dataDir = newDataDir(t)
  const descriptors = await startedWith('ulimit -n 64;', { DATA_DIR: dataDir })
  t.match(descriptors.output, oneLine('64 file descriptors are too few: 262 are needed'))
  t.equal(descriptors.code, 1)
  const more = await startedWith('ulimit -n 300;', { DATA_DIR: dataDir, SHARDS: '24' })
  t.match(more.output, oneLine('300 file descriptors are too few: 400 are needed'))
  const heap = await startedWith('', { DATA_DIR: dataDir, NODE_OPTIONS: '--max-old-space-size=48' })
  t.match(heap.output, oneLine('a heap of 48 MiB is too small: each thread needs at least 96'))
  t.equal(heap.code, 1)
  t.strictSame(contentOf(dataDir), [])
})
