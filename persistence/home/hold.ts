import { relative } from 'node:path'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { bounds } from '../base/bounds.ts'
import { lendTransaction } from '../disk/environment.ts'
import { wholeAround } from './data-directory.ts'
import { ownReadsSocket } from './lend.ts'
import { socketsIn } from './reads-socket.ts'

/** The newest commit of an environment, whose pages are not overwritten until `release`. */
export type Hold = {
  /** Returns whether the pages were there all the time; false where the environment is closed, or was meanwhile. */
  readonly release: () => boolean
}

/**
 * Holds the newest commit of an environment that this process writes, or the one that uses the data directory around it. Waits for
 * that one, so that its callers need not be asynchronous. Throws when it does not answer.
 */
export const holdNewest = (path: string): Hold => {
  let isTakenBack = false
  const end = lendTransaction(path, () => {
    isTakenBack = true
  })
  if (end !== null)
    return {
      release: () => {
        end()
        return !isTakenBack
      },
    }
  const dataDir = wholeAround(path)
  if (dataDir === null) return notHeld
  // This thread cannot answer while it waits.
  const except = ownReadsSocket(dataDir)
  if (socketsIn(dataDir).every((name) => name === except)) return notHeld
  const id = nextId++
  const isHeld = ask({
    type: 'HOLD',
    id,
    dataDir,
    environment: relative(dataDir, path),
    except,
  })
  return { release: () => isHeld && ask({ type: 'RELEASE', id }) }
}

const notHeld: Hold = { release: () => false }

/** To the thread that has the connections. */
export type HoldRequest =
  | {
      readonly type: 'HOLD'
      readonly id: number
      readonly dataDir: string
      readonly environment: string
      readonly except: string | null
    }
  | { readonly type: 'RELEASE'; readonly id: number }

/** What the thread of the connections begins with. */
export type HoldThreadData = { readonly port: MessagePort; readonly answered: Int32Array }

/** Its answer: whether the pages are held, or were until now; or why nothing can be held. */
export type HoldAnswer = boolean | { readonly failure: string }

let nextId = 1
let thread: (HoldThreadData & { readonly worker: Worker }) | null = null

/** Asks the thread and waits. */
const ask = (request: HoldRequest): boolean => {
  thread ??= startThread()
  const { port, answered, worker } = thread
  Atomics.store(answered, 0, 0)
  port.postMessage(request)
  // What wakes this thread may be about the answer before.
  while (Atomics.load(answered, 0) === 0) {
    if (Atomics.wait(answered, 0, 0, bounds.holdWaitMs) !== 'timed-out') continue
    thread = null
    void worker.terminate()
    throw new Error('the process that uses the data directory does not answer')
  }
  const answer = receiveMessageOnPort(port)!.message as HoldAnswer
  if (typeof answer === 'object') throw new Error(answer.failure)
  return answer
}

const startThread = () => {
  const { port1: port, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('./hold-thread.js', import.meta.url), {
    workerData: { port: port2, answered } satisfies HoldThreadData,
    transferList: [port2],
  })
  worker.unref()
  worker.once('error', () => {
    thread = null
  })
  return { port, answered, worker }
}
