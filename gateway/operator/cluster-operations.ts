import { type Commit, type Directory, firstWrittenVersion } from '../../engine/companies/directory.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import type { ControlAnswer, ControlChannel, EndingWay, NodeStatus } from '../link/cluster/control.ts'
import { type ClusterView, clusterView } from '../link/cluster/status.ts'
import { troublesOf } from '../link/cluster/troubles.ts'
import { choiceOf, type Input, type Operations, operationsOn, readText, taking } from '../operations/input.ts'
import { absent, refuse, refuseInvalid } from '../problems/refusal.ts'
import { raiseVersion } from './auto-finalize.ts'

type Options = {
  readonly cluster: string
  /** The node that is asked. */
  readonly node: string
  readonly shards: number
  readonly directory: Directory
  readonly commit: Commit
  readonly channel: ControlChannel
  /** How long nodes have to report their status, and how long a try to move a shard waits for the next one. */
  readonly statusMs: number
}

/** The operations on a cluster, available at each of its nodes. */
export const clusterOperations = (
  options: Omit<Options, 'statusMs'> & Partial<Pick<Options, 'statusMs'>>,
): Operations =>
  operationsOn(
    { statusMs: bounds.clusterStatusMs, ...options },
    {
      'cluster status': status,
      'cluster drain': taking(['node', 'forGood'], drain),
      'cluster end': end,
      'cluster move': move,
      'cluster finalize': taking(['dryRun'], finalize),
    },
  )

const view = async ({ channel, statusMs, shards, directory }: Options): Promise<ClusterView> => {
  const areEnough = (answers: readonly unknown[]): boolean => isEverybody(statusesIn(answers))
  const answers = await channel.askAll({ type: 'status' }, statusMs, areEnough)
  return clusterView(statusesIn(answers), shards, directory)
}

/** What `payments cluster` sees of a cluster. */
export type ClusterStatus = ClusterView & {
  readonly object: 'cluster'
  readonly id: string
  /** The node that was asked. */
  readonly answeredBy: string
  /** What is not well; empty where any node may be taken away. */
  readonly troubles: readonly string[]
}

const status = async (options: Options): Promise<ClusterStatus> => {
  const seen = await view(options)
  return {
    object: 'cluster',
    id: options.cluster,
    answeredBy: options.node,
    troubles: troublesOf(seen),
    ...seen,
  }
}

const drain = async ({ channel }: Options, input: Input): Promise<object> => {
  const node = readText(input, 'node')
  const request = { type: 'drain', forGood: input.forGood === true } as const
  const answer = (await channel.askNode(node, request, bounds.drainMs)) as ControlAnswer | null
  if (answer === null) refuse(`node ${node} does not answer`)
  if (!answer.ok) refuse(`node ${node} cannot be drained: ${answer.reason}`)
  return { object: 'node', id: node, state: 'DRAINED' }
}

/** Ends a drained node; the last step of `payments cluster remove` and `rolling-restart`. It may still run when this resolves. */
const end = async ({ channel }: Options, input: Input): Promise<object> => {
  const node = readText(input, 'node')
  const way: EndingWay = choiceOf(input.way, 'way', ['RESTART', 'REMOVED'])
  const request = { type: 'end', incarnation: readText(input, 'incarnation'), way } as const
  const answer = (await channel.askNode(node, request, bounds.handOverMs)) as ControlAnswer | null
  if (answer === null) refuse(`node ${node} does not answer`)
  if (!answer.ok) refuse(`node ${node} does not end: ${answer.reason}`)
  return { object: 'node', id: node, state: 'ENDING' }
}

const move = async (options: Options, input: Input): Promise<object> => {
  const { commit, statusMs } = options
  const shard = shardOf(options, input)
  const node = readText(input, 'node')
  if (node === 'auto') {
    await commit(() => ({ type: 'ShardPinned', shard, node: null }))
    return { object: 'shard', id: shard, pinnedTo: null }
  }
  for (let left: number = bounds.moveTriesMax; ; left--) {
    const problem = await tryToMove(options, shard, node)
    if (problem === null) return { object: 'shard', id: shard, owner: node, pinnedTo: node }
    if (left === 1) refuse(problem)
    await delay(statusMs)
  }
}

