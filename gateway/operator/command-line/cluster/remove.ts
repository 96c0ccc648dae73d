import { copiesPlacedAt, namedShards } from '../../../link/cluster/troubles.ts'
import type { ClusterStatus } from '../../cluster-operations.ts'
import { CommandFailure } from '../service.ts'
import {
  type ClusterTools,
  drained,
  isAnew,
  lastCopiesAt,
  nodeIn,
  type PlannedSteps,
  plannedChange,
  refusalsByOthers,
  stepDone,
} from './steps.ts'

/** A change that is only said, or that was made. */
export type ClusterChange = {
  readonly object: 'cluster_change'
  readonly state: 'READY' | 'DONE' | 'NOTHING_TO_DO'
  readonly nodes: readonly string[]
  readonly steps: readonly string[]
}

/**
 * Takes a node out of the cluster for good: a living one is drained and ends, and what is pinned to it no longer is; of a dead one only the
 * last. Can be repeated after it was interrupted. `onPlan` hears the steps first; with `isDryRun` nothing follows.
 */
export const removeNode = async (
  tools: ClusterTools,
  node: string,
  isDryRun: boolean,
  onPlan: (steps: readonly string[]) => void,
): Promise<ClusterChange> => {
  const { status, steps } = await plannedChange(tools, (status) => removalPlan(node, status))
  const nodes = status.nodes.map((found) => found.node).filter((name) => name !== node)
  const change = (state: ClusterChange['state']): ClusterChange => ({
    object: 'cluster_change',
    state,
    nodes,
    steps,
  })
  if (steps.length === 0) return change('NOTHING_TO_DO')
  onPlan(steps)
  if (isDryRun) return change('READY')
  if (isRunning(node, status)) await endForGood(tools, node, nodes)
  for (const shard of pinnedTo(node, status))
    await tools.ask('cluster move', { shard: String(shard), node: 'auto' })
  tools.report({ object: 'cluster_step', node, step: 'FORGET', state: 'DONE', waitsFor: [] })
  return change('DONE')
}

const endForGood = async (tools: ClusterTools, node: string, nodes: readonly string[]): Promise<void> => {
  const whatToDo = `Give the command once more when that is over: payments cluster remove ${node}`
  const incarnation = await drained(tools, node, nodes, true, whatToDo)
  await tools.ask('cluster end', { node, incarnation, way: 'REMOVED' })
  await stepDone(
    tools,
    { node, step: 'END' },
    (status) => {
      if (isAnew(nodeIn(status, node), incarnation))
        throw new CommandFailure(`node ${node} started anew while it was removed. ${whatToDo}`)
      return isRunning(node, status) ? [`node ${node} still runs`] : []
    },
    whatToDo,
  )
}

const removalPlan = (node: string, status: ClusterStatus): PlannedSteps => {
  const { nodes, answeredBy } = status
  const found = nodeIn(status, node)
  const isDead = !isRunning(node, status)
  const staying = nodes.filter((other) => other.node !== node && other.state === 'ALIVE')
  const lastCopies = lastCopiesAt(node, status)
  const placed = copiesPlacedAt(node, status)
  // Others get a copy of what is placed before a living node ends.
  const stranded = lastCopies.filter((shard) => !placed.includes(shard))
  const ownerless = status.shards.filter(({ owner }) => owner === null || !isRunning(owner, status))
  const pinned = pinnedTo(node, status)
  const refusals = [
    ...(node === answeredBy
      ? [`the service of this machine is node ${node}: give the command on the machine of another node`]
      : []),
    ...(found?.state === 'SILENT'
      ? [`node ${node} is heard and does not answer: end its process before it is removed`]
      : []),
    ...refusalsByOthers(status, node, ['SILENT', 'DRAINING']),
    ...(!isDead && staying.length === 0 ? [`node ${node} is the only one that is ALIVE`] : []),
    ...(!isDead && stranded.length > 0
      ? [
          `node ${node} has the last whole copy of ${namedShards(stranded)}: wait until another node that is ALIVE has one`,
        ]
      : []),
    ...(isDead && lastCopies.length + ownerless.length > 0
      ? [
          `node ${node} does not run, and may be needed: ${namedShards([...new Set([...lastCopies, ...ownerless.map(({ shard }) => shard)])])} of the others have no owner or no whole copy. Start it`,
        ]
      : []),
  ]
  const unpinning = pinned.length > 0 ? [`${namedShards(pinned)}: no longer pinned to node ${node}`] : []
  if (isDead) return { refusals, steps: [...unpinning, ...copiesLater(node, placed)] }
  return {
    refusals,
    steps: [
      'wait until every shard has an owner, nobody lags, and nothing is fetched',
      `node ${node} hands ${found!.shards} shards over, and takes no more`,
      ...(placed.length > 0 ? [`other nodes get the copies of ${namedShards(placed)} that it holds`] : []),
      `node ${node} ends with code 78, and does not start again with its data directory`,
      ...unpinning,
      ...(staying.length === 1 ? [`one node is left: nobody takes over from it when it dies`] : []),
    ],
  }
}

const copiesLater = (node: string, shards: readonly number[]): readonly string[] =>
  shards.length === 0
    ? []
    : [`${namedShards(shards)}: others get the copies CLUSTER_GONE_MINUTES after node ${node} fell silent`]

const isRunning = (node: string, status: ClusterStatus): boolean =>
  (nodeIn(status, node)?.state ?? 'GONE') !== 'GONE'

const pinnedTo = (node: string, { shards }: ClusterStatus): readonly number[] =>
  shards.filter((shard) => shard.pinnedTo === node).map(({ shard }) => shard)
