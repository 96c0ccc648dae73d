// Wiring: the entry of the program, the main thread, and the workers, which open all other parts of the gateway
// and connect them. No other folder imports this one.
import { randomBytes } from 'node:crypto'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { turnPayerKeys } from '../operations/account/payer-keys.ts'
import { openPendingChanges } from '../operations/pending-changes.ts'
import { distrustCodes } from '../operations/people/distrust-codes.ts'
import { giveKeys } from '../operations/people/give-keys.ts'
import type { MainServices } from './main-services.ts'
import type { MainState } from './main-state.ts'

/** Starts periodic work before the service serves. The returned function ends it and stores key uses. */
export const startBackground = async (
  state: MainState,
  services: MainServices,
): Promise<() => Promise<void>> => {
  const { log, storage, directory, commit } = state
  const { keyUses, notices, payerMails } = services
  const orWarn = (storing: Promise<void>): Promise<void> =>
    storing.catch((error: unknown) => log.warn({ err: error }, 'last uses of keys are not stored'))
  const tellingKeyUses = setInterval(() => orWarn(keyUses.tick()), bounds.keyUsesEveryMs)
  void keyUses.join()
  for (const trail of [state.auditTrail, state.actTrail]) {
    trail.report()
    setInterval(trail.reportOverdue, bounds.accountsCheckMs).unref()
  }
  if (storage.hasLostSessions) {
    log.warn('the record of sessions was gone: codes of authenticator apps count again with the next one')
    await distrustCodes({
      directory,
      record: (decide) => storage.sessions.append(decide),
      realNow: Date.now,
    })
  }
  const watchKeys = (): Promise<void> =>
    notices.watchKeys().catch((error: unknown) => log.warn({ err: error }, 'keys are not looked at yet'))
  const tools = { directory, commit, masterKey: storage.masterKey, randomBytes, realNow: Date.now }
  await giveKeys(tools).catch((error: unknown) =>
    log.warn({ err: error }, 'people without a key get one at the next start'),
  )
  const turnKeys = (): Promise<void> =>
    turnPayerKeys(tools).catch((error: unknown) =>
      log.warn({ err: error }, 'keys of payers are not turned yet'),
    )
  await turnKeys()
  setInterval(turnKeys, bounds.payerKeysTurnedMs).unref()
  void notices.mailAll().then(watchKeys)
  void payerMails.queueAll()
  setInterval(watchKeys, bounds.keysWatchedMs).unref()
  void changePending(state, services)
  return () => {
    clearInterval(tellingKeyUses)
    return orWarn(keyUses.store())
  }
}

/** Applies due changes of companies, in an endless loop. */
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

/** Starts the work of a serving service: opens missing accounts, connects them, sends mails, removes ended sessions, finishes upgrades. */
export const startUpkeep = (
  { storage, log }: MainState,
  { accounts, rails, connections, outbox, autoFinalize }: MainServices,
): void => {
  accounts.openMissing()
  rails.applyMissing()
  void connections.tick()
  setInterval(() => void connections.tick(), bounds.connectionsLookMs).unref()
  setInterval(() => void connections.tickNew(), bounds.connectionsLookNewMs).unref()
  if (autoFinalize !== null) {
    const look = (): Promise<void> =>
      autoFinalize().catch((error: unknown) => log.warn({ err: error }, 'the upgrade is not finished yet'))
    setInterval(look, bounds.finalizeLookMs).unref()
  }
  setInterval(() => void outbox.send(), bounds.mailRetryMs).unref()
  setInterval(
    () => void storage.sessions.prune(Date.now()).catch(() => undefined),
    bounds.sessionsPrunedMs,
  ).unref()
}
