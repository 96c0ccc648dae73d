import { useEffect, useRef, useState } from 'preact/hooks'
import { type GetPath, type Got, get, problemOfError } from './api.ts'
import { onLive } from './live.ts'
import type { ApiProblem } from './problem.ts'
import { currentPlace } from './router.ts'

/** The state of a read: the newest data, or the previous query's while the present one is loading. */
export type Query<Data> = {
  readonly data: Data | null
  readonly problem: ApiProblem | null
  readonly isLoading: boolean
  /** Whether `data` belong to the previous query while the present one is loading. */
  readonly isStale: boolean
  readonly refresh: () => void
  /** Reloads in the background: no person asked, so the session is not renewed. */
  readonly poll: () => void
}

type Entry = {
  readonly path: string
  readonly load: (isBackground: boolean) => Promise<unknown>
  data: unknown
  problem: ApiProblem | null
  readAtMs: number
  running: boolean
  readonly listeners: Set<() => void>
}

type Parameters = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  /** How old what is known may be before it is read again; by default two seconds. */
  readonly freshForMs?: number
  /** Whether reads happen without the person, as by a timer, and so do not renew the session. */
  readonly isBackground?: boolean
}

const entries = new Map<string, Entry>()
const freshForMs = 2000
/** Names of people, keys and recipients change seldom: pages that only show them do not read them each time. */
export const namesFreshForMs = 60_000

/** Reads a path: returns cached data at once and reloads data that are older than they may be. Null reads nothing. */
export const useGet = <Path extends GetPath>(
  path: Path | null,
  parameters: Parameters = {},
): Query<Got<Path>> => {
  const [, render] = useState({})
  const place = currentPlace()
  const key = path === null ? null : JSON.stringify([place, path, parameters.path, parameters.query])
  const before = useRef<{ path: string | null; data: unknown }>({ path: null, data: null })
  const entry = key === null ? null : entryAt(key, path as string, parameters)
  const readAtMs = entry?.readAtMs

  useEffect(() => {
    if (entry === null) return
    const listener = () => render({})
    entry.listeners.add(listener)
    // Another component's read may have ended since this one was rendered.
    if (entry.readAtMs !== readAtMs) listener()
    if (Date.now() - entry.readAtMs > (parameters.freshForMs ?? freshForMs)) load(entry)
    return () => entry.listeners.delete(listener)
  }, [key])

  if (entry !== null && entry.data !== undefined) before.current = { path, data: entry.data }
  const kept = before.current.path === path ? before.current.data : null
  return {
    data: (entry?.data ?? kept ?? null) as Got<Path> | null,
    problem: entry?.problem ?? null,
    isLoading: entry !== null && entry.data === undefined && entry.problem === null,
    isStale: entry !== null && entry.data === undefined && kept !== null,
    refresh: () => entry !== null && load(entry),
    poll: () => entry !== null && load(entry, true),
  }
}

const entryAt = (
  key: string,
  path: string,
  { isBackground = false, freshForMs: _, ...params }: Parameters,
): Entry => {
  const found = entries.get(key)
  if (found !== undefined) return found
  const entry: Entry = {
    path,
    load: (isPoll) => {
      const headers = isPoll || isBackground ? { 'Service-Background': '1' } : {}
      return get(path as never, { params, headers } as never)
    },
    data: undefined,
    problem: null,
    readAtMs: 0,
    running: false,
    listeners: new Set(),
  }
  entries.set(key, entry)
  return entry
}

const load = (entry: Entry, isBackground = false): void => {
  if (entry.running) return
  entry.running = true
  entry
    .load(isBackground)
    .then((data) => {
      entry.data = data
      entry.problem = null
    })
    .catch((error: unknown) => {
      entry.problem = problemOfError(error)
    })
    .finally(() => {
      entry.running = false
      entry.readAtMs = Date.now()
      for (const listener of [...entry.listeners]) listener()
    })
}

/** Reloads the paths with these prefixes that the page shows, and drops the others from the cache. */
export const refresh = (...prefixes: readonly string[]): void => {
  for (const [key, entry] of entries) {
    if (!prefixes.some((prefix) => entry.path.startsWith(prefix))) continue
    if (entry.listeners.size === 0) entries.delete(key)
    else load(entry)
  }
}

/** Reads again what could not be read because the service could not be reached, or failed. */
const retryFailed = (): void => {
  for (const entry of entries.values()) {
    const { problem } = entry
    if (problem !== null && (problem.status === 0 || problem.status >= 500) && entry.listeners.size > 0)
      load(entry)
  }
}

// The browser says when it has a network again, and the live connection when the service answers again.
addEventListener('online', retryFailed)
onLive((event) => {
  if (event === null) retryFailed()
})

/** Forgets everything, as another person may sign in. */
export const forgetAll = (): void => entries.clear()

/** An action of the person: whether it is running, and why it was refused. */
export const useAction = <Input extends unknown[]>(act: (...input: Input) => Promise<unknown>) => {
  const [state, setState] = useState<{ isBusy: boolean; problem: ApiProblem | null }>({
    isBusy: false,
    problem: null,
  })
  const run = async (...input: Input): Promise<boolean> => {
    if (state.isBusy) return false
    setState({ isBusy: true, problem: null })
    try {
      await act(...input)
      setState({ isBusy: false, problem: null })
      return true
    } catch (error) {
      setState({ isBusy: false, problem: problemOfError(error) })
      return false
    }
  }
  return { ...state, run, forget: () => setState({ isBusy: false, problem: null }) }
}
