import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import { blocksOf, readDocument } from '../docs/documents.ts'
import { newDataDir } from './service.ts'

const root = resolve(import.meta.dirname, '../../..')

/** The commands of the page about installing that delete what is not needed. */
const leanCommands = (): string =>
  blocksOf(readDocument('en/installing.md')).find(({ fileName }) => fileName === 'lean.sh')!.text

/** Runs the HEALTHCHECK of the image. Says its exit code. */
const healthcheck = (env: NodeJS.ProcessEnv): number | null => {
  const [, command] = /^HEALTHCHECK .*\n {2}CMD (\[.*\])$/m.exec(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
  )!
  const [program, ...args] = JSON.parse(command!) as string[]
  return spawnSync(program!, args, { env: { ...process.env, ...env } }).status
}

const megabytesOf = (folder: string): number =>
  Number.parseInt(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }), 10)

t.test('the packed package starts where it is installed, without what this project overrides', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [packed] = JSON.parse(
    npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  ) as {
    filename: string
    files: { path: string }[]
  }[]
  t.strictSame(
    packed!.files.filter(({ path }) =>
      /^(dist\/(test|bench)|docs\/cluster\/secrets\/)|\.map$|\.d\.ts$/.test(path),
    ),
    [],
    'it holds what runs, and nothing else',
  )
  writeFileSync(join(folder, 'package.json'), '{}')
  npm(
    folder,
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    `./${packed!.filename}`,
  )
  const wholeMb = megabytesOf(folder)
  execFileSync('sh', ['-ec', leanCommands()], { cwd: folder })
  t.ok(megabytesOf(folder) < Math.min(150, wholeMb - 180), 'the documentation says what can be deleted')

  const env = { ...process.env, PORT: '0', DATA_DIR: newDataDir(t), NATS_SERVER_BIN: undefined }
  const service = spawn(join(folder, 'node_modules/.bin/payments'), ['start'], { env })
  const exited = new Promise<number | null>((done) => service.once('exit', done))
  t.teardown(() => {
    service.kill('SIGKILL')
    return exited
  })
  let output = ''
  service.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  // A first start prints where it is, and ends with the address of the documentation.
  await new Promise<void>((ready, fail) => {
    service.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      if (output.includes('The documentation is at')) ready()
    })
    void exited.then((code) => fail(new Error(`it ended with ${code}:\n${output}`)))
  })
  const [, origin] = /export API=(http:\/\/127\.0\.0\.1:\d+)$/m.exec(output)!
  const [key] = /svc_test_\w+/.exec(output)!
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const charge = await fetch(`${origin}/v1/pix/charges`, { method: 'POST', headers, body: '{"amount":1990}' })
  t.equal(charge.status, 201)
  t.equal((await fetch(`${origin}/docs/en/quickstart`)).status, 200, 'it has its documentation')
  const port = new URL(origin!).port
  t.equal(healthcheck({ PORT: port }), 0, 'the image finds it healthy')
  t.equal(
    healthcheck({ PORT: port, TLS_CERT_FILE: 'cert.pem' }),
    1,
    'but not over TLS, which it does not speak',
  )
  service.kill('SIGTERM')
  t.equal(await exited, 0)
  t.equal(healthcheck({ PORT: port }), 1, 'nor when it has ended')
})
