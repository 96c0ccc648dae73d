import { bounds } from '../../../persistence/base/bounds.ts'
import { WrongLastSequence } from '../../../persistence/cluster/followed-stream.ts'
import type { LogStream } from '../../../persistence/cluster/log-stream.ts'
import type { Link } from './link.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * A model of one JetStream stream and of what clients get to see of it. Its leader takes records in order, each only behind the one that
 * was expected, counting those that are not committed yet; a quorum commits them, or loses them with their leader. What it promises is
 * in `stream-promises.ts`, where a real server is held to the same.
 */
export type StreamModel = ReturnType<typeof newStreamModel>

/** What a client needs of its connection. */
export type StreamLink = Pick<Link, 'send' | 'receive' | 'timer'>

export type StreamEvents = {
  /** A record is stored by a quorum. */
  readonly committed: (sequence: number, bytes: Buffer) => void
  /** The stream has lost the records behind its end, and begins with this one: those between are not put back. */
  readonly skipped: (sequence: number) => void
  readonly say: (message: string) => void
}

type Proposal = { readonly bytes: Buffer; readonly answer: () => void }
type Consumer = {
  next: number
  readonly deliver: () => void
  readonly lose: () => void
  stalledUntilMs: number
}

export const newStreamModel = (
  { after, nowMs }: Pick<Scheduler, 'after' | 'nowMs'>,
  random: Random,
  { committed, skipped, say }: StreamEvents,
) => {
  /** All records by sequence, also those that the stream has dropped. */
  const records: Buffer[] = []
  /** The first record that clients get to see. */
  let begin = 1
  /** Acknowledged records that a loss of power took, by sequence, until they are put back. */
  const lost = new Map<number, Buffer>()
  let proposals: Proposal[] = []
  let isCommitting = false
  let leaderAwayUntilMs = 0
  /** A leader that was just elected does not find what is newer than this yet. */
  let blind = { untilMs: 0, end: 0 }
  /** A deposed leader that has not noticed answers some clients as of then, and stores nothing. */
  let deposed = { untilMs: 0, begin: 1, end: 0, clients: new Set<string>() }
  let lostAcknowledgements = 0
  const consumers = new Set<Consumer>()

  const isLeaderAway = (): boolean => nowMs() < leaderAwayUntilMs
  const isDeposed = (client: string): boolean => nowMs() < deposed.untilMs && deposed.clients.has(client)

  const commitNext = (): void => {
    if (isCommitting || proposals.length === 0) return
    isCommitting = true
    const [first] = proposals
    after(random.skewed(0.2, 30), () => {
      isCommitting = false
      // A leader that is gone commits nothing more.
      if (proposals[0] === first) {
        proposals.shift()
        store(first!)
      }
      commitNext()
    })
  }

  const store = ({ bytes, answer }: Proposal): void => {
    records.push(bytes)
    committed(records.length, bytes)
    lost.delete(records.length)
    if (!random.chance(lostAcknowledgements)) answer()
    for (const consumer of consumers) consumer.deliver()
  }

  /** The leader decides on a record. */
  const propose = (
    client: string,
    bytes: Buffer,
    expected: number,
    answer: (refusal: WrongLastSequence | null) => void,
  ): void => {
    if (isDeposed(client)) {
      if (expected !== deposed.end) answer(new WrongLastSequence(deposed.end))
      return
    }
    if (isLeaderAway()) {
      // What is on its way between servers may wait for the next leader.
      if (random.chance(0.3))
        after(leaderAwayUntilMs - nowMs() + random.between(0, 100), () =>
          propose(client, bytes, expected, answer),
        )
      return
    }
    const end = records.length + proposals.length
    if (expected !== end) {
      answer(new WrongLastSequence(end))
      return
    }
    proposals.push({ bytes, answer: () => answer(null) })
    commitNext()
  }

  /** What a client's leader knows of the stream. */
  const seenBy = (client: string): { readonly begin: number; readonly end: number } => {
    if (isDeposed(client)) return deposed
    return { begin, end: nowMs() < blind.untilMs ? Math.min(blind.end, records.length) : records.length }
  }

  /** The leader drops what is before a record. What it has not committed stays behind that. */
  const drop = (client: string, sequence: number, answer: () => void): void => {
    if (isLeaderAway() || isDeposed(client)) return
    if (sequence > records.length + 1) {
      if (proposals.length > 0) return
      for (let missing = records.length + 1; missing < sequence; missing++) {
        records.push(lost.get(missing) ?? Buffer.alloc(0))
        lost.delete(missing)
      }
      skipped(sequence)
    }
    if (sequence > begin) say(`begins at ${sequence}, and ends at ${records.length}`)
    begin = Math.max(begin, sequence)
    after(random.skewed(0.2, 30), answer)
  }

  /** The stream as one client sees it. */
  const clientOn = (client: string, link: StreamLink): LogStream => ({
    append: (bytes, expected) =>
      answered(link, bounds.logAnswerMs, (resolve, reject) => {
        const sent = Buffer.from(bytes)
        link.send(() =>
          propose(client, sent, expected, (refusal) =>
            link.receive(() => (refusal === null ? resolve() : reject(refusal))),
          ),
        )
      }),
    read: (sequence) =>
      answered(link, bounds.natsTimeoutMs, (resolve) =>
        link.send(() => {
          if (isLeaderAway()) return
          const seen = seenBy(client)
          const found = sequence >= seen.begin && sequence <= seen.end ? records[sequence - 1]! : null
          link.receive(() => resolve(found === null ? null : Buffer.from(found)))
        }),
      ),
    ends: () =>
      answered(link, bounds.natsTimeoutMs, (resolve) =>
        link.send(() => {
          if (isLeaderAway()) return
          const seen = seenBy(client)
          const ends = { first: Math.min(seen.begin, seen.end + 1), last: seen.end }
          link.receive(() => resolve(ends))
        }),
      ),
    beginAt: (sequence) =>
      answered(link, bounds.natsTimeoutMs, (resolve) =>
        link.send(() => drop(client, sequence, () => link.receive(() => resolve()))),
      ),
    follow: (from, take) => follow(link, from, take),
  })

  const follow = (
    link: StreamLink,
    ...[from, take]: Parameters<LogStream['follow']>
  ): ReturnType<LogStream['follow']> => {
    let isStopped = false
    let current: Consumer | null = null

    const end = (): void => {
      if (current !== null) consumers.delete(current)
      current = null
    }

    /** One consumer after the other, as `followAlways` does. */
    const startSoon = (ms: number): void => {
      link.timer(ms, () => {
        if (isStopped || current !== null) return
        const consumer = subscribe()
        current = consumer
        // Without an answer of the servers it asks again.
        link.timer(bounds.natsTimeoutMs, () => {
          if (current !== consumer || consumers.has(consumer)) return
          current = null
          startSoon(bounds.followPauseMs)
        })
      })
    }

    const restart = (): void => {
      if (isStopped) return
      end()
      startSoon(bounds.followPauseMs)
    }

    const subscribe = (): Consumer => {
      let isLost = false
      const lose = (): void => {
        if (isLost) return
        isLost = true
        consumers.delete(consumer)
        // Missed heartbeats show it.
        link.timer(random.between(2000, 4000), () => {
          if (current === consumer) restart()
        })
      }
      const deliver = (): void => {
        if (isLost || nowMs() < consumer.stalledUntilMs) return
        consumer.next = Math.max(consumer.next, begin)
        while (consumer.next <= records.length) {
          const first = consumer.next
          const some = records.slice(first - 1, first - 1 + 1 + random.below(20))
          consumer.next += some.length
          const left = records.length - consumer.next + 1
          link.receive(() => {
            for (const [n, bytes] of some.entries()) {
              if (isStopped || current !== consumer || isLost) return
              take({ sequence: first + n, bytes: Buffer.from(bytes) }, left + some.length - n - 1)
            }
          }, lose)
        }
      }
      const consumer: Consumer = { next: from() + 1, deliver, lose, stalledUntilMs: 0 }
      link.send(() => {
        if (isLeaderAway() || current !== consumer) return
        consumers.add(consumer)
        deliver()
      })
      return consumer
    }

    startSoon(0)
    return {
      stop: () => {
        isStopped = true
        end()
      },
      restart,
    }
  }

  return {
    records: records as readonly Buffer[],
    /** The first record that the stream still has. */
    begin: (): number => begin,
    lost: lost as ReadonlyMap<number, Buffer>,
    clientOn,
    /** The share of acknowledgements that never arrive. */
    loseAcknowledgements: (share: number): void => {
      lostAcknowledgements = share
    },
    /** The leader is gone for a while, with some of what it has not committed; the next one finds its newest records late. */
    loseLeader: (ms: number, blindMs: number): void => {
      const kept = proposals.slice(0, random.below(proposals.length + 1))
      say(
        `the leader is away for ${Math.round(ms)} ms, and ${proposals.length - kept.length} records with it`,
      )
      proposals = []
      for (const proposal of kept) store(proposal)
      leaderAwayUntilMs = Math.max(leaderAwayUntilMs, nowMs() + ms)
      blind = { untilMs: leaderAwayUntilMs + blindMs, end: Math.max(0, records.length - random.below(4)) }
    },
    /** For a while these clients are answered by a leader that is none any more. */
    depose: (ms: number, clients: readonly string[]): void => {
      say(`${clients.join()} hear a deposed leader for ${Math.round(ms)} ms`)
      deposed = { untilMs: nowMs() + ms, begin, end: records.length, clients: new Set(clients) }
    },
    stallConsumers: (ms: number, share: number): void => {
      for (const consumer of [...consumers]) {
        if (!random.chance(share)) continue
        if (random.chance(0.3)) consumer.lose()
        else {
          consumer.stalledUntilMs = nowMs() + ms
          after(ms + 0.001, consumer.deliver)
        }
      }
    },
    /** All servers lose power, and come back after a while without the newest records, and with what they may have dropped lately. */
    losePower: (count: number, ms: number, from: number = begin): void => {
      const end = Math.max(0, records.length - count)
      say(`the servers lose power, and records ${end + 1} to ${records.length}`)
      // A stream that lost all is a new one.
      begin = Math.min(from, begin, end + 1)
      for (const consumer of [...consumers]) consumer.lose()
      proposals = []
      for (let sequence = end + 1; sequence <= records.length; sequence++)
        lost.set(sequence, records[sequence - 1]!)
      records.length = end
      leaderAwayUntilMs = nowMs() + ms
      blind = { untilMs: 0, end: 0 }
      deposed = { untilMs: 0, begin: 1, end: 0, clients: new Set() }
    },
    /** No fault goes on. */
    heal: (): void => {
      lostAcknowledgements = 0
      leaderAwayUntilMs = Math.min(leaderAwayUntilMs, nowMs())
      blind.untilMs = 0
      deposed.untilMs = 0
      for (const consumer of consumers) {
        consumer.stalledUntilMs = 0
        consumer.deliver()
      }
    },
  }
}

/** What the servers answer; a rejection where they do not in time. */
export const answered = <Answer>(
  link: Pick<Link, 'timer'>,
  withinMs: number,
  ask: (resolve: (answer: Answer) => void, reject: (error: Error) => void) => void,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let isOver = false
    // An error takes long to make, and most have been answered by then.
    link.timer(withinMs, () => {
      if (!isOver) reject(new Error('timeout'))
    })
    ask(
      (answer) => {
        isOver = true
        resolve(answer)
      },
      (error) => {
        isOver = true
        reject(error)
      },
    )
  })
