import { pbkdf2 } from 'node:crypto'
import type { Merchant, TestCluster, TestNode } from './cluster.ts'

/** What the service has said yes to, once or several times. */
export type Order = {
  readonly merchant: Merchant
  readonly key: string
  /** Null until the create was acknowledged. */
  id: string | null
  /** The bodies of all answers to the create: with one key they are one. */
  readonly answers: Set<string>
  isPaid: boolean
  /** The bodies of all answers to the refund. */
  readonly refunds: Set<string>
}

export type Load = {
  readonly orders: readonly Order[]
  /** Acknowledged commands. */
  readonly acknowledged: () => number
  /** Reads that did not show what was acknowledged before they were sent. */
  readonly stale: readonly string[]
  /** Answers that nothing explains. */
  readonly wrong: readonly string[]
  /** Answers by status; 0 where a connection was lost. */
  readonly statuses: ReadonlyMap<number, number>
  /** Milliseconds of the slowest answer of a node that was not asleep. */
  readonly slowestMs: () => number
  /** How long this process itself was not run: that is nobody's gap. */
  readonly stoodStillMs: () => number
  /** Begins to measure anew. */
  readonly measure: () => Measure
  /** From now on clients do not pause; or they do again. */
  readonly press: (isPressing: boolean) => void
  /** Lets something happen while no client pauses: every shard has commands on their way then. */
  readonly underPressure: (happen: () => unknown) => Promise<void>
  /** Resolves when every command has its answer, and every late answer has come. */
  readonly stop: () => Promise<void>
}

export type Measure = {
  /** The longest time in which a shard acknowledged nothing. */
  readonly longestGap: () => Gap
  /** Resolves when every shard has acknowledged commands that were sent from now on. */
  readonly untilAllAnswer: () => Promise<void>
}

/**
 * Beats are a tenth of a second and a little work, one after the other: a machine that is slow, or busy with other things, takes as
 * much longer for a beat as it takes for each of the steps of a takeover, so that how many beats a gap may last is the same on all.
 */
export type Gap = { readonly ms: number; readonly beats: number }
type Moment = { readonly ms: number; readonly beat: number }

const clientsPerShard = 4
/** Between the orders of one client. */
const pauseMs = 25
const retryMs = 50
/**
 * How often a client sends a command where faults happen under pressure. Between them it is enough that each shard goes on: every command
 * costs each node, the servers and the receiver, and an order costs the audit as well.
 */
export const betweenFaultsMs = 3_000
/** After this a client asks another node; what the first one answers is looked at all the same. */
const patienceMs = 2500
/** What such a node is left alone for. */
const avoidMs = 1000
/** How often it looks whether it runs at all, and from when on it did not. */
const tickMs = 100
const lateMsMin = 1000

type Answer = { readonly status: number; readonly text: string; readonly replayed: boolean }
type Look = (answer: Answer) => void

/**
 * Closed-loop clients over all nodes: each sends its next request when the one before is answered. Where they are to leave the machine
 * to others, each waits for its turn before a command, and reads at once what was acknowledged, all the same.
 */
