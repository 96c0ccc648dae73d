import type { ClusterStatus } from '../../cluster-operations.ts'
import type { ClusterChange } from './remove.ts'
import {
  type ClusterTools,
  drained,
  isAnew,
  nodeIn,
  type PlannedSteps,
  plannedChange,
  refusalsByOthers,
  restlessness,
  stepDone,
} from './steps.ts'

/**
 * Restarts nodes one after the other, all where none is named: each is drained, ends, and is waited for. The service cannot start its process
 * again: what watches the process has to (systemd, Kubernetes). `onPlan` hears the steps first; with `isDryRun` nothing follows.
 */
export const rollingRestart = async (
  tools: ClusterTools,
  named: readonly string[],
  isDryRun: boolean,
  onPlan: (steps: readonly string[]) => void,
): Promise<ClusterChange> => {
  const { status, steps } = await plannedChange(tools, (status) => restartPlan(named, status, tools.stepMs))
  const nodes = orderOf(named, status)
  onPlan(steps)
  if (isDryRun) return { object: 'cluster_change', state: 'READY', nodes, steps }
  const names = status.nodes.map(({ node }) => node)
  for (const [n, node] of nodes.entries()) await restartNode(tools, node, names, nodes.slice(n + 1))
  return { object: 'cluster_change', state: 'DONE', nodes, steps }
}

const restartNode = async (
  tools: ClusterTools,
  node: string,
  names: readonly string[],
  later: readonly string[],
): Promise<void> => {
  const goOn = (left: readonly string[]): string =>
    left.length === 0 ? '' : `Then go on with: payments cluster rolling-restart ${left.join(' ')}`
  const incarnation = await drained(tools, node, names, false, goOn([node, ...later]))
  await tools.ask('cluster end', { node, incarnation, way: 'RESTART' })
  await stepDone(
    tools,
    { node, step: 'RETURN' },
    (status) =>
      isAnew(nodeIn(status, node), incarnation)
        ? restlessness(status, names, null)
        : [`node ${node} is not back`],
    `Look at its log and at what starts it. ${goOn(later)}`.trim(),
  )
}

const restartPlan = (named: readonly string[], status: ClusterStatus, stepMs: number): PlannedSteps => {
  const { nodes, writtenVersion } = status
  const draining = nodes.filter(({ state }) => state === 'DRAINING').map(({ node }) => node)
  const unknown = named.filter((name) => nodeIn(status, name) === undefined)
  const behind = nodes.filter(({ reads }) => reads !== null && reads < writtenVersion)
  const refusals = [
    ...(unknown.length > 0
      ? [`there is no node ${unknown.join(', ')}; the nodes are ${nodes.map(({ node }) => node).join(', ')}`]
      : []),
    ...(nodes.length < 2 ? ['there is no other node that could serve meanwhile'] : []),
    ...refusalsByOthers(status, null, ['SILENT', 'UNFIT', 'GONE']),
    // One may be what an interrupted restart has left: it is the first.
    ...(draining.length > 1 || (named.length > 0 && draining.some((node) => !named.includes(node)))
      ? refusalsByOthers(status, null, ['DRAINING'])
      : []),
    ...behind.map(
      ({ node, reads }) =>
        `node ${node} reads version ${reads}, and the cluster writes ${writtenVersion}: an upgrade was finished without it. Give it the newer build and start it first`,
    ),
  ]
  return {
    refusals,
    steps: orderOf(named, status).map(
      (node) =>
        `wait until every shard has an owner, nobody lags, and nothing is fetched; node ${node} hands its shards over, ends with code 75, and has ${Math.round(stepMs / 1000)} s until what watches its process has started it again`,
    ),
  }
}

/** One that is drained already comes first, and the node that is asked last. */
const orderOf = (named: readonly string[], { nodes, answeredBy }: ClusterStatus): readonly string[] => {
  const chosen = nodes.filter(({ node }) => named.length === 0 || named.includes(node))
  const place = ({ node, state }: (typeof chosen)[number]): number =>
    state === 'DRAINING' ? 0 : node === answeredBy ? 2 : 1
  return [...chosen].sort((a, b) => place(a) - place(b)).map(({ node }) => node)
}
