import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openEnvironment } from '../../../persistence/disk/environment.ts'
import { claimDataDirectory } from '../../../persistence/home/data-directory.ts'
import { lendReads } from '../../../persistence/home/lend.ts'
import { lockIfFree, takeLock } from '../../../persistence/home/lock.ts'
import { connectToLenders } from '../../../persistence/home/reads-socket.ts'
import { openSource } from '../../../persistence/home/source.ts'

const newDirectory = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'reads-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  writeFileSync(join(path, 'format.json'), '{}')
  return path
}

/** A process that writes an environment all the time (see `writing-process.ts`). */
const startWriter = async (t: Test, dataDir: string): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, 'writing-process.js'), [dataDir])
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

const answerTo = async (child: ChildProcess, message: string) => {
  const answered = once(child, 'message')
  child.send(message)
  const [answer] = await answered
  return answer
}

const rows = 40

/** Of how many commits the rows are, and their number. */
const read = (source: ReturnType<typeof openSource>, onRow: () => void = () => undefined) => {
  const commits = new Set<number>()
  let count = 0
  for (const { value } of source.shelf().entries()) {
    if (count === rows) break
    count += 1
    commits.add(value.readUInt32LE(0))
    onRow()
  }
  return { commits: commits.size, rows: count }
}

t.test('a process that reads beside one that writes takes no commit away, and sees each whole', async (t) => {
  const dataDir = newDirectory(t)
  const child = await startWriter(t, dataDir)
  const seen = new Set<string>()
  // LMDB, opened to read by a second process, lost about one commit in a thousand openings.
  for (let n = 0; n < 6000; n++) {
    const source = openSource(join(dataDir, 'env'))
    seen.add(
      JSON.stringify(n % 10 === 0 ? source.view(() => read(source)) : source.glance(() => read(source))),
    )
    source.close()
  }
  t.strictSame([...seen], [JSON.stringify({ commits: 1, rows })])
  t.match(await answerTo(child, 'end'), { lost: 0 })
})

t.test(
  'a view that takes long keeps its pages; where the environment is closed meanwhile, it is read again',
  async (t) => {
    const dataDir = newDirectory(t)
    const child = await startWriter(t, dataDir)
    const source = openSource(join(dataDir, 'env'))
    t.teardown(source.close)
    const sleeping = new Int32Array(new SharedArrayBuffer(4))
    const slowly = () => read(source, () => Atomics.wait(sleeping, 0, 0, 5))
    t.strictSame(source.view(slowly), { commits: 1, rows })
    let reads = 0
    const reopened = once(child, 'message')
    const seen = source.view(() => {
      reads += 1
      // The message is sent by now, and the answer can wait.
      if (reads === 1) child.send('reopen')
      return slowly()
    })
    t.strictSame(seen, { commits: 1, rows })
    t.equal(reads, 2)
    await reopened
    const someCommits = async () => {
      for (let n = 0; n < 3; n++) await answerTo(child, 'reopen')
    }
    await t.rejects(source.viewWhile(someCommits), {
      message: /env was closed while it was read: try again$/,
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    // Nobody writes any more.
    t.strictSame(source.view(slowly), { commits: 1, rows })
  },
)

t.test('a directory is in use for processes that do not see the name of its lock', async (t) => {
  const dataDir = newDirectory(t)
  // A process in a container of its own has another name space for locks.
  const child = await startWriter(t, dataDir)
  t.equal(await lockIfFree(dataDir), null)
  await t.rejects(takeLock(dataDir), { message: /is in use by another running process$/ })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const release = await takeLock(dataDir)
  await release()
})

t.test('the sockets are there while the directory is used, whatever a killed process has left', async (t) => {
  const dataDir = join(newDirectory(t), 'data')
  const sockets = () => readdirSync(dataDir).filter((name) => name.endsWith('.sock'))
  const claim = async () => (await claimDataDirectory(dataDir, null)).settle(1, 1, () => 'key')
  const first = await claim()
  t.strictSame(sockets(), ['reads-0.sock'])
  await first.release()
  t.strictSame(sockets(), [])
  const child = await startWriter(t, dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  renameSync(join(dataDir, 'reads-0.sock'), join(dataDir, 'reads-7.sock'))
  const again = await claim()
  t.strictSame(sockets(), ['reads-0.sock'])
  await again.release()
})

t.test('readers that die at any moment do the service no harm', async (t) => {
  const dataDir = newDirectory(t)
  const child = await startWriter(t, dataDir)
  for (let n = 0; n < 300; n++) {
    for await (const socket of connectToLenders(dataDir)) {
      socket.on('error', () => undefined)
      socket.write(['env\n', 'env\nRELEASE\n', 'env\nenv\n', 'en', 'none\n'][n % 5]!)
      socket.destroy()
    }
  }
  const source = openSource(join(dataDir, 'env'))
  t.strictSame(
    source.view(() => read(source)),
    { commits: 1, rows },
  )
  source.close()
  t.match(await answerTo(child, 'end'), { lost: 0 })
})

t.test('a thread that lends reads can hold them too, and asks for what is not open in vain', async (t) => {
  const dataDir = newDirectory(t)
  const path = join(dataDir, 'env')
  const root = openEnvironment<number>({ path })
  await root.put(1, Buffer.from('a'))
  const stopLending = await lendReads(dataDir)
  const source = openSource(path)
  const value = () => String(source.shelf().get(1))
  t.equal(source.view(value), 'a')
  await root.put(1, Buffer.from('b'))
  await root.close()
  t.equal(source.view(value), 'b')
  await stopLending()
  source.close()
})

t.test('a path of any length will do', async (t) => {
  const dataDir = join(newDirectory(t), 'x'.repeat(200))
  mkdirSync(dataDir)
  const stopLending = await lendReads(dataDir)
  t.strictSame(readdirSync(dataDir), ['reads-0.sock'])
  await t.rejects(lendReads('/proc/self'), {
    message: /^\/proc\/self takes no socket, .*: set another DATA_DIR$/,
  })
  t.equal(await lockIfFree(dataDir), null)
  await stopLending()
  t.strictSame(readdirSync(dataDir), [])
})
