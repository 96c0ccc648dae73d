import { auditDeciders, recordCommand } from './audit/deciders.ts'
import { billingDeciders } from './billing/deciders.ts'
import { countRecurring } from './billing/figures/count.ts'
import { controlDeciders } from './controls/deciders.ts'
import { keepNightLimit } from './controls/keep-night-limit.ts'
import { cryptoDeciders } from './crypto/deciders.ts'
import { customerDeciders } from './customers/deciders.ts'
import type { Decider, Deciders } from './kernel/decider.ts'
import type { Command } from './kernel/registry.ts'
import { ledgerDeciders } from './ledger/deciders.ts'
import { noticeDeciders } from './notices/deciders.ts'
import { raiseNotices } from './notices/raise.ts'
import { blockForMeds } from './payments/block-for-meds.ts'
import { paymentDeciders } from './payments/deciders.ts'
import { payoutDeciders } from './payouts/payouts.ts'
import { recipientDeciders } from './recipients/register.ts'
import { auditedActors } from './registry.ts'
import { sandboxDeciders } from './sandbox/seed.ts'
import { writeStatement } from './statement/write.ts'
import { supportDeciders } from './support/deciders.ts'
import { transferDeciders } from './transfers/deciders.ts'
import { viewDeciders } from './views/handlers.ts'
import { deliveryDeciders } from './webhooks/decide.ts'

/** Who decides each command. */
const deciders: Deciders<Command> = {
  ...ledgerDeciders,
  ...deliveryDeciders,
  ...customerDeciders,
  ...recipientDeciders,
  ...paymentDeciders,
  ...payoutDeciders,
  ...cryptoDeciders,
  ...transferDeciders,
  ...billingDeciders,
  ...sandboxDeciders,
  ...auditDeciders,
  ...controlDeciders,
  ...supportDeciders,
  ...noticeDeciders,
  ...viewDeciders,
}

/** Decides a command: adds its facts to the draft, or returns why the business says no. */
export const decide: Decider<Command> = (draft, command) => {
  if (command.type !== 'OpenAccount' && draft.find('account', command.accountId) === undefined)
    return { reason: 'ACCOUNT_ABSENT' }
  const rejection = (deciders[command.type] as Decider<Command>)(draft, command)
  if (rejection !== null) return rejection
  keepNightLimit(draft)
  blockForMeds(draft)
  countRecurring(draft)
  writeStatement(draft)
  raiseNotices(draft, command.audit?.actor.name ?? null)
  if (command.audit !== undefined && !command.isPreview)
    recordCommand(draft, command, command.audit, auditedActors)
  return null
}
