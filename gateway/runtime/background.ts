import { randomBytes } from 'node:crypto'
import { delay } from '../base/delay.ts'
import { limits } from '../base/limits.ts'
import { openPendingChanges } from '../operations/pending-changes.ts'
import { giveKeys } from '../operations/people/give-keys.ts'
import type { MainServices } from './main-services.ts'
import type { MainState } from './main-state.ts'

/** Begins what the main thread does from time to time, before it serves. Returns what ends and stores the record of key uses. */
export const startBackground = async (
  state: MainState,
  services: MainServices,
): Promise<() => Promise<void>> => {
  const { log, storage, directory, commit } = state
  const { keyUses, notices } = services
  const orWarn = (storing: Promise<void>): Promise<void> =>
    storing.catch((error: unknown) => log.warn({ err: error }, 'last uses of keys are not stored'))
  const tellingKeyUses = setInterval(() => orWarn(keyUses.tick()), limits.keyUsesEveryMs)
  void keyUses.join()
  for (const trail of [state.auditTrail, state.actTrail]) {
    trail.report()
    setInterval(trail.reportOverdue, limits.accountsCheckMs).unref()
  }
  const watchKeys = (): Promise<void> =>
    notices.watchKeys().catch((error: unknown) => log.warn({ err: error }, 'keys are not looked at yet'))
  await giveKeys({
    directory,
    commit,
    masterKey: storage.masterKey,
    randomBytes,
    realNow: Date.now,
  }).catch((error: unknown) => log.warn({ err: error }, 'people without a key get one at the next start'))
  void notices.mailAll().then(watchKeys)
  setInterval(watchKeys, limits.keysWatchedMs).unref()
  void changePending(state, services)
  return () => {
    clearInterval(tellingKeyUses)
    return orWarn(keyUses.store())
  }
}

/** Puts changes of companies into effect for ever, each when its time has come. */
const changePending = async (
  { log, directory, commit }: MainState,
  { accounts }: MainServices,
): Promise<void> => {
  const { tick, nextInMs } = openPendingChanges({
    directory,
    commit,
    accounts,
    realNow: Date.now,
    onTrouble: (error, { id }) =>
      log.warn({ err: error, companyId: id }, 'a change of a company that is due is not made yet'),
  })
  for (;;) {
    await tick()
    await delay(nextInMs())
  }
}

/** Begins what is done once the service serves: accounts that are missing, mails that wait, sessions that are over. */
export const startUpkeep = ({ storage }: MainState, { accounts, outbox }: MainServices): void => {
  accounts.openMissing()
  setInterval(() => void outbox.send(), limits.mailRetryMs).unref()
  setInterval(
    () => void storage.sessions.prune(Date.now()).catch(() => undefined),
    limits.sessionsPrunedMs,
  ).unref()
}
