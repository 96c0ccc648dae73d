import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { newDataDir, newMerchant, oneWorker, type Service, startService } from './service.ts'

/**
 * The order of system calls: an answer is sent after its batch is on disk. Needs strace and the right to trace.
 * More: FLUSH_REQUESTS=10000 node dist/test/e2e/flush-order.test.js
 */
const requests = Number(process.env.FLUSH_REQUESTS ?? 640)
const connections = 64

t.test('no answer is sent before the flush of its batch', { skip: whyNot() }, async (t) => {
  const service = await startService(t, { env: { ...oneWorker, RATE_LIMIT: '0' } })
  const { key } = await newMerchant(service)
  const traceFile = join(newDataDir(t), 'trace')
  const strace = await attach(service.process.pid!, traceFile)
  await createCharges(service, key.secret)
  await stopped(strace)

  const found = await readTrace(traceFile)
  t.ok(
    [...found.metaDescriptors].every(isSynchronous(service.process.pid!)),
    'the page that commits is written with O_DSYNC',
  )
  t.equal(found.answered.size, requests, 'every answer was seen')
  t.strictSame(found.early, [], 'none of them before the flush')
  t.ok(found.flushes >= requests / connections, `${found.flushes} flushes were seen`)
})

t.test('an answer that is sent too early is found', async (t) => {
  const [data, meta] = ['5</d/journal/data.mdb>', '6</d/journal/data.mdb>']
  const written = `1 writev(${data}, [{iov_base="charge-00000001"...}], 1) = 4096`
  const sent = '2 sendto(9<socket:[1]>, "HTTP/1.1 201 Created {charge-00000001}", 9, 0, NULL, 0) = 9'
  const flush = [`1 fdatasync(${data} <unfinished ...>`, '1 <... fdatasync resumed>) = 0']
  const committed = `1 pwrite64(${meta}, "", 120, 16) = 120`
  const early = (lines: readonly string[]): readonly string[] => {
    const trace = newTrace()
    for (const line of lines) trace.read(line)
    return trace.early
  }
  t.strictSame(early([written, ...flush, committed, sent]), [])
  t.strictSame(early([written, ...flush, sent, committed]), ['charge-00000001'])
  t.strictSame(early([written, flush[0]!, sent, flush[1]!, committed]), ['charge-00000001'])
  t.strictSame(early([flush[0]!, written, flush[1]!, committed, sent]), ['charge-00000001'])
  t.strictSame(early([sent]), ['charge-00000001'])
})

/** False where the test can run. */
function whyNot(): string | false {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return false
  } catch {
    return 'strace is not installed, or may not trace'
  }
}

const attach = (pid: number, traceFile: string): Promise<ChildProcess> => {
  const traced = 'trace=pwrite64,pwritev,write,writev,fdatasync,sendto,sendmsg'
  const args = ['-f', '-y', '-s', '1000000', '-e', traced, '-o', traceFile, '-p', String(pid)]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(() => strace.kill('SIGKILL'))
  return new Promise((resolve) => strace.stderr.once('data', () => resolve(strace)))
}

const stopped = (strace: ChildProcess): Promise<void> => {
  strace.kill('SIGINT')
  return new Promise((resolve) => void strace.once('exit', () => resolve()))
}

/** Each charge has a text of its own, which is in its entry in the journal and in its answer. */
const createCharges = async ({ origin }: Service, secret: string): Promise<void> => {
  let created = 0
  const client = async (): Promise<void> => {
    while (created < requests) {
      const externalId = `charge-${String(created++).padStart(8, '0')}`
      const response = await fetch(`${origin}/v1/pix/charges`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${secret}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': externalId,
        },
        body: JSON.stringify({ amount: 100, externalId }),
      })
      if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
}

type Trace = {
  readonly read: (line: string) => void
  readonly answered: ReadonlySet<string>
  /** Those that were sent while their batch was not on disk. */
  readonly early: readonly string[]
  readonly metaDescriptors: ReadonlySet<string>
  readonly flushes: number
}

const readTrace = async (file: string): Promise<Trace> => {
  const trace = newTrace()
  for await (const line of createInterface({ input: createReadStream(file) })) trace.read(line)
  return trace
}

/**
 * LMDB commits in three steps: it writes pages, flushes them, and writes the page that makes them count. That one goes through a
 * descriptor of its own, which writes synchronously. A charge is on disk when all three have ended, each begun after the one before.
 */
const newTrace = (): Trace => {
  const [written, flushed, durable] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const [answered, early, metaDescriptors] = [new Set<string>(), [] as string[], new Set<string>()]
  const flushedDescriptors = new Set<string>()
  /** What the end of a thread's call does. */
  const pending = new Map<string, () => void>()
  let flushes = 0

  const begun = (name: string, descriptor: string, tokens: readonly string[]): (() => void) => {
    const isJournal = descriptor.includes('/journal/data.mdb')
    // Native builds send; Node writes to the socket.
    if (name.startsWith('send') || /<(socket|TCP)/.test(descriptor)) {
      for (const token of tokens) {
        answered.add(token)
        if (!durable.has(token)) early.push(token)
      }
    } else if (isJournal && name === 'fdatasync') {
      flushedDescriptors.add(descriptor)
      const before = [...written]
      return () => {
        flushes++
        move(before, written, flushed)
      }
    } else if (
      isJournal &&
      tokens.length === 0 &&
      name === 'pwrite64' &&
      flushed.size > 0 &&
      !flushedDescriptors.has(descriptor)
    ) {
      metaDescriptors.add(descriptor)
      const before = [...flushed]
      return () => move(before, flushed, durable)
    } else if (isJournal) {
      const fresh = tokens.filter((token) => !durable.has(token) && !flushed.has(token))
      return () => {
        for (const token of fresh) written.add(token)
      }
    }
    return () => undefined
  }

  return {
    read: (line) => {
      const [, thread, rest] = /^(\d+)\s+(.*)$/.exec(line) ?? []
      if (thread === undefined || rest === undefined) return
      if (rest.startsWith('<... ')) {
        pending.get(thread)?.()
        pending.delete(thread)
        return
      }
      const [, name, descriptor] = /^(\w+)\(([^,) ]*)/.exec(rest) ?? []
      if (name === undefined || descriptor === undefined) return
      const end = begun(name, descriptor, rest.match(/charge-\d{8}/g) ?? [])
      if (rest.endsWith('<unfinished ...>')) pending.set(thread, end)
      else end()
    },
    answered,
    early,
    metaDescriptors,
    get flushes() {
      return flushes
    },
  }
}

const move = (tokens: readonly string[], from: Set<string>, to: Set<string>): void => {
  for (const token of tokens) {
    from.delete(token)
    to.add(token)
  }
}

/** O_DSYNC is octal 10000 in the flags of an open file. */
const isSynchronous =
  (pid: number) =>
  (descriptor: string): boolean => {
    const flags = /^flags:\s+(\d+)$/m.exec(
      readFileSync(`/proc/${pid}/fdinfo/${parseInt(descriptor, 10)}`, 'utf8'),
    )
    return (parseInt(flags![1]!, 8) & 0o10000) !== 0
  }