/**
 * Resolves to null once the node owns the shard, otherwise to an obstacle that may soon be gone: the owner is changing right
 * now, or the node is catching up or not answering for a moment. Pins the shard first, so that rebalancing does not move it
 * back.
 */
const tryToMove = async (options: Options, shard: number, node: string): Promise<string | null> => {
  const { directory, commit, channel } = options
  const { nodes, shards: views } = await view(options)
  const state = nodes.find((found) => found.node === node)?.state
  if (state === undefined) absent(`there is no node ${node}; the nodes are ${listed(nodes)}`)
  if (state === 'SILENT') return `node ${node} is SILENT`
  if (state !== 'ALIVE') refuse(`node ${node} is ${state}`)
  if (directory.pins.get(shard) !== node) await commit(() => ({ type: 'ShardPinned', shard, node }))
  const { owner } = views[shard]!
  if (owner === node) return null
  const isPinned = `shard ${shard} is pinned to ${node}`
  if (owner === null) return `${isPinned}, and has no owner now`
  const request = { type: 'handOver', shard, node } as const
  const answer = (await channel.askNode(owner, request, bounds.handOverMs)) as ControlAnswer | null
  if (answer?.ok) return null
  return `${isPinned}, but ${owner} does not hand it over now: ${answer?.reason ?? 'it does not answer'}`
}

/** Has the cluster write the newest version that every node reads; from then on no earlier build can be part of it. */
const finalize = async (options: Options, input: Input): Promise<object> => {
  const { directory, commit } = options
  const isDryRun = input.dryRun === true
  const { nodes } = await view(options)
  const silent = nodes.filter(({ state }) => state === 'SILENT' || state === 'GONE')
  if (silent.length > 0)
    refuse(`what these nodes read is not known, because they do not answer: ${listed(silent)}`)
  const readable = nodes.map(({ reads }) => reads ?? firstWrittenVersion)
  const version = Math.max(...readable)
  const behind = nodes.filter((_, n) => readable[n]! < version)
  if (behind.length > 0)
    refuse(
      `other nodes read version ${version}, and these less: ${behind.map(({ node, reads }) => `${node} (${reads})`).join(', ')}: start a newer version of the service there first`,
    )
  const before = directory.writtenVersion
  const isNewer = version > before
  if (isNewer && !isDryRun) await raiseVersion({ directory, commit, realNow: Date.now }, version)
  return {
    object: 'upgrade',
    state: isNewer ? (isDryRun ? 'READY' : 'FINISHED') : 'NOTHING_TO_DO',
    before,
    after: version,
    nodes: nodes.map(({ node }) => node),
  }
}

const shardOf = ({ shards }: Options, input: Input): number => {
  const text = readText(input, 'shard')
  const shard = /^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN
  return shard < shards ? shard : refuseInvalid(`shard must be 0 to ${shards - 1}`)
}

/** The same operations for a service outside a cluster, where each is refused. */
export const noClusterOperations: Operations = Object.fromEntries(
  ['cluster status', 'cluster drain', 'cluster end', 'cluster move', 'cluster finalize'].map((name) => [
    name,
    async () => refuse('this service is no part of a cluster: CLUSTER is not set'),
  ]),
)

const statusesIn = (answers: readonly unknown[]): readonly NodeStatus[] =>
  (answers as readonly ControlAnswer[]).flatMap((answer) => (answer.ok ? (answer.status ?? []) : []))

/** Whether these nodes see exactly each other, so that no other will answer. One alone may have just started. */
const isEverybody = (statuses: readonly NodeStatus[]): boolean => {
  const names = statuses.map(({ node }) => node)
  const circle = names.toSorted().join()
  const hears = ({ node, peers }: NodeStatus): string =>
    [node, ...peers.flatMap((peer) => (peer.isAlive ? peer.node : []))].toSorted().join()
  return names.length > 1 && statuses.every((status) => hears(status) === circle)
}

const listed = (nodes: ClusterView['nodes']): string => nodes.map(({ node }) => node).join(', ') || 'none'
