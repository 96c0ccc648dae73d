import type { ShardCopies } from '../../../../engine/companies/directory.ts'
import type { NodeStatus } from '../../../../gateway/link/cluster/control.ts'
import { clusterView } from '../../../../gateway/link/cluster/status.ts'
import { troublesOf } from '../../../../gateway/link/cluster/troubles.ts'
import type { ClusterStep, ClusterTools } from '../../../../gateway/operator/command-line/cluster/steps.ts'
import { type Answer, CommandFailure } from '../../../../gateway/operator/command-line/service.ts'

type FakeNode = {
  readonly node: string
  lives: number
  /** Looks until what watches it has started it again; null while it runs, Infinity for one that is not watched. */
  backIn: number | null
  isDraining: boolean
  leavesForGood: boolean
  isUnfit: boolean
  isSilent: boolean
  joining: number[]
  reads: number
}

type AskedInput = {
  readonly node?: string
  readonly way?: string
  readonly incarnation?: string
  readonly shard?: string
  readonly forGood?: boolean
}

/** A cluster of nodes that do what they are asked, over a clock that stands still but for pauses. */
export const newFakeCluster = (names: readonly string[], shardCount = 3) => {
  const nodes = new Map<string, FakeNode>(
    names.map((node) => [
      node,
      {
        ...{ node, lives: 1, backIn: null, joining: [], reads: 14 },
        ...{ isDraining: false, leavesForGood: false, isUnfit: false, isSilent: false },
      },
    ]),
  )
  const owners = Array.from({ length: shardCount }, (_, shard): string | null => names[shard % names.length]!)
  const pins = new Map<number, string>()
  const copies = new Map<number, ShardCopies>()
  const moves = { number: 0, nodes: new Map<number, string>() }
  const lag = new Map<string, number>()
  /** What was done, in order. */
  const done: string[] = []
  /** How many nodes were away at the same time. */
  let awayMax = 0
  let writtenVersion = 14
  let nowMs = 0
  let looksUntilBack = 2

  const running = (): FakeNode[] => [...nodes.values()].filter(({ backIn }) => backIn === null)
  const statuses = (): NodeStatus[] =>
    running()
      .filter(({ isSilent }) => !isSilent)
      .map(({ node, lives, joining, ...said }) => ({
        ...{ node, joining, incarnation: `${node}-${lives}`, version: '0.1.0', workers: 1, clockAheadMs: 0 },
        ...{ isDraining: said.isDraining, isUnfit: said.isUnfit, reads: said.reads },
        peers: running()
          .filter((peer) => peer.node !== node)
          .map((peer) => ({ node: peer.node, isAlive: true, reads: peer.reads })),
        shards: owners
          .map((owner, shard) => ({ shard, owner, epoch: 1, applied: 1000 - (lag.get(node) ?? 0) }))
          .filter(
            ({ shard }) => !joining.includes(shard) && (copies.get(shard)?.nodes.includes(node) ?? true),
          ),
      }))

  const giveAway = (node: string): void => {
    const takers = running().filter((other) => other.node !== node && !other.isDraining && !other.isUnfit)
    for (const [shard, owner] of owners.entries())
      if (owner === node && takers.length > 0) owners[shard] = takers[shard % takers.length]!.node
  }

  /** Another node gets the copy of one shard that this one holds. */
  const leaveCopy = (node: string): void => {
    const [shard, { number, nodes: holders }] = [...copies].find(([, { nodes }]) => nodes.includes(node)) ?? [
      0,
      { number: 0, nodes: [] },
    ]
    const other = names.find((name) => !holders.includes(name))!
    if (number > 0)
      copies.set(shard, { number: number + 1, nodes: [...holders.filter((name) => name !== node), other] })
  }

  /** As the service of a node answers. */
  const askAt =
    (asked: string): ClusterTools['ask'] =>
    async (name, input): Promise<Answer> => {
      if (nodes.get(asked)!.backIn !== null) throw new CommandFailure('no service answers')
      const { node = '', way = '', incarnation = '', shard = '', forGood = false } = input as AskedInput
      const found = nodes.get(node)
      switch (name) {
        case 'cluster status': {
          const view = clusterView(statuses(), shardCount, { pins, copies, moves, writtenVersion })
          return { object: 'cluster', id: 'pay', answeredBy: asked, troubles: troublesOf(view), ...view }
        }
        case 'cluster drain':
          done.push(`drain ${node}${forGood ? ' for good' : ''}`)
          found!.isDraining = true
          found!.leavesForGood = forGood
          giveAway(node)
          return {}
        case 'cluster end':
          if (!found!.isDraining || incarnation !== `${node}-${found!.lives}`)
            throw new CommandFailure(`node ${node} does not end`)
          done.push(`end ${node} ${way}`)
          found!.backIn = way === 'RESTART' ? looksUntilBack : Number.POSITIVE_INFINITY
          awayMax = Math.max(awayMax, names.length - running().length)
          return {}
        case 'cluster move':
          done.push(`move ${shard} ${node}`)
          pins.delete(Number(shard))
          return {}
        default:
          throw new Error(name)
      }
    }

  const tick = (): void => {
    for (const node of nodes.values()) {
      if (node.leavesForGood) leaveCopy(node.node)
      if (node.backIn === null || --node.backIn > 0) continue
      Object.assign(node, { backIn: null, lives: node.lives + 1, isDraining: false, leavesForGood: false })
    }
  }

  return {
    ...{ nodes, owners, pins, copies, lag, done },
    awayMax: () => awayMax,
    write: (version: number) => {
      writtenVersion = version
    },
    /** Nothing starts what ends. */
    unwatch: () => {
      looksUntilBack = Number.POSITIVE_INFINITY
    },
    kill: (node: string) => {
      nodes.get(node)!.backIn = Number.POSITIVE_INFINITY
    },
    tools: (asked: string, onPause: (pauses: number) => void | Promise<void> = () => undefined) => {
      const steps: ClusterStep[] = []
      let pauses = 0
      const tools: ClusterTools = {
        ask: askAt(asked),
        pause: async (ms) => {
          nowMs += ms
          tick()
          await onPause(++pauses)
        },
        stopwatch: () => nowMs,
        stepMs: 20_000,
        report: (step) => void steps.push(step),
      }
      return { tools, steps }
    },
  }
}
