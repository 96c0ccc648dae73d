import type { ProviderInstance } from '../providers/port.ts'
import { type InboxLane, later } from './lane.ts'

/**
 * Has a bank know our address for notices (rails, section 2.1), now and each day, since a bank may forget it. Where it cannot be registered nothing is
 * lost: polls find what is not reported. The first time comes within so many milliseconds.
 */
export const keepHooksRegistered = (lane: InboxLane, firstWithinMs: number): void => {
  const { hookAddress, instance } = lane.reporting
  if (hookAddress === null || instance.registerHooks === undefined) return
  const register = instance.registerHooks
  const run = async (): Promise<void> => {
    const problem = await problemOf(register, hookAddress)
    if (lane.isClosed) return
    lane.onHooks(lane.reporting.connectionId, problem)
    if (problem !== null && problem !== lastProblem) lane.onAlert(alertOf(lane, problem))
    lastProblem = problem
    later(lane, problem === null ? dayMs : retryMs, () => void run())
  }
  let lastProblem: string | null = null
  later(lane, lane.random() * firstWithinMs, () => void run())
}

/** Why an address could not be registered; null where it stands. */
const problemOf = async (
  register: NonNullable<ProviderInstance['registerHooks']>,
  address: string,
): Promise<string | null> => {
  try {
    const { works, detail } = await register(address)
    return works ? null : (detail ?? 'the bank did not take it')
  } catch {
    return 'the bank did not answer'
  }
}

const alertOf = ({ reporting }: InboxLane, detail: string) =>
  ({
    kind: 'HOOKS_UNREGISTERED',
    connectionId: reporting.connectionId,
    accountId: reporting.accountId,
    detail,
  }) as const

const dayMs = 24 * 3_600_000
const retryMs = 3_600_000
