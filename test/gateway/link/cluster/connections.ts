import type { NatsConnection } from '@nats-io/transport-node'
import type { Test } from 'tap'
import { promised } from '../../../../engine/kernel/handler.ts'
import { newClusterCounters } from '../../../../gateway/link/cluster/counters.ts'
import { type NodeLinks, openNodeLinks } from '../../../../gateway/link/cluster/node-links.ts'
import type { Kind, Message, WorkerPlace } from '../../../../gateway/link/link.ts'
import { connectNats } from '../../../../persistence/nats/connection.ts'
import { type Served, serving } from '../serving.ts'

export const connectTo = async (t: Test, url: string): Promise<NatsConnection> => {
  const connection = await connectNats(
    {
      servers: url.split(','),
      user: null,
      password: null,
      credsFile: null,
      nkeyFile: null,
      tls: null,
    },
    'test',
  )
  t.teardown(() => connection.close())
  return connection
}

export const subjectOf = ({ node, worker }: WorkerPlace): string => `pay.cluster.test.call.${node}.${worker}`

export const lostSubject = 'pay.cluster.test.call.ALL.LOST'

/** The clock of a test: what waits goes on when the test puts it forward. */
export const newClock = () => {
  let nowMs = 0
  let waiting: { readonly atMs: number; readonly resolve: () => void }[] = []
  return {
    now: () => nowMs,
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ atMs: nowMs + ms, resolve })
      }),
    /** In steps: whoever waits again after a step is in the next one. */
    advance: async (ms: number): Promise<void> => {
      for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
        nowMs += 10
        const due = waiting.filter(({ atMs }) => atMs <= nowMs)
        waiting = waiting.filter(({ atMs }) => atMs > nowMs)
        for (const { resolve } of due) resolve()
        if (due.length > 0) await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

export type Clock = ReturnType<typeof newClock>

/** The link of a worker, and what it did. */
export const openLinks = async (
  t: Test,
  url: string,
  self: WorkerPlace,
  serve: Served = async () => null,
): Promise<LinkUnderTest> => {
  const connection = await connectTo(t, url)
  const clock = newClock()
  const counters = newClusterCounters()
  const troubles: string[] = []
  const links = openNodeLinks({
    bus: connection,
    self,
    subjectOf,
    lostSubject,
    serve: serving(serve),
    wait: clock.wait,
    writtenVersion: () => 13,
    counters,
    onTrouble: (message, error) => troubles.push(`${message}: ${error}`),
  })
  t.teardown(links.close)
  // Its subscriptions have reached the server.
  await connection.flush()
  return {
    ...links,
    call: (to, kind, message, timeoutMs) =>
      promised((waiter) => links.call(to, kind, message, timeoutMs, waiter)),
    connection,
    clock,
    counters,
    troubles,
  }
}

export type LinkUnderTest = Omit<NodeLinks, 'call'> & {
  readonly call: (to: WorkerPlace, kind: Kind, message: Message, timeoutMs: number) => Promise<unknown>
  readonly connection: NatsConnection
  readonly clock: Clock
  readonly counters: ReturnType<typeof newClusterCounters>
  readonly troubles: readonly string[]
}
