import { parentPort } from 'node:worker_threads'
import {
  openRawHttp,
  type ProviderHttpRequest,
  type RawHttp,
  type RawReply,
  type TlsCredentials,
} from './http.ts'

/** The thread of `openHttpThread`: sends requests, and brings back what came of them. What of one turn of its event loop goes together. */

/** A message to the thread. */
export type ToHttpThread =
  | { readonly type: 'open'; readonly id: number; readonly credentials: TlsCredentials }
  | {
      readonly type: 'send'
      readonly id: number
      readonly call: number
      readonly request: ProviderHttpRequest
    }
  /** Nothing waits for its reply any more. */
  | { readonly type: 'giveUp'; readonly call: number }
  | { readonly type: 'close'; readonly id: number }

/** What became of a call, and when the certificate ends that was shown, as far as it is known. */
export type FromHttpThread = {
  readonly call: number
  readonly reply: RawReply
  readonly certificateEndsAtMs: number | null
}

const opened = new Map<number, RawHttp>()
/** What gives a call up that is under way. */
const underWay = new Map<number, () => void>()
let replies: FromHttpThread[] = []

const reply = (one: FromHttpThread): void => {
  if (replies.length === 0)
    setImmediate(() => {
      const all = replies
      replies = []
      parentPort!.postMessage(all)
    })
  replies.push(one)
}

const send = async ({ id, call, request }: Extract<ToHttpThread, { type: 'send' }>): Promise<void> => {
  const http = opened.get(id)!
  const raw = await http.send(request, {
    hasPassed: () => false,
    onPassed: (callback) => {
      underWay.set(call, callback)
      return () => void underWay.delete(call)
    },
  })
  reply({ call, reply: raw, certificateEndsAtMs: http.certificateEndsAtMs() })
}

const take = (message: ToHttpThread): void => {
  switch (message.type) {
    case 'open':
      opened.set(message.id, openRawHttp(message.credentials))
      return
    case 'send':
      void send(message)
      return
    case 'giveUp':
      underWay.get(message.call)?.()
      return
    case 'close':
      opened.get(message.id)?.close()
      opened.delete(message.id)
  }
}

parentPort!.on('message', (messages: readonly ToHttpThread[]) => {
  for (const message of messages) take(message)
})
