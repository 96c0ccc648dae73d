import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Link } from './link.ts'

/** A model of core NATS between the nodes: what is published reaches whoever has a connection at that moment. */
export type Network = ReturnType<typeof newNetwork>

type Subscribed = { readonly subject: string; readonly callback: (error: Error | null, message: Msg) => void }
type Joined = { readonly link: Link; readonly subscriptions: Subscribed[] }

export const newNetwork = () => {
  const joined = new Set<Joined>()

  const deliver = (subject: string, data: string, respond: (from: Link, data: string) => void): void => {
    const read = data === '' ? null : JSON.parse(data)
    for (const { link, subscriptions } of joined)
      for (const one of subscriptions)
        if (isMatch(one.subject, subject))
          link.receive(() =>
            one.callback(
              null,
              messageOf(subject, read, (answer) => respond(link, answer)),
            ),
          )
  }

  /** A process's connection, as far as a member of a cluster uses one. */
  const connect = (link: Link): { readonly connection: NatsConnection; readonly close: () => void } => {
    const self: Joined = { link, subscriptions: [] }
    joined.add(self)
    const statuses = newQueue<{ readonly type: string }>()
    link.onReconnected(() => statuses.push({ type: 'reconnect' }))
    const connection = {
      publish: (subject: string, data: string) => link.send(() => deliver(subject, data, () => undefined)),
      subscribe: (subject: string, { callback }: Pick<Subscribed, 'callback'>) => {
        const subscription = { subject, callback }
        self.subscriptions.push(subscription)
        return {
          unsubscribe: () => void self.subscriptions.splice(self.subscriptions.indexOf(subscription), 1),
        }
      },
      requestMany: async (subject: string, data: string, { maxWait }: { readonly maxWait: number }) => {
        const answers: Msg[] = []
        const collect = (from: Link, answer: string): void =>
          from.send(() => link.receive(() => void answers.push(messageOf('', JSON.parse(answer)))))
        link.send(() => deliver(subject, data, collect))
        await link.pause(maxWait)
        return answers
      },
      flush: link.flush,
      stats: () => ({ inMsgs: link.receivedCount() }),
      status: statuses.items,
      reconnect: async () => link.reconnect(),
    }
    return { connection: connection as unknown as NatsConnection, close: () => void joined.delete(self) }
  }

  return { connect }
}

/** Those who receive it share what was read of it, and change nothing. */
const messageOf = (subject: string, read: unknown, respond: (data: string) => void = () => undefined): Msg =>
  ({ subject, json: () => read, respond }) as unknown as Msg

const isMatch = (pattern: string, subject: string): boolean =>
  pattern.endsWith('*') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject

/** Items that somebody waits for, one after the other, without an end. */
const newQueue = <Item>() => {
  const queued: Item[] = []
  let wake = (): void => undefined
  const items = async function* (): AsyncGenerator<Item> {
    for (;;) {
      while (queued.length > 0) yield queued.shift()!
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    items,
    push: (item: Item): void => {
      queued.push(item)
      wake()
    },
  }
}
