import { ServerResponse } from 'node:http'
import { openProviderHttp } from '../../../gateway/providers/http/http.ts'
import type { ProviderInstance, ProviderModule } from '../../../gateway/providers/port.ts'

/** What a provider is called for, as the table of faults names it; `HOOK` is the answer to a notice. */
export type HeldCall = string

/** Where calls of a connection are held, so that the process is killed just there. */
export type HeldPoint = {
  readonly connectionId: string
  readonly call: HeldCall
  /** `BEFORE` the provider is asked, or `ANSWERED`: its answer is there, and is neither booked nor on disk. */
  readonly when: 'BEFORE' | 'ANSWERED'
}

/** The calls of this thread to providers. */
export type HeldProviders = {
  readonly modules: Readonly<Record<string, ProviderModule>>
  readonly hold: (point: HeldPoint) => void
  /** Lets what is answered go on. */
  readonly release: () => void
  /** How many calls are under way and not held. */
  readonly running: () => number
}

/** Puts points to hold at before and behind every call to a provider; `onReached` is called with each at which one is held. */
export const holdProviders = (
  modules: Readonly<Record<string, ProviderModule>>,
  onReached: (connectionId: string) => void,
): HeldProviders => {
  const points = new Map<string, HeldPoint>()
  let releases: (() => void)[] = []
  let running = 0

  /** Never resolves for what is not asked yet: the process does not live that long. */
  const reach = async (connectionId: string, call: HeldCall, when: HeldPoint['when']): Promise<void> => {
    const point = points.get(connectionId)
    if (point?.call !== call || point.when !== when) return
    onReached(connectionId)
    running -= 1
    await new Promise<void>((resolve) => {
      if (when === 'ANSWERED') releases.push(resolve)
    })
    running += 1
  }

  const held = async <Outcome>(
    id: string,
    call: HeldCall,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    running += 1
    try {
      await reach(id, call, 'BEFORE')
      const outcome = await work()
      await reach(id, call, 'ANSWERED')
      return outcome
    } finally {
      running -= 1
    }
  }

  const wrapped = (id: string, instance: ProviderInstance): ProviderInstance => {
    const { poll, fetch, registerHooks } = instance
    return {
      ...instance,
      ask: (ask) => held(id, ask.operation, () => instance.ask(ask)),
      inquire: (ask) => held(id, 'INQUIRE', () => instance.inquire(ask)),
      health: () => held(id, 'HEALTH', instance.health),
      ...(fetch && { fetch: (notice) => held(id, 'FETCH', () => fetch(notice)) }),
      ...(registerHooks && { registerHooks: (url) => held(id, 'REGISTER_HOOKS', () => registerHooks(url)) }),
      ...(poll && {
        poll: async function* (cursor, untilMs) {
          const pages = poll(cursor, untilMs)[Symbol.asyncIterator]()
          for (;;) {
            const page = await held(id, 'POLL', () => pages.next())
            if (page.done === true) return
            yield page.value
          }
        },
      }),
    }
  }

  holdAnswersToNotices(points, reach)
  return {
    modules: Object.fromEntries(
      Object.entries(modules).map(([name, module]) => [
        name,
        {
          ...module,
          // The clock that is moved is that of this thread, so connections are here, too.
          open: (connection, io) =>
            wrapped(connection.id, module.open(connection, { ...io, openHttp: openProviderHttp })),
        },
      ]),
    ),
    hold: (point) => void points.set(point.connectionId, point),
    release: () => {
      for (const release of releases) release()
      releases = []
    },
    running: () => running,
  }
}

/** The notice is on disk then, and the bank does not know it. */
const holdAnswersToNotices = (
  points: ReadonlyMap<string, HeldPoint>,
  reach: (connectionId: string, call: HeldCall, when: HeldPoint['when']) => Promise<void>,
): void => {
  const { end } = ServerResponse.prototype
  ServerResponse.prototype.end = function (this: ServerResponse, ...given: any[]) {
    const id = /^\/hooks\/(con_\w+)\//.exec(this.req?.url ?? '')?.[1]
    if (id === undefined || points.get(id)?.call !== 'HOOK') return (end as any).apply(this, given)
    void reach(id, 'HOOK', 'BEFORE')
    return this
  } as typeof end
}
