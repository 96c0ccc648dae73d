import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { HttpResponse } from '@trufflesuite/uws-js-unofficial'
import { uws } from '../uws.ts'

/**
 * The ceiling: uWebSockets.js that reads a request and answers a constant, as many threads as the service has workers.
 * Settings: PORT, WORKERS, ANSWER_BYTES.
 */
const port = Number(process.env.PORT)
/** What the library and the content type take of an answer. */
const headBytes = 140

if (isMainThread) {
  const workers = Array.from(
    { length: Number(process.env.WORKERS) },
    () => new Worker(new URL(import.meta.url)),
  )
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  console.log('ready')
  // A process that exits while a thread listens is aborted by the native library: each has to end by itself.
  process.once('SIGTERM', () => {
    for (const worker of workers) worker.postMessage('stop')
  })
} else {
  serve()
}

function serve(): void {
  const open = '{"id":"txn_bare","qrCode":"'
  const bodyBytes = Math.max(100, Number(process.env.ANSWER_BYTES) - headBytes)
  const body = `${open}${'A'.repeat(bodyBytes - open.length - 2)}"}`
  const answer = (res: HttpResponse, status: string): void => {
    res.cork(() => res.writeStatus(status).writeHeader('Content-Type', 'application/json').end(body))
  }
  const app = uws.App()
  app.post('/*', (res) => {
    let bytes = 0
    res.onAborted(() => {})
    res.onData((chunk, isLast) => {
      bytes += chunk.byteLength
      if (isLast) answer(res, bytes > 0 ? '201 Created' : '400 Bad Request')
    })
  })
  app.get('/*', (res) => answer(res, '200 OK'))
  app.listen('127.0.0.1', port, 0, (socket) => {
    if (!socket) throw new Error(`cannot listen on port ${port}`)
    parentPort!.postMessage('listening')
    parentPort!.once('message', () => uws.us_listen_socket_close(socket))
  })
}
