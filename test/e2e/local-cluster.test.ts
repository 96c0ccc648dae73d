import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { caller, newDataDir } from './service.ts'

const main = join(import.meta.dirname, '../../gateway/local-cluster/main.js')

type Local = {
  readonly process: ChildProcess
  readonly output: () => string
  /** Resolves when it has said this. */
  readonly said: (text: string) => Promise<void>
  readonly exited: Promise<number | null>
}

/** `npm run cluster`, on ports that are free. */
const start = (t: Test, dataDir: string, ...args: string[]): Local => {
  const ports = args.length > 0 ? args : ['--port', '0', '--nats-port', '0']
  const child = spawn(process.execPath, [main, '--data-dir', dataDir, ...ports])
  let output = ''
  let wake: () => void = () => undefined
  const keep = (chunk: Buffer): void => {
    output += chunk
    wake()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  t.teardown(() => child.kill('SIGKILL'))
  void exited.then(() => wake())
  const said = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${output}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { process: child, output: () => output, said, exited }
}

const originsIn = (output: string): string[] =>
  [...output.matchAll(/ node . {3}(http:\S+)/g)].map(([, origin]) => origin!)
const pidsIn = (output: string): number[] =>
  [...output.matchAll(/ node .*pid (\d+)/g)].map(([, pid]) => Number(pid))

/** Nodes by their process ids, servers by the configuration that they were started with. */
const running = (output: string, dataDir: string): string[] => [
  ...pidsIn(output).filter(isAlive).map(String),
  ...readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`${dataDir}/nats-`)),
]

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

t.test('a local cluster serves at every node, keeps its data, and leaves no process behind', async (t) => {
  const dataDir = newDataDir(t)
  const first = start(t, dataDir)
  await first.said('The end:')
  const [a, b, c] = originsIn(first.output())
  const secret = /^ {2}export KEY=(svc_test_\S+)$/m.exec(first.output())![1]!
  const created = await caller(a!, secret)('POST', '/v1/pix/charges', { amount: 1990 })
  t.equal(created.status, 201)
  const path = `/v1/pix/charges/${created.body.id}`
  for (const origin of [a, b, c]) t.equal((await caller(origin!, secret)('GET', path)).status, 200)
  t.equal(running(first.output(), dataDir).length, 6, 'three nodes and three servers')

  first.process.kill('SIGINT')
  t.equal(await first.exited, 0)
  t.strictSame(running(first.output(), dataDir), [])
  t.notMatch(first.output(), /ERROR/)

  const again = start(t, dataDir)
  await again.said('The end:')
  t.notMatch(again.output(), /svc_test_/, 'the key is printed once')
  t.equal((await caller(originsIn(again.output())[1]!, secret)('GET', path)).status, 200)
  again.process.kill('SIGKILL')
  while (running(again.output(), dataDir).length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  t.pass('nodes and servers end with whoever started them, however that ended')
})

t.test('a local cluster says which port is taken, and starts nothing', async (t) => {
  const same = start(t, newDataDir(t), '--port', '19100', '--nats-port', '19102')
  t.equal(await same.exited, 1)
  t.match(same.output(), 'cluster: port 19102 is taken', 'by one of its own nodes')

  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  const local = start(t, newDataDir(t), '--port', String(port), '--nats-port', '0')
  t.equal(await local.exited, 1)
  t.match(local.output(), `cluster: port ${port} is taken: does another cluster run?`)
})
