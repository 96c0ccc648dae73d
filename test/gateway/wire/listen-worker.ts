import { parentPort, threadId, workerData } from 'node:worker_threads'
import { standingHeaders } from '../../../gateway/wire/standing-headers.ts'
import { transportOf } from './transports.ts'
import { telling } from './wire.ts'

/** One of several threads on a port: answers with its number until it is told to close. */
const listener = await transportOf(workerData.transport)({
  host: '127.0.0.1',
  port: workerData.port,
  sharedPort: true,
  handle: telling(() => ({ status: 200, headers: {}, body: String(threadId) })),
  standing: standingHeaders({ secure: false }),
  refuse: (status) => ({ status, headers: {}, body: null }),
  onCut: () => {},
  onFault: (error) => {
    throw error
  },
  limits: {
    urlBytesMax: 1000,
    headerBytesMax: 1000,
    bodyBytesMax: 1000,
    bodyTimeoutMs: 1000,
    answerTimeoutMs: 1000,
    stallTimeoutMs: 1000,
    idleTimeoutMs: 12_000,
  },
})
parentPort!.once('message', () => listener.close(1000))
parentPort!.postMessage(listener.port)
