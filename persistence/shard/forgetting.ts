import { HistoryUnavailable } from '../../engine/kernel/unavailable.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { nextTurn } from '../base/delay.ts'
import { historyUnavailable } from './archiving.ts'
import type { RunningShard } from './running-shard.ts'
import { saveSnapshot } from './save-snapshot.ts'

/**
 * Drops what is decoded in memory of an account whose payers are forgotten, and takes them out of the columns in slices:
 * other shards of this thread have requests to answer. What is not done before the process ends is done in its next life.
 */
export const forgetSoon = (run: RunningShard): void => {
  const due = run.options.payersForgotten?.() ?? none
  if (due.size === 0 || run.isStopped) return
  run.log.journal.forgetDecoded()
  run.memory.forgetStates((accountId) => due.has(accountId))
  run.forgetting ??= forget(run)
    .catch((error: unknown) => {
      if (error instanceof HistoryUnavailable) historyUnavailable(run, error)
      else run.broken(error)
    })
    .finally(() => {
      run.forgetting = null
    })
}

const none: ReadonlyMap<AccountId, number> = new Map()

const forget = async (run: RunningShard): Promise<void> => {
  const { unsavedChangesMax = bounds.unsavedChangesMax, payersForgotten } = run.options
  await nextTurn()
  for (;;) {
    // While the memory follows the log, a snapshot would have less than it.
    while (run.isCatchingUp && !run.isStopped) await nextTurn()
    const work = run.isStopped ? null : run.memory.forgetPayers(payersForgotten!())
    if (work === null) return
    for (let step = work.next(); step.done !== true; step = work.next()) {
      // What no snapshot has yet stays in memory.
      if (run.memory.unsaved() >= unsavedChangesMax) await saveSnapshot(run)
      await nextTurn()
      if (run.isStopped) return
    }
    // Until then the disk has what memory forgot.
    await saveSnapshot(run)
  }
}
