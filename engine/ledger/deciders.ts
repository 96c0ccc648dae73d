import { contextId } from '../kernel/context.ts'
import { addAll, type Decider, type Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Entropy } from '../shared/ids.ts'
import type { PixKey } from './account.ts'
import { advanceClock } from './clock.ts'
import type { LedgerCommand, OpenAccount } from './commands.ts'
import { settleDay } from './settle-day.ts'

/** Deciders for accounts and their clocks. */
export const ledgerDeciders: Deciders<LedgerCommand> = {
  OpenAccount: (draft, command) => openAccount(draft, command),
  SettleDay: (draft, command) => addAll(draft, settleDay(draft.account(), command, draft.context.nowMs)),
  AdvanceClock: (draft, command) => addAll(draft, advanceClock(draft.account(), command, draft.context)),
  ResetClock: (draft) => {
    draft.add({ type: 'ClockMoved', clockOffsetMs: 0, ...factOf(draft), atMs: draft.context.atMs })
    return null
  },
  RequestSampleEvent: (draft, { eventType }) => {
    draft.add({ type: 'SampleEventRequested', eventType, ...factOf(draft) })
    return null
  },
  ClearSandbox: (draft) => {
    draft.add({ type: 'SandboxCleared', ...factOf(draft) })
    return null
  },
}

const factOf = (draft: Draft) =>
  ({ actor: 'account', id: draft.account().id, atMs: draft.context.nowMs }) as const

const openAccount: Decider<OpenAccount> = (draft, { accountId: id, profile }) => {
  const { add, context } = draft
  const account = draft.find('account', id)
  if (account !== undefined) {
    if (profile.revision > account.profile.revision)
      add({ actor: 'account', type: 'ProfileChanged', id, atMs: context.nowMs, profile })
    return null
  }
  const pixKey: PixKey = {
    id: contextId(context, 'pxk'),
    type: 'EVP',
    key: randomUuid(context.entropy),
    createdAtMs: context.atMs,
  }
  add({ actor: 'account', type: 'AccountOpened', id, atMs: context.atMs, profile, pixKey })
  return null
}

/** A lower-case version 4 UUID (RFC 9562, section 5.4), as random PIX keys are. */
const randomUuid = (entropy: Entropy): string => {
  const hex = Array.from({ length: 4 }, () => entropy().toString(16).padStart(8, '0')).join('')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
