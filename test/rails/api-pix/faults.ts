import type { Violation } from './problems.ts'

/** What goes wrong with some requests. The first fault that fits a request is used up by it. */
export type RailFault = {
  /** The requests that it happens to: all of a verb, of a path (a regular expression, below the host), or of both. */
  readonly verb?: string
  readonly path?: string
  /** How many that fit pass before it, and to how many it happens; null is for ever. */
  readonly skip?: number
  readonly times?: number | null
  readonly does: FaultAction
}

/** Whether the bank has carried the request out when it happens. */
type Moment = 'before' | 'after'

export type FaultAction =
  /** The connection is cut; `within` cuts the answer in half. */
  | { readonly kind: 'cut'; readonly when: Moment | 'within' }
  /** No answer comes, and the connection stays. */
  | { readonly kind: 'silence'; readonly when: Moment }
  /** An error of API Pix, with `Retry-After` if seconds are given. */
  | {
      readonly kind: 'error'
      readonly when?: Moment
      readonly status: number
      readonly name?: string
      readonly violacoes?: readonly Violation[]
      readonly retryAfterSeconds?: number
    }
  /** What is no JSON, as gateways answer. */
  | {
      readonly kind: 'text'
      readonly when?: Moment
      readonly status: number
      readonly body: string
      readonly media?: string
    }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** The true answer with some fields changed, named as in `valor.original`. */
  | { readonly kind: 'change'; readonly set: Readonly<Record<string, unknown>> }
  /** The answer waits until the clock has moved on so far. */
  | { readonly kind: 'delay'; readonly when?: Moment; readonly ms: number }

/** What goes wrong with callbacks; used up in the order in which they were set. */
export type NoticeFault =
  /** Never sent, and not repeated either. */
  | { readonly kind: 'lose'; readonly times?: number }
  /** Sent so often at once. */
  | { readonly kind: 'repeat'; readonly copies: number; readonly times?: number }
  | { readonly kind: 'delay'; readonly ms: number; readonly times?: number }

/** How connections are met: `silent` takes them and says nothing, not even in TLS; `refused` cuts them at once. */
export type Connections = 'open' | 'silent' | 'refused'

/** The faults that are set, and which of them happens to what. */
export type RailFaults = {
  readonly add: (fault: RailFault) => void
  readonly addNotice: (fault: NoticeFault) => void
  readonly clear: () => void
  /** The fault of a request, if one fits; counts it. */
  readonly take: (verb: string, path: string) => FaultAction | null
  readonly takeNotice: () => NoticeFault | null
  readonly setConnections: (connections: Connections) => void
  readonly connections: () => Connections
  /** How many faults have happened. */
  readonly happened: () => number
}

/** Opens a bank without faults. */
export const openFaults = (): RailFaults => {
  let faults: { readonly fault: RailFault; skipped: number; done: number }[] = []
  let noticeFaults: { readonly fault: NoticeFault; done: number }[] = []
  let connections: Connections = 'open'
  let happened = 0

  return {
    add: (fault) => {
      if (fault.path !== undefined) new RegExp(fault.path)
      faults.push({ fault, skipped: 0, done: 0 })
    },
    addNotice: (fault) => {
      noticeFaults.push({ fault, done: 0 })
    },
    clear: () => {
      faults = []
      noticeFaults = []
      connections = 'open'
    },
    take: (verb, path) => {
      for (const set of faults) {
        const { fault } = set
        const limit = fault.times === undefined ? 1 : (fault.times ?? Number.POSITIVE_INFINITY)
        if (set.done >= limit || (fault.verb !== undefined && fault.verb !== verb)) continue
        if (fault.path !== undefined && !new RegExp(fault.path).test(path)) continue
        if (set.skipped < (fault.skip ?? 0)) {
          set.skipped++
          continue
        }
        set.done++
        happened++
        return fault.does
      }
      return null
    },
    takeNotice: () => {
      const set = noticeFaults.find(({ fault, done }) => done < (fault.times ?? 1))
      if (set === undefined) return null
      set.done++
      happened++
      return set.fault
    },
    setConnections: (to) => {
      connections = to
    },
    connections: () => connections,
    happened: () => happened,
  }
}

/** A copy of an answer with fields changed, named by their place. */
export const changed = (answer: unknown, set: Readonly<Record<string, unknown>>): unknown => {
  const copy = structuredClone(answer)
  for (const [place, value] of Object.entries(set)) {
    const keys = place.split('.')
    const last = keys.pop()!
    let at: any = copy
    for (const key of keys) at = at[key] ??= {}
    if (value === null) delete at[last]
    else at[last] = value
  }
  return copy
}
