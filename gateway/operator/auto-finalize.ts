import { type Commit, type Directory, firstWrittenVersion } from '../../engine/companies/directory.ts'
import type { NodeStatus } from '../link/cluster/control.ts'

type AutoFinalizeOptions = {
  readonly directory: Directory
  readonly commit: Commit
  /** This node and those that it hears. */
  readonly status: () => Promise<Pick<NodeStatus, 'reads' | 'peers'>>
  readonly realNow: () => number
  /** Monotonic milliseconds; only differences matter. */
  readonly stopwatch: () => number
  /** How long all nodes have to have read a newer version. */
  readonly steadyMs: number
  readonly onRaised: (version: number) => void
}

/**
 * Finishes upgrades without an operator: once all living nodes have read a newer version for a time, the cluster writes
 * it. The returned function looks whether that is so, and has to be called now and then.
 */
export const openAutoFinalize = (options: AutoFinalizeOptions): (() => Promise<void>) => {
  const { directory, status, stopwatch, steadyMs, onRaised } = options
  let steady = { version: 0, sinceMs: 0 }
  return async () => {
    const { reads = firstWrittenVersion, peers } = await status()
    const version = Math.min(
      reads,
      ...peers.filter(({ isAlive }) => isAlive).map((peer) => peer.reads ?? firstWrittenVersion),
    )
    if (version !== steady.version) steady = { version, sinceMs: stopwatch() }
    if (version <= directory.writtenVersion || stopwatch() - steady.sinceMs < steadyMs) return
    if (await raiseVersion(options, version)) onRaised(version)
  }
}

/** Raises the version that the cluster writes. Resolves to whether this node did: another may have been first. */
export const raiseVersion = async (
  { directory, commit, realNow }: Pick<AutoFinalizeOptions, 'directory' | 'commit' | 'realNow'>,
  version: number,
): Promise<boolean> => {
  let isFirst = false
  await commit(() => {
    isFirst = directory.writtenVersion < version
    return isFirst ? { type: 'VersionRaised', version, atMs: realNow() } : null
  })
  return isFirst
}
