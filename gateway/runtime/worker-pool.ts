import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { AccountId, ConnectionId } from '../../engine/shared/ids.ts'
import type { RequestLine } from '../api/api.ts'
import type { Asked, OperationOutcome } from '../identity/asked.ts'
import { heapFull } from './heap.ts'
import { probePort } from './probe-port.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-protocol.ts'

/** All workers as one unit: messages go to every one of them, and `stop` resolves when all have ended. */
export type WorkerPool = {
  readonly opened: Promise<unknown>
  readonly ports: ReadonlyMap<number, MessagePort>
  /** Sends every worker a message and gathers their answers. */
  readonly ask: (message: (ack: number) => ToWorker) => Promise<unknown[]>
  /** Calls back for every request that any worker answers, until the returned function is called. */
  readonly watchRequests: (onAnswered: (line: RequestLine) => void) => () => void
  readonly listen: () => Promise<number>
  /** Lets every worker accept new connections, or refuse them. */
  readonly setAccepting: (isOn: boolean) => void
  readonly stop: () => Promise<void>
}

export type WorkerPoolOptions = {
  readonly onFailed: (message: string) => void
  /** Performs an operation that a worker asks for. */
  readonly operate: (asked: Asked) => Promise<OperationOutcome>
  readonly onNoticed: (accountId: AccountId) => void
  readonly onHooks: (connectionId: ConnectionId, problem: string | null) => void
  readonly onPlaced: (placed: Placed) => void
  readonly onBalanced: (balanced: Balanced) => void
}

type Placed = Extract<FromWorker, { type: 'placed' }>
type Balanced = Extract<FromWorker, { type: 'balanced' }>

/**
 * Starts the workers, each running `file`, linked to each other and to the main thread. `onFailed` is called when one of them
 * cannot go on.
 */
export function startWorkerPool(
  common: Omit<WorkerStart, 'index' | 'siblings'>,
  options: WorkerPoolOptions,
  file: URL,
): WorkerPool {
  const { ports, siblings } = linkThreads(common.workers)
  const requestWatchers = new Set<(line: RequestLine) => void>()
  const workers = siblings.map((siblings, index) =>
    startThread({ ...common, index, siblings }, options, requestWatchers, file),
  )
  const sendAll = (message: ToWorker): void => {
    for (const worker of workers) send(worker, message)
  }
  const sendWatchState = (): void => sendAll({ type: 'watchRequests', isOn: requestWatchers.size > 0 })
  let acks = 0
  return {
    opened: Promise.all(workers.map((worker) => nextMessage(worker, 'opened'))),
    ports,
    ask: (message) => {
      const ack = ++acks
      return Promise.all(workers.map((worker) => ask(worker, message(ack), ack)))
    },
    watchRequests: (onAnswered) => {
      requestWatchers.add(onAnswered)
      sendWatchState()
      return () => {
        requestWatchers.delete(onAnswered)
        sendWatchState()
      }
    },
    listen: () => listenOn(workers, common.settings),
    setAccepting: (isOn) => sendAll({ type: 'accept', isOn }),
    stop: async () => {
      // The native transport aborts a process that exits while a worker is listening, so each worker ends by itself.
      const ended = workers.map((worker) =>
        worker.threadId < 0 ? null : new Promise((resolve) => worker.once('exit', resolve)),
      )
      sendAll({ type: 'stop' })
      await Promise.all(ended)
    },
  }
}

/** Links every thread with every other: the ports of the main thread, and those of each worker. */
const linkThreads = (count: number) => {
  const siblings = Array.from({ length: count }, () => new Map<number, MessagePort>())
  const ports = new Map<number, MessagePort>()
  for (let a = 0; a < count; a++) {
    for (let b = -1; b < a; b++) {
      const { port1, port2 } = new MessageChannel()
      siblings[a]!.set(b, port1)
      if (b < 0) ports.set(a, port2)
      else siblings[b]!.set(a, port2)
    }
  }
  return { ports, siblings }
}

const startThread = (
  start: WorkerStart,
  { onFailed, operate, onNoticed, onHooks, onPlaced, onBalanced }: WorkerPoolOptions,
  requestWatchers: ReadonlySet<(line: RequestLine) => void>,
  file: URL,
): Worker => {
  const worker = new Worker(file, { workerData: start, transferList: [...start.siblings.values()] })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    onFailed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? heapFull() : (error.stack ?? error.message)),
  )
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'failed') onFailed(message.message)
    if (message.type === 'noticed') onNoticed(message.accountId)
    if (message.type === 'hooks') onHooks(message.connectionId, message.problem)
    if (message.type === 'placed') onPlaced(message)
    if (message.type === 'balanced') onBalanced(message)
    if (message.type === 'operate')
      void operate(message.asked).then((outcome) =>
        send(worker, { type: 'operated', number: message.number, outcome }),
      )
    if (message.type === 'answered') for (const onAnswered of requestWatchers) onAnswered(message.line)
  })
  return worker
}

const send = (worker: Worker, message: ToWorker): void => worker.postMessage(message)

const ask = async (worker: Worker, message: ToWorker, ack: number): Promise<unknown> => {
  const answered = nextMessage(worker, 'ack', ack)
  send(worker, message)
  return (await answered).value
}

const nextMessage = <Type extends FromWorker['type']>(worker: Worker, type: Type, ack?: number) =>
  new Promise<Extract<FromWorker, { type: Type }>>((resolve) => {
    const listen = (message: FromWorker): void => {
      if (message.type !== type || ('ack' in message && message.ack !== ack)) return
      worker.off('message', listen)
      resolve(message as Extract<FromWorker, { type: Type }>)
    }
    worker.on('message', listen)
  })

/** Makes the workers listen one after the other; if the system chooses the port, all listen on the same one. */
const listenOn = async (
  workers: readonly Worker[],
  { host, port }: WorkerStart['settings'],
): Promise<number> => {
  const shared = port === 0 ? await probePort('PORT', host, 0) : port
  for (const worker of workers) {
    const listening = nextMessage(worker, 'listening')
    send(worker, { type: 'listen', port: shared })
    await listening
  }
  return shared
}
