import { linearizabilityProblem, type Operation } from './linearizability.ts'
import type { SimulatedNode, World } from './node.ts'
import type { Reply } from './shard.ts'

/**
 * Clients that write and read registers, one operation after the other each, through any node that says that it owns the log. They stand
 * outside: their clock is the true one, and what they send to a node arrives whatever becomes of NATS.
 */
export const newClients = (
  { scheduler, random, invariants, streams, pickLog }: World,
  nodes: readonly SimulatedNode[],
  { clients, thinkMs, keys }: { readonly clients: number; readonly thinkMs: number; readonly keys: number },
) => {
  const histories = new Map<string, (Operation & { endMs: number | null })[]>()
  /** By register: how far its log went when its newest acknowledged write was heard of. */
  const heard = new Map<string, number>()
  const acknowledgedAt = streams.map(() => 0)
  let writes = 0
  let reads = 0
  let isStopped = false
  /** A loss of power took what was acknowledged: what is read from then on may be older. */
  let isForgiven = false

  const wayMs = (): number => random.skewed(0.1, 30)

  /** A node that leads the log as far as it knows, or any. */
  const nodeFor = (log: number): SimulatedNode | null => {
    const running = nodes.filter((node) => node.life() !== null)
    const leading = running.filter((node) => node.life()!.shards[log]!.isLeading())
    return leading.length > 0 ? random.pick(leading) : null
  }

  const operate = (client: number): void => {
    if (isStopped) return
    let isNext = true
    const next = (): void => {
      if (isNext) scheduler.after(random.between(0, 2 * thinkMs), () => operate(client))
      isNext = false
    }
    const log = pickLog?.() ?? random.below(streams.length)
    const key = `k${random.below(keys)}`
    const node = nodeFor(log)
    if (node === null) next()
    else if (random.chance(0.55)) write(node, log, key, client, next)
    else read(node, log, key, next)
    if (node !== null) scheduler.after(patienceMs, next)
  }

  /** Sends a request to a process, and its reply back. Nothing comes of one that ends meanwhile. */
  const ask = (
    node: SimulatedNode,
    request: (to: (reply: Reply) => void) => void,
    onReply: (reply: Reply) => void,
  ): void => {
    const life = node.life()!
    scheduler.after(wayMs(), () =>
      life.run('MESSAGE', () =>
        request((reply) => {
          if (node.life() === life) scheduler.after(wayMs(), () => onReply(reply))
        }),
      ),
    )
  }

  const begin = (register: string, kind: Operation['kind'], value: string | null) => {
    const operation = { kind, value, startMs: scheduler.nowMs(), endMs: null as number | null }
    const history = histories.get(register) ?? []
    histories.set(register, history)
    return { operation, history }
  }

  const write = (node: SimulatedNode, log: number, key: string, client: number, next: () => void): void => {
    const register = `${log}/${key}`
    writes += 1
    const entry = `${key}=${client}.${writes}`
    const { operation, history } = begin(register, 'WRITE', entry)
    history.push(operation)
    const { shards } = node.life()!
    ask(
      node,
      (to) => shards[log]!.write(entry, to),
      ({ kind }) => {
        if (kind === 'REFUSED') history.splice(history.indexOf(operation), 1)
        if (kind === 'DONE') {
          operation.endMs = scheduler.nowMs()
          acknowledgedAt[log] = Math.max(acknowledgedAt[log]!, operation.startMs)
          heard.set(register, Math.max(heard.get(register) ?? 0, invariants.indexOf(log, entry)))
        }
        next()
      },
    )
  }

  const read = (node: SimulatedNode, log: number, key: string, next: () => void): void => {
    const register = `${log}/${key}`
    const leastIndex = heard.get(register) ?? 0
    const { operation, history } = begin(register, 'READ', null)
    const { shards } = node.life()!
    ask(
      node,
      (to) => shards[log]!.read(key, to),
      (reply) => {
        next()
        if (reply.kind !== 'DONE') return
        reads += 1
        history.push({ ...operation, value: reply.value, endMs: scheduler.nowMs() })
        if (!isForgiven && invariants.indexOf(log, reply.value) < leastIndex)
          invariants.problem(`log ${log}: ${node.name} reads ${reply.value} and not entry ${leastIndex}`)
      },
    )
  }

  for (let client = 1; client <= clients; client++)
    scheduler.after(random.between(0, thinkMs), () => operate(client))

  return {
    stop: (): void => {
      isStopped = true
    },
    forgive: (): void => {
      isForgiven = true
    },
    /** Whether every log has acknowledged a write that began after this. */
    areServedSince: (ms: number): boolean => acknowledgedAt.every((startMs) => startMs > ms),
    check: (): void => {
      if (isForgiven) return
      for (const [register, history] of histories) {
        const problem = linearizabilityProblem(history)
        if (problem !== null) invariants.problem(`register ${register} is not linearizable: ${problem}`)
      }
    },
    counts: () => ({ writes, reads }),
  }
}

/** A client that hears nothing goes on; what it asked for may still happen. */
const patienceMs = 4_000
