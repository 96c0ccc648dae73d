import { downloadPath } from './api.ts'
import { currentPlace } from './router.ts'
import { hasEnded } from './session.ts'

/** An event of the company: its type, and the object to read again. */
export type LiveEvent = {
  readonly type: string
  readonly object: string
  readonly id: string
  readonly version: number
}

/** Null says that events may have been missed. */
type Listener = (event: LiveEvent | null) => void
const listeners = new Set<Listener>()

/**
 * Calls a listener for each event of the present place until the returned function is called. One tab of the
 * browser holds the connection for all of them.
 */
export const onLive = (listener: Listener): (() => void) => {
  listeners.add(listener)
  follow()
  return () => listeners.delete(listener)
}

/** Calls back when a notice was created or read, or may have been. */
export const onNotice = (callback: () => void): (() => void) =>
  onLive((event) => {
    if (event === null || event.object === 'notice') callback()
  })

/** Calls back when something has happened to an object, or may have. */
export const onChangeOf = (id: string, callback: () => void): (() => void) =>
  onLive((event) => {
    if (event === null || event.id === id) callback()
  })

/**
 * Calls back half a second after events of these types, and at most every ten seconds, so that a burst is read
 * once.
 */
export const onNews = (kinds: RegExp, callback: () => void): (() => void) => {
  let calledAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const call = (): void => {
    timer = undefined
    calledAtMs = Date.now()
    callback()
  }
  const stop = onLive((event) => {
    if (event === null || kinds.test(event.type))
      timer ??= setTimeout(call, Math.max(soonMs, calledAtMs + seldomMs - Date.now()))
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

const soonMs = 500
const seldomMs = 10_000

const report = (event: LiveEvent | null): void => {
  for (const listener of [...listeners]) listener(event)
}

let followed: { readonly key: string; readonly stop: () => void } | null = null

const follow = (): void => {
  const place = currentPlace()
  if (place === null) return
  const key = `live ${place.companyId} ${place.environment}`
  if (followed?.key === key) return
  followed?.stop()
  const url = downloadPath('/v1/live')
  const channel = new BroadcastChannel(key)
  const end = new AbortController()
  channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent | null>) => report(data))
  // The tab that holds the lock has the connection; when it closes, the next one gets both.
  void navigator.locks
    .request(key, { signal: end.signal }, () =>
      hear(url, end.signal, (event) => {
        report(event)
        channel.postMessage(event)
      }),
    )
    .catch(() => undefined)
  followed = {
    key,
    stop: () => {
      end.abort()
      channel.close()
    },
  }
}

/**
 * Listens to the service until the signal aborts. A browser reconnects after a broken connection but not after a
 * refusal, as by a service that is starting or for a session that has ended: those are retried after a pause.
 */
const hear = (url: string, signal: AbortSignal, listener: Listener): Promise<void> =>
  new Promise((resolve) => {
    let source: EventSource | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const open = (isFirst: boolean): void => {
      if (hasEnded.get()) {
        again()
        return
      }
      source = new EventSource(url)
      source.addEventListener('open', () => {
        if (!isFirst) listener(null)
        isFirst = true
      })
      source.addEventListener('reset', () => listener(null))
      source.addEventListener('message', ({ data }: MessageEvent<string>) => listener(JSON.parse(data)))
      source.addEventListener('error', () => {
        isFirst = false
        if (source?.readyState === EventSource.CLOSED) again()
      })
    }
    const again = (): void => {
      timer = setTimeout(open, refusedPauseMs, false)
    }
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source?.close()
      resolve()
    })
    open(true)
  })

const refusedPauseMs = 5_000
