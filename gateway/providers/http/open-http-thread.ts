import { Worker } from 'node:worker_threads'
import {
  endOf,
  type OpenProviderHttp,
  type ProviderHttpRequest,
  type RawReply,
  readReply,
  type TlsCredentials,
  tooLate,
} from './http.ts'
import type { FromHttpThread, ToHttpThread } from './http-thread.ts'

/**
 * HTTP to providers on a thread of its own, which begins with the first request: a handshake takes milliseconds of processor time, and a bank that
 * closes its connections costs 64 of them at once, in which the thread that owns shards has requests to answer.
 */
export type HttpThread = {
  readonly openHttp: OpenProviderHttp
  /** Ends the thread; what is under way has no reply. The next request begins another. */
  readonly end: () => void
}

/** Begins no thread yet. */
export const openHttpThread = (): HttpThread => {
  let running: RunningThread | null = null

  const openHttp: OpenProviderHttp = (credentials) => {
    let endsAtMs = endOf(credentials.cert)
    let place: { readonly thread: RunningThread; readonly id: number } | null = null
    const placeNow = () => {
      running ??= startThread(() => {
        running = null
      })
      if (place?.thread !== running) place = { thread: running, id: running.open(credentials) }
      return place
    }
    return {
      send: (request, deadline) =>
        new Promise((resolve) => {
          if (deadline.hasPassed()) return resolve(tooLate)
          const { thread, id } = placeNow()
          const call = thread.send(id, request, (reply, certificateEndsAtMs) => {
            forget()
            endsAtMs ??= certificateEndsAtMs
            resolve(readReply(reply))
          })
          const forget = deadline.onPassed(() => {
            thread.giveUp(call)
            resolve(tooLate)
          })
        }),
      certificateEndsAtMs: () => endsAtMs,
      close: () => {
        if (place !== null && place.thread === running) place.thread.close(place.id)
        place = null
      },
    }
  }
  return { openHttp, end: () => running?.end() }
}

type OnReply = (reply: RawReply, certificateEndsAtMs: number | null) => void

type RunningThread = {
  readonly open: (credentials: TlsCredentials) => number
  readonly send: (id: number, request: ProviderHttpRequest, onReply: OnReply) => number
  readonly giveUp: (call: number) => void
  readonly close: (id: number) => void
  readonly end: () => void
}

const startThread = (onGone: () => void): RunningThread => {
  const worker = new Worker(new URL('./http-thread.js', import.meta.url))
  const waiting = new Map<number, OnReply>()
  let opened = 0
  let calls = 0
  let messages: ToHttpThread[] = []

  /** All messages of one turn go together. */
  const post = (message: ToHttpThread): void => {
    if (messages.length === 0)
      process.nextTick(() => {
        const all = messages
        messages = []
        worker.postMessage(all)
      })
    messages.push(message)
  }
  worker.unref()
  worker.on('message', (replies: readonly FromHttpThread[]) => {
    for (const { call, reply, certificateEndsAtMs } of replies) {
      const onReply = waiting.get(call)
      waiting.delete(call)
      onReply?.(reply, certificateEndsAtMs)
    }
  })
  let isGone = false
  const gone = (why: string): void => {
    // An error is followed by the exit, when another thread may have begun.
    if (isGone) return
    isGone = true
    onGone()
    const left = [...waiting.values()]
    waiting.clear()
    for (const onReply of left) onReply({ type: 'NONE', why }, null)
  }
  worker.on('error', (error: NodeJS.ErrnoException) => gone(error.code ?? error.name))
  worker.on('exit', () => gone('the thread of connections has ended'))
  return {
    open: (credentials) => {
      post({ type: 'open', id: ++opened, credentials })
      return opened
    },
    send: (id, request, onReply) => {
      waiting.set(++calls, onReply)
      post({ type: 'send', id, call: calls, request })
      return calls
    },
    giveUp: (call) => {
      if (waiting.delete(call)) post({ type: 'giveUp', call })
    },
    close: (id) => post({ type: 'close', id }),
    end: () => {
      void worker.terminate()
    },
  }
}
