// Changes of a cluster that take several steps. The command line takes them, not the service: the service that it asks may be one that ends.
import { copiesPlacedAt, hasWholeCopy, namedShards, troublesOf } from '../../../link/cluster/troubles.ts'
import type { ClusterStatus } from '../../cluster-operations.ts'
import { type Answer, CommandFailure } from '../service.ts'

/** What a change of a cluster needs: the running service, time, and who hears how far it is. */
export type ClusterTools = {
  readonly ask: (name: string, input: object) => Promise<Answer>
  readonly pause: (ms: number) => Promise<void>
  /** Monotonic milliseconds; only differences matter. */
  readonly stopwatch: () => number
  /** How long each step may take. */
  readonly stepMs: number
  readonly report: (step: ClusterStep) => void
}

/** How far a change is. SETTLE: until every shard has a living owner, no node lags, and nothing is fetched. */
export type ClusterStep = {
  readonly object: 'cluster_step'
  readonly node: string
  readonly step: 'SETTLE' | 'DRAIN' | 'END' | 'RETURN' | 'FORGET'
  readonly state: 'WAITING' | 'DONE'
  readonly waitsFor: readonly string[]
}

/** What a change would do, and why it must not. */
export type PlannedSteps = { readonly refusals: readonly string[]; readonly steps: readonly string[] }

/**
 * Resolves to the status of the cluster and the steps of a plan that nothing refuses. A node that is busy for a moment looks SILENT, and
 * one that died just before still owns its shards: it looks a few times before it fails with the refusal.
 */
export const plannedChange = async (
  tools: ClusterTools,
  planOf: (status: ClusterStatus) => PlannedSteps,
): Promise<{ readonly status: ClusterStatus; readonly steps: readonly string[] }> => {
  for (let left = looksMax; ; left--) {
    const status = await statusOf(tools)
    const { refusals, steps } = planOf(status)
    const [refusal] = refusals
    if (refusal === undefined) return { status, steps }
    if (left === 1) throw new CommandFailure(refusal)
    await tools.pause(lookMs)
  }
}

/** Resolves when a step is done. Fails with what it still waits for, and what to do, when that takes too long. */
export const stepDone = async (
  tools: ClusterTools,
  about: Pick<ClusterStep, 'node' | 'step'>,
  waitsForIn: (status: ClusterStatus) => readonly string[],
  whatToDo: string,
): Promise<void> => {
  const startedMs = tools.stopwatch()
  const report = (state: ClusterStep['state'], waitsFor: readonly string[]): void =>
    tools.report({ object: 'cluster_step', ...about, state, waitsFor })
  for (;;) {
    const status = await statusOf(tools).catch(nullWhileAway)
    const waitsFor = status === null ? ['the service of this machine is away'] : waitsForIn(status)
    if (waitsFor.length === 0) return report('DONE', [])
    if (tools.stopwatch() - startedMs >= tools.stepMs)
      throw new CommandFailure(
        `it stops after ${Math.round(tools.stepMs / 1000)} s: ${waitsFor.join('; ')}. ${whatToDo}`,
      )
    report('WAITING', waitsFor)
    await tools.pause(lookMs)
  }
}

/**
 * Drains a node and resolves to its incarnation when the others own everything and are well. Fails at once where another node is drained as
 * well: of two changes at the same time, each sees the other's node before it ends its own. `forGood` waits until others have its copies.
 */
export const drained = async (
  tools: ClusterTools,
  node: string,
  names: readonly string[],
  forGood: boolean,
  whatToDo: string,
): Promise<string> => {
  const isAlone = (status: ClusterStatus): void => {
    const [refusal] = refusalsByOthers(status, node, ['DRAINING'])
    if (refusal !== undefined) throw new CommandFailure(refusal)
  }
  let incarnation = ''
  await stepDone(
    tools,
    { node, step: 'SETTLE' },
    (status) => {
      isAlone(status)
      const found = nodeIn(status, node)
      incarnation = found?.incarnation ?? ''
      return restlessness(
        status,
        names,
        found?.state === 'DRAINING' || found?.state === 'UNFIT' ? node : null,
      )
    },
    whatToDo,
  )
  await tools.ask('cluster drain', { node, ...(forGood && { forGood }) })
  await stepDone(
    tools,
    { node, step: 'DRAIN' },
    (status) => {
      isAlone(status)
      const found = nodeIn(status, node)
      if (isAnew(found, incarnation))
        throw new CommandFailure(`node ${node} started anew while it was drained`)
      const isEmpty = found?.state === 'DRAINING' && found.shards === 0
      return [
        ...(isEmpty
          ? []
          : [`node ${node} is ${found?.state ?? 'GONE'} and owns ${found?.shards ?? 0} shards`]),
        ...(forGood ? copiesLeft(node, status) : []),
        ...restlessness(status, names, node),
      ]
    },
    `${whatToDo} Node ${node} serves what others own, and takes shards again when it is restarted.`,
  )
  return incarnation
}

const copiesLeft = (node: string, status: ClusterStatus): readonly string[] => {
  const shards = copiesPlacedAt(node, status)
  return shards.length === 0 ? [] : [`other nodes get the copies of ${namedShards(shards)}`]
}

/** What is not well in the cluster, of nodes that are missing as well. */
export const restlessness = (
  status: ClusterStatus,
  names: readonly string[],
  leaving: string | null,
): readonly string[] => [
  ...names
    .filter((node) => node !== leaving && nodeIn(status, node) === undefined)
    .map((node) => `node ${node} is GONE`),
  ...troublesOf(status, leaving),
]

/** Why nothing may be changed while other nodes are in one of these states. */
export const refusalsByOthers = (
  { nodes }: ClusterStatus,
  node: string | null,
  unwanted: readonly NodeIn['state'][],
): readonly string[] =>
  nodes
    .filter((other) => other.node !== node && unwanted.includes(other.state))
    .map((other) =>
      other.state === 'DRAINING'
        ? `node ${other.node} is DRAINING: it is being taken away, or that was interrupted; when it is restarted it takes shards again`
        : `node ${other.node} is ${other.state}: no node is taken away before that is over`,
    )

/** The shards of which no other node is ALIVE with a whole copy. */
export const lastCopiesAt = (node: string, { nodes, shards }: ClusterStatus): readonly number[] => {
  const others = nodes.filter((other) => other.node !== node)
  return shards
    .filter((shard) => !others.some((other) => hasWholeCopy(other, shard)))
    .map(({ shard }) => shard)
}

type NodeIn = ClusterStatus['nodes'][number]

/** A node of the cluster; undefined where it is not heard. */
export const nodeIn = ({ nodes }: ClusterStatus, name: string): NodeIn | undefined =>
  nodes.find(({ node }) => node === name)

/** Whether a node has started since it had this incarnation. */
export const isAnew = (found: NodeIn | undefined, incarnation: string): boolean =>
  found !== undefined && found.incarnation !== null && found.incarnation !== incarnation

const statusOf = async ({ ask }: ClusterTools): Promise<ClusterStatus> =>
  (await ask('cluster status', {})) as ClusterStatus

/** The service that is asked may be the one that starts anew. */
const nullWhileAway = (error: unknown): null => {
  if (error instanceof CommandFailure) return null
  throw error
}

const lookMs = 500
const looksMax = 10