export const startLoad = (
  { nodes, merchants }: Pick<TestCluster, 'nodes' | 'merchants'>,
  { commandEveryMs = 0 }: { readonly commandEveryMs?: number } = {},
): Load => {
  const orders: Order[] = []
  const stale: string[] = []
  const wrong: string[] = []
  const statuses = new Map<number, number>()
  const avoided = new Map<TestNode, number>()
  let beat = 0
  const now = (): Moment => ({ ms: performance.now(), beat })
  const lastAck = new Map(merchants.map(({ shard }) => [shard, now()]))
  let longest: Gap = { ms: 0, beats: 0 }
  const pending = new Set<Promise<unknown>>()
  let acknowledged = 0
  let slowestMs = 0
  let stoodStillMs = 0
  let isRunning = true

  let tickedAt = performance.now()
  const ticking = setInterval(() => {
    const lateMs = performance.now() - tickedAt - tickMs
    tickedAt += tickMs + lateMs
    if (lateMs < lateMsMin) return
    stoodStillMs += lateMs
    for (const [shard, { ms, beat }] of lastAck) lastAck.set(shard, { ms: ms + lateMs, beat })
  }, tickMs)

  const beating = async (): Promise<void> => {
    while (isRunning) {
      await pause(beatMs)
      await work()
      beat += 1
    }
  }
  void beating()

  const gapSince = ({ ms, beat: first }: Moment): Gap => ({ ms: performance.now() - ms, beats: beat - first })
  const longer = (a: Gap, b: Gap): Gap => ({ ms: Math.max(a.ms, b.ms), beats: Math.max(a.beats, b.beats) })

  const noteAck = (shard: number): void => {
    longest = longer(longest, gapSince(lastAck.get(shard)!))
    lastAck.set(shard, now())
    acknowledged += 1
  }

  let isPressing = false
  const pausing = new Set<() => void>()
  const startedMs = performance.now()
  /** Resolves when a client may send its next command: the turns of a shard's clients are spread evenly over `commandEveryMs`. */
  const turnOf = (n: number, shard: number): (() => Promise<void>) => {
    const place = (n + shard / merchants.length) / clientsPerShard
    return async () => {
      if (commandEveryMs === 0 || isPressing || !isRunning) return
      const sinceTurn = performance.now() - startedMs + (1 - place) * commandEveryMs
      await new Promise<void>((resolve) => {
        const go = (): void => {
          clearTimeout(timer)
          pausing.delete(go)
          resolve()
        }
        const timer = setTimeout(go, commandEveryMs - (sinceTurn % commandEveryMs))
        pausing.add(go)
      })
    }
  }
  const wakeAll = (): void => {
    for (const go of [...pausing]) go()
  }

  /** Null while all are killed. */
  const anyNode = (not: TestNode | null = null): TestNode | null => {
    const up = [...nodes.values()].filter(({ service }) => service !== null)
    const good = up.filter((node) => node !== not && performance.now() > (avoided.get(node) ?? 0))
    const from = good.length > 0 ? good : up
    return from[Math.floor(Math.random() * from.length)] ?? null
  }

  /** Resolves to null where no answer came, or none in time. Whatever comes is looked at. */
  const ask = async (
    node: TestNode | null,
    { secret }: Merchant,
    verb: string,
    path: string,
    options: { readonly body?: object; readonly key?: string; readonly look: Look },
  ): Promise<Answer | null> => {
    const service = node?.service ?? null
    if (node === null || service === null) return null
    const startedAt = performance.now() - stoodStillMs
    let wasAsleep = node.isAsleep
    const answering = fetch(service.origin + path, {
      method: verb,
      headers: {
        Authorization: `Bearer ${secret}`,
        ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(options.key !== undefined && { 'Idempotency-Key': options.key }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
      .then(async (response) => {
        const text = await response.text()
        if (!wasAsleep) slowestMs = Math.max(slowestMs, performance.now() - stoodStillMs - startedAt)
        const replayed = response.headers.has('idempotent-replayed')
        return { status: response.status, text, replayed }
      })
      .then(
        (answer) => {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          if (!expected.has(answer.status)) wrong.push(`${verb} ${path}: ${answer.status} ${answer.text}`)
          options.look(answer)
          return answer
        },
        () => {
          statuses.set(0, (statuses.get(0) ?? 0) + 1)
          return null
        },
      )
    pending.add(answering)
    void answering.finally(() => pending.delete(answering))
    const answer = await Promise.race([answering, pause(patienceMs).then(() => 'late' as const)])
    wasAsleep ||= node.isAsleep
    if (answer !== 'late') return answer
    avoided.set(node, performance.now() + avoidMs)
    return null
  }

  /** Until it is acknowledged: where the outcome is unknown the same key is sent again. */
  const command = async (
    merchant: Merchant,
    path: string,
    options: { readonly body: object; readonly key?: string; readonly look: Look },
  ): Promise<{ readonly node: TestNode | null; readonly answer: Answer }> => {
    for (;;) {
      const node = anyNode()
      const answer = await ask(node, merchant, 'POST', path, {
        ...options,
        look: (answer) => {
          if (answer.status === 404) stale.push(`${path} at ${node?.name}: ${answer.text}`)
          options.look(answer)
        },
      })
      if (answer !== null && answer.status < 300) {
        noteAck(merchant.shard)
        return { node, answer }
      }
      if (answer !== null && !expected.has(answer.status))
        throw new Error(`no retry helps against ${answer.status}`)
      await pause(retryMs)
    }
  }

  /** Asks another node than the one that has acknowledged. */
  const readBack = async (
    merchant: Merchant,
    { id }: Order,
    from: TestNode | null,
    shows: (charge: any) => boolean,
  ): Promise<void> => {
    const node = anyNode(from)
    await ask(node, merchant, 'GET', `/v1/transactions/${id}`, {
      look: ({ status, text }) => {
        const isShown = status === 200 ? shows(JSON.parse(text)) : status !== 404
        if (!isShown) stale.push(`${id} at ${node?.name}: ${status} ${text.slice(0, 300)}`)
      },
    })
  }

  const order = async (
    merchant: Merchant,
    key: string,
    n: number,
    turn: () => Promise<void>,
  ): Promise<void> => {
    await turn()
    const one: Order = { merchant, key, id: null, answers: new Set(), isPaid: false, refunds: new Set() }
    orders.push(one)
    const created = await command(merchant, '/v1/pix/charges', {
      body: createBody(key),
      key,
      look: ({ status, text }) => void (status < 300 && one.answers.add(text)),
    })
    one.id = JSON.parse(created.answer.text).id
    await readBack(merchant, one, created.node, ({ externalId }) => externalId === key)
    if (n % 2 === 0) return
    await turn()
    const paid = await command(merchant, `/v1/sandbox/pix/charges/${one.id}/pay`, {
      body: {},
      look: () => undefined,
    })
    one.isPaid = true
    await readBack(merchant, one, paid.node, ({ paidAmount }) => Number(paidAmount) === 1000)
    if (n % 4 === 1) return
    await turn()
    const refunded = await command(merchant, `/v1/transactions/${one.id}/refund`, {
      body: refundBody,
      key: `${key}-refund`,
      look: ({ status, text }) => void (status < 300 && one.refunds.add(text)),
    })
    await readBack(merchant, one, refunded.node, ({ refunds }) => refunds.length === 1)
  }

  const client = async (merchant: Merchant, nth: number): Promise<void> => {
    const name = `${merchant.shard}-${nth}`
    const turn = turnOf(nth, merchant.shard)
    for (let n = 0; isRunning; n++) {
      // What was not expected is kept already.
      await order(merchant, `${name}-${n}`, n, turn).catch(() => undefined)
      await pause(pauseMs)
    }
  }

  const clients = merchants.flatMap((merchant) =>
    Array.from({ length: clientsPerShard }, (_, n) => client(merchant, n)),
  )

  const untilAllAnswer = async (): Promise<void> => {
    // What was sent before may be answered at once.
    const from = performance.now() + 200
    while ([...lastAck.values()].some(({ ms }) => ms < from)) await pause(20)
  }

  const press = (pressing: boolean): void => {
    isPressing = pressing
    if (isPressing) wakeAll()
  }

  const measure = (): Measure => {
    longest = { ms: 0, beats: 0 }
    for (const shard of lastAck.keys()) lastAck.set(shard, now())
    return {
      longestGap: () => {
        const { ms, beats } = [...lastAck.values()].map(gapSince).reduce(longer, longest)
        return { ms: Math.round(ms), beats }
      },
      untilAllAnswer,
    }
  }

  return {
    orders,
    acknowledged: () => acknowledged,
    stale,
    wrong,
    statuses,
    slowestMs: () => Math.round(slowestMs),
    stoodStillMs: () => Math.round(stoodStillMs),
    measure,
    press,
    underPressure: async (happen) => {
      press(true)
      await untilAllAnswer()
      await happen()
      press(false)
    },
    stop: async () => {
      isRunning = false
      wakeAll()
      await Promise.all(clients)
      while (pending.size > 0) await Promise.all([...pending])
      clearInterval(ticking)
    },
  }
}

export const createBody = (key: string) => ({ amount: 1000, externalId: key })
export const refundBody = { amount: 300 }

/** Done; in progress with the same key; unavailable. And 404, which a read then calls stale. */
const expected = new Set([200, 201, 202, 404, 409, 503])

const beatMs = 100
/** Some two milliseconds of a core, in a thread that has to wait for it like any other. */
const work = (): Promise<void> =>
  new Promise((resolve) => pbkdf2('', '', 2_000, 32, 'sha256', () => resolve()))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
