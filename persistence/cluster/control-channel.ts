import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { controlOfEveryNode, controlSubject } from './names.ts'

/** What operators ask of nodes, over core NATS: JSON in both directions. */
export type ControlChannel = {
  /** The answers of all nodes that gave one in this time. */
  readonly askAll: (request: object, waitMs: number) => Promise<readonly unknown[]>
  /** The answer of one node; null where it gave none in this time. */
  readonly askNode: (node: string, request: object, waitMs: number) => Promise<unknown>
  /** Answers what this node is asked; what throws is told as a reason. */
  readonly serve: <Request>(answer: (request: Request) => Promise<object>) => void
}

export const openControlChannel = (
  connection: NatsConnection,
  cluster: string,
  node: string,
): ControlChannel => ({
  askAll: async (request, waitMs) => {
    const answers: unknown[] = []
    try {
      const options = { strategy: 'timer', maxWait: waitMs } as const
      for await (const answer of await connection.requestMany(
        controlOfEveryNode(cluster),
        JSON.stringify(request),
        options,
      ))
        if (answer.data.length > 0) answers.push(answer.json())
    } catch {
      // Nobody listens, or NATS is away: nobody answers.
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
