import { WebSocket } from 'undici'
import type { Service } from '../e2e/service.ts'

type Message = { readonly id?: number; readonly method: string; readonly params: any; readonly result?: any }

/** A session of the inspector with the first worker, through the one with its process. */
export const openWorkerSession = async (service: Service, onEvent: (event: Message) => void) => {
  await service.logged('Debugger listening on ')
  const socket = new WebSocket(/ws:\/\/\S+/.exec(service.log())![0])
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const process = newCalls((message) => socket.send(message))
  let sessionId: string | undefined
  const worker = newCalls(
    (message) => void process.send('NodeWorker.sendMessageToWorker', { sessionId, message }),
  )
  const attached = new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const message: Message = JSON.parse(String(data))
      if (message.method === 'NodeWorker.attachedToWorker') {
        sessionId ??= message.params.sessionId
        resolve()
      } else if (message.method === 'NodeWorker.receivedMessageFromWorker') {
        const inner: Message = JSON.parse(message.params.message)
        if (!worker.answered(inner)) onEvent(inner)
      } else process.answered(message)
    })
  })
  await process.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await attached
  return worker
}

/** Calls that are numbered, and resolve with their results. */
const newCalls = (post: (message: string) => void) => {
  const waiting = new Map<number, (result: any) => void>()
  let calls = 0
  return {
    send: (method: string, params: object = {}): Promise<any> =>
      new Promise((resolve) => {
        const id = ++calls
        waiting.set(id, resolve)
        post(JSON.stringify({ id, method, params }))
      }),
    answered: ({ id, result }: Message): boolean => {
      if (id === undefined) return false
      waiting.get(id)?.(result)
      return waiting.delete(id)
    },
  }
}
