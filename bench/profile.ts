import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The profile that `--cpu-prof` writes for a thread: samples of its stack, and the microseconds between them. */
type Profile = {
  readonly startTime: number
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

type ProfileNode = {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

/** A stage of a request, and the functions that belong to it: `gateway/schema/json.js readJson`. */
export type Stage = readonly [name: string, functions: RegExp]

/** A moment of the system's monotonic clock, which all processes share, in microseconds. */
export const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n)

/**
 * Microseconds that all threads of a process spent in each stage between two moments, by the profiles that the
 * process left in a folder. A sample belongs to the stage of its innermost function that has one. Idle time is
 * left out.
 */
export const timesByStage = (
  folder: string,
  stages: readonly Stage[],
  window: { readonly fromUs: number; readonly toUs: number },
): ReadonlyMap<string, number> => {
  const times = new Map<string, number>([...stages.map(([name]) => name), rest].map((name) => [name, 0]))
  for (const file of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile
    const stageOf = stagesOfNodes(profile, stages)
    let atUs = profile.startTime
    profile.samples.forEach((id, n) => {
      // A sample stands for the time until the next one.
      const lastsUs = profile.timeDeltas[n + 1] ?? 0
      atUs += profile.timeDeltas[n]!
      const stage = stageOf.get(id)!
      if (stage !== idle && atUs >= window.fromUs && atUs < window.toUs)
        times.set(stage, times.get(stage)! + lastsUs)
    })
  }
  return times
}

const stagesOfNodes = ({ nodes }: Profile, stages: readonly Stage[]): ReadonlyMap<number, string> => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const stageOf = new Map<number, string>()
  const visit = (node: ProfileNode, outer: string): void => {
    const stage = ownStage(node, stages) ?? outer
    stageOf.set(node.id, stage)
    for (const child of node.children ?? []) visit(byId.get(child)!, stage)
  }
  visit(nodes[0]!, rest)
  return stageOf
}

const ownStage = (
  { callFrame: { functionName, url } }: ProfileNode,
  stages: readonly Stage[],
): string | null => {
  if (functionName === '(idle)') return idle
  const name = `${url.replace(/^.*\/(?:dist|node_modules)\//, '')} ${functionName}`
  return stages.find(([, functions]) => functions.test(name))?.[0] ?? null
}

const idle = 'idle'
/** The time that belongs to no stage. */
export const rest = 'the rest'
