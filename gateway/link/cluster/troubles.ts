import type { ClusterView, NodeView } from './status.ts'

/**
 * What is not well in a cluster, a sentence for each thing: a shard without a living owner, a node that is not ALIVE, or has no whole copy of
 * what it should hold. Empty where any node may be taken away. The node that leaves may be in any state.
 */
export const troublesOf = (view: TroubledView, leaving: string | null = null): readonly string[] => [
  ...unownedShards(view),
  ...view.nodes.filter(({ node }) => node !== leaving).flatMap((node) => nodeTroubles(node, view)),
  ...unheardHolders(view, leaving),
]

/** The shards of which a node holds a copy because it was chosen to, and not because every node holds one. */
export const copiesPlacedAt = (name: string, { shards }: Pick<ClusterView, 'shards'>): readonly number[] =>
  shards.filter(({ holders }) => holders?.includes(name)).map(({ shard }) => shard)

type TroubledView = Pick<ClusterView, 'nodes' | 'shards'>

/** Whether a node is ALIVE and has every record of a shard, but for those that are on their way. */
export const hasWholeCopy = (
  { node, state, joining }: NodeView,
  shard: ClusterView['shards'][number],
): boolean =>
  state === 'ALIVE' &&
  !joining.includes(shard.shard) &&
  (shard.owner === node || (shard.lag[node] ?? Number.POSITIVE_INFINITY) <= lagMax)

/** `shard 3`, `shards 0, 1` */
export const namedShards = (shards: readonly number[]): string =>
  `shard${shards.length === 1 ? '' : 's'} ${shards.join(', ')}`

/** As many records may lack a node that is given a shard. */
const lagMax = 100

const unownedShards = ({ nodes, shards }: TroubledView): readonly string[] => {
  const states = new Map(nodes.map(({ node, state }) => [node, state]))
  return shards.flatMap(({ shard, owner }) => {
    if (owner === null) return [`shard ${shard} has no owner`]
    const state = states.get(owner)
    return state === 'GONE' || state === undefined
      ? [`the owner of shard ${shard} is ${owner}, which is gone`]
      : []
  })
}

const nodeTroubles = ({ node, state, joining }: NodeView, { shards }: TroubledView): readonly string[] => {
  if (state !== 'ALIVE') return [`node ${node} is ${state}`]
  const followed = shards.filter(
    ({ owner, shard, holders }) =>
      owner !== node && !joining.includes(shard) && (holders?.includes(node) ?? true),
  )
  const unopened = followed.filter(({ lag }) => lag[node] === undefined).map(({ shard }) => shard)
  return [
    ...(joining.length > 0 ? [`node ${node} fetches ${namedShards(joining)}`] : []),
    ...(unopened.length > 0 ? [`node ${node} has not opened ${namedShards(unopened)}`] : []),
    ...followed
      .filter(({ lag }) => (lag[node] ?? 0) > lagMax)
      .map(({ shard, lag }) => `node ${node} lacks ${lag[node]} records of shard ${shard}`),
  ]
}

const unheardHolders = (view: TroubledView, leaving: string | null): readonly string[] => {
  const heard = new Set(view.nodes.map(({ node }) => node))
  const holders = new Set(view.shards.flatMap((shard) => shard.holders ?? []))
  return [...holders]
    .filter((node) => node !== leaving && !heard.has(node))
    .map(
      (node) => `node ${node} is not heard, and holds copies of ${namedShards(copiesPlacedAt(node, view))}`,
    )
}
