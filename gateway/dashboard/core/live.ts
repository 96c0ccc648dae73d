import { downloadPath } from './api.ts'
import { currentPlace } from './router.ts'

/** Something has happened: which event, and to what. The page reads the rest. */
export type LiveEvent = {
  readonly type: string
  readonly object: string
  readonly id: string
  readonly version: number
}

type Listener = (event: LiveEvent) => void
const listeners = new Set<Listener>()

/** Tells events of the present place, until the answer is called. One tab of the browser listens for all of them. */
export const onLive = (listener: Listener): (() => void) => {
  listeners.add(listener)
  follow()
  return () => listeners.delete(listener)
}

const tell = (event: LiveEvent): void => {
  for (const listener of [...listeners]) listener(event)
}

let followed: { readonly key: string; readonly stop: () => void } | null = null

const follow = (): void => {
  const place = currentPlace()
  if (place === null) return
  const key = `live ${place.companyId} ${place.environment}`
  if (followed?.key === key) return
  followed?.stop()
  const channel = new BroadcastChannel(key)
  const end = new AbortController()
  channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => tell(data))
  // The tab that holds the lock has the connection; when it closes, the next one gets both.
  void navigator.locks
    .request(key, { signal: end.signal }, () => {
      const source = new EventSource(downloadPath('/v1/live'))
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as LiveEvent
        tell(event)
        channel.postMessage(event)
      })
      return new Promise<void>((resolve) => {
        const close = (): void => {
          source.close()
          resolve()
        }
        end.signal.addEventListener('abort', close)
        // A service that has no such route closes it for good.
        source.addEventListener('error', () => source.readyState === EventSource.CLOSED && close())
      })
    })
    .catch(() => undefined)
  followed = {
    key,
    stop: () => {
      end.abort()
      channel.close()
    },
  }
}
