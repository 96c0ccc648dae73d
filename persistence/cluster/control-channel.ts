import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { controlOfEveryNode, controlSubject } from './names.ts'

/** Requests from operators to nodes, over core NATS: JSON in both directions. */
export type ControlChannel = {
  /** The answers of the nodes that respond in this time; stops early when `areEnough` accepts those received. */
  readonly askAll: (
    request: object,
    waitMs: number,
    areEnough: (answers: readonly unknown[]) => boolean,
  ) => Promise<readonly unknown[]>
  /** The answer of one node; null if none comes in this time. */
  readonly askNode: (node: string, request: object, waitMs: number) => Promise<unknown>
  /** Answers requests to this node; an error is answered as a reason. */
  readonly serve: <Request>(answer: (request: Request) => Promise<object>) => void
}

/** Opens the channel on a connection. */
export const openControlChannel = (
  connection: NatsConnection,
  cluster: string,
  node: string,
): ControlChannel => ({
  askAll: async (request, waitMs, areEnough) => {
    const answers: unknown[] = []
    try {
      const options = { strategy: 'timer', maxWait: waitMs } as const
      for await (const answer of await connection.requestMany(
        controlOfEveryNode(cluster),
        JSON.stringify(request),
        options,
      )) {
        if (answer.data.length > 0) answers.push(answer.json())
        if (areEnough(answers)) break
      }
    } catch {
      // No node listens, or NATS is away.
    }
    return answers
  },
  askNode: async (asked, request, waitMs) => {
    try {
      const subject = controlSubject(cluster, asked)
      return (await connection.request(subject, JSON.stringify(request), { timeout: waitMs })).json()
    } catch {
      return null
    }
  },
  serve: (answer) => {
    const callback = (_: Error | null, message: Msg): void => {
      void (async () => answer(message.json()))()
        .catch((error: unknown) => ({
          ok: false,
          reason: error instanceof Error ? error.message : String(error),
        }))
        .then((value) => message.respond(JSON.stringify(value)))
    }
    connection.subscribe(controlSubject(cluster, node), { callback })
    connection.subscribe(controlOfEveryNode(cluster), { callback })
  },
})
