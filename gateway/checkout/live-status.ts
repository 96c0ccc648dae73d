import type { BodyStream, HttpResponse } from '../wire/transport.ts'

/** How a payment stands, as a page asks. */
export type PageStatus = {
  readonly status: string
  /** Another version: the page shows something that is no longer so. */
  readonly version: string
  /** Whether nothing changes any more. */
  readonly isFinal: boolean
}

/** The streams of open pages that wait for a payment (checkout, section 2), of one worker. */
export type LiveStatus = {
  /** A stream of one page; null where it has two, or the worker as many as it keeps, and the page asks by itself instead. */
  readonly stream: (token: string, ask: () => Promise<PageStatus | null>) => HttpResponse | null
}

const streamsMax = 5000
const streamsOfPageMax = 2
/** How often a stream looks: a payer sees a payment within two seconds. */
const lookMs = 1500
const silenceMs = 15_000

/** Opens the streams of one worker. Each looks at its payment by itself, and only while its page takes what it says. */
export const openLiveStatus = (options: {
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly later: (ms: number, callback: () => void) => () => void
}): LiveStatus => {
  const { later } = options
  const counts = new Map<string, number>()
  let open = 0

  const release = (token: string): void => {
    const left = counts.get(token)! - 1
    if (left === 0) counts.delete(token)
    else counts.set(token, left)
    open -= 1
  }

  return {
    stream: (token, ask) => {
      const count = counts.get(token) ?? 0
      if (open >= streamsMax || count >= streamsOfPageMax) return null
      counts.set(token, count + 1)
      open += 1
      return streaming(statusPieces(ask, later, () => release(token)))
    },
  }
}

const streaming = (body: BodyStream): HttpResponse => ({
  status: 200,
  headers: {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Proxies that buffer would hold the payment back.
    'X-Accel-Buffering': 'no',
  },
  body,
})

const statusPieces = (
  ask: () => Promise<PageStatus | null>,
  later: (ms: number, callback: () => void) => () => void,
  release: () => void,
): Required<BodyStream> => {
  let shown: string | null = null
  let isOver = false
  let silentMs = 0
  let cancel: (() => void) | null = null
  let wake: (() => void) | null = null

  const end = (): void => {
    if (isOver) return
    isOver = true
    cancel?.()
    wake?.()
    release()
  }
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
      cancel = later(lookMs, resolve)
    })

  const next = async (): Promise<string | null> => {
    for (let isFirst = shown === null; ; isFirst = false) {
      if (!isFirst) await pause()
      if (isOver) return null
      const status = await ask()
      if (status === null) {
        end()
        return null
      }
      if (status.version !== shown) {
        shown = status.version
        silentMs = 0
        if (status.isFinal) end()
        return `event: status\ndata: ${JSON.stringify({ status: status.status, version: status.version })}\n\n`
      }
      silentMs += lookMs
      if (silentMs >= silenceMs) {
        silentMs = 0
        return ':\n\n'
      }
    }
  }
  return { next, end }
}
