import { HistoryUnavailable } from '../../engine/kernel/unavailable.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { nextTurn } from '../base/delay.ts'
import { historyUnavailable } from './archiving.ts'
import type { RunningShard, ShardHostOptions } from './running-shard.ts'
import { saveSnapshot } from './save-snapshot.ts'

/** Drops what is decoded in memory of accounts whose payers are forgotten, so that no answer shows it, and goes on with their columns. */
export const forgetSoon = (run: RunningShard): void => {
  const due = run.options.payersForgotten?.() ?? none
  if (due.size === 0) return
  run.log.journal.forgetDecoded()
  run.memory.forgetStates((accountId) => due.has(accountId))
  goOnForgetting(run)
}

/**
 * Takes forgotten payers out of the columns, in slices: other shards of this thread have requests to answer. What is not done before
 * the process ends, or while old entries cannot be read, is done later.
 */
export const goOnForgetting = (run: RunningShard): void => {
  if (run.options.payersForgotten === undefined || run.isStopped) return
  run.forgetting ??= forget(run, run.options.payersForgotten)
    .catch((error: unknown) => {
      if (error instanceof HistoryUnavailable) historyUnavailable(run, error)
      else run.broken(error)
    })
    .finally(() => {
      run.forgetting = null
    })
}

const none: ReadonlyMap<AccountId, number> = new Map()

const forget = async (
  run: RunningShard,
  payersForgotten: NonNullable<ShardHostOptions['payersForgotten']>,
): Promise<void> => {
  const { unsavedChangesMax = bounds.unsavedChangesMax } = run.options
  await nextTurn()
  for (;;) {
    // While the memory follows the log, a snapshot would have less than it.
    while (run.isCatchingUp && !run.isStopped) await nextTurn()
    const work = run.isStopped ? null : run.memory.forgetPayers(payersForgotten())
    if (work === null) return
    run.store.onForgetting()
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
