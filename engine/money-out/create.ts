import { providerOf } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { addDays, dateIn } from '../shared/calendar.ts'
import type { BeneficiaryId, KeyLookupId, PersonId } from '../shared/ids.ts'
import { limits } from '../shared/limits.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { approvalTermsOf } from './approval.ts'
import type { CreateTransfer } from './commands.ts'
import { limitRefusal, personCounts } from './limits.ts'
import { usableLookup } from './lookups/lookup-deciders.ts'
import { runTimeOf } from './methods/hours.ts'
import type { NewOutgoing, OutgoingKind } from './money-out.ts'
import { type Payee, payeeKeyOf } from './payees/payee.ts'
import { duplicateRefusal } from './payment-keys.ts'
import { fundsRefusal, sendOutgoing } from './run.ts'
import { moneyOutOf } from './standing.ts'
import { bookMoneyOut } from './sums.ts'

/** What a transfer costs (dashboard, section 2.7). */
const feeCentsOf: Readonly<Record<OutgoingKind, Cents>> = { PIX: toCents(0), TED: toCents(500) }

/**
 * Creates a transfer. It waits for approval, or for its time, or its money is reserved and the bank is asked: in one entry, so that two
 * transfers never spend the same money.
 */
export const createOutgoing: Decider<CreateTransfer> = (draft, command) => {
  const { accountId, outgoingTransferId: id, kind, amountCents, to, scheduledFor } = command
  const { nowMs, atMs, institution } = draft.context
  if (providerOf(institution, accountId, 'PAYOUT') === null)
    return { reason: 'PROVIDER_ABSENT', rail: 'PAYOUT' }
  const target = targetOf(draft, to, command.by.id)
  if ('refusal' in target) return target.refusal
  const { payee, beneficiaryId, lookupId } = target
  const account = draft.account()
  const { timeZone } = account.profile
  const runsAtMs = runTimeOf(timeZone, kind, scheduledFor, nowMs)
  const createdBy = command.by.id as PersonId | null
  const isToOwner = payee.document === command.ownDocument
  const terms = { kind, amountCents, createdBy, payee, beneficiaryId, isToOwner }
  const out = moneyOutOf(draft, terms)
  const refusal =
    kindRefusal(kind, payee) ??
    dayRefusal(draft, scheduledFor) ??
    limitRefusal(account, out, runsAtMs) ??
    (command.allowDuplicate
      ? null
      : duplicateRefusal(draft, 'outgoingTransfer', payeeKeyOf(payee), amountCents))
  if (refusal !== null) return refusal
  const transfer: NewOutgoing = {
    accountId,
    ...terms,
    feeCents: feeCentsOf[kind],
    lookupId,
    scheduledFor,
    description: command.description,
    externalId: command.externalId,
    metadata: command.metadata,
    ...approvalTermsOf(account, out, { othersCount: command.othersCount, nowMs, atMs, leavesAtMs: runsAtMs }),
  }
  const waits = transfer.approvalsRequired > 0
  const runsNow = !waits && runsAtMs <= nowMs
  const shortage = runsNow ? fundsRefusal(draft, transfer) : null
  if (shortage !== null) return shortage
  const counts = waits ? [] : personCounts(account, out, nowMs)
  draft.add({
    type: 'OutgoingCreated',
    ...factOf(draft, 'outgoingTransfer', id),
    transfer,
    runsAtMs,
    counts,
  })
  if (lookupId !== null)
    draft.add({ type: 'KeyUsed', ...factOf(draft, 'keyLookup', lookupId), transferId: id })
  if (runsNow) sendOutgoing(draft, id, out, false)
  else bookMoneyOut(draft, { id, ...transfer }, 'PLANNED', { counts })
  return null
}

type Target =
  | {
      readonly payee: Payee
      readonly beneficiaryId: BeneficiaryId | null
      readonly lookupId: KeyLookupId | null
    }
  | { readonly refusal: Rejection }

const targetOf = (draft: Draft, to: CreateTransfer['to'], personId: string | null): Target => {
  if ('lookupId' in to) {
    const { lookupId } = to
    const found = usableLookup(draft, lookupId, personId)
    if ('refusal' in found) return found
    // A payee that is registered is no stranger because its key was looked up again.
    const [known] = draft.lookup('beneficiary', payeeKeyOf(found.payee))
    const isSame = known !== undefined && known.payee.document === found.payee.document
    return { payee: found.payee, beneficiaryId: isSame ? known.id : null, lookupId }
  }
  const beneficiary = draft.find('beneficiary', to.beneficiaryId)
  if (beneficiary === undefined) return { refusal: { reason: 'REFERENCE_NOT_FOUND', field: 'beneficiaryId' } }
  if (!beneficiary.isActive) return { refusal: { reason: 'BENEFICIARY_INACTIVE' } }
  return { payee: beneficiary.payee, beneficiaryId: beneficiary.id, lookupId: null }
}

const kindRefusal = (kind: OutgoingKind, { pixKey }: Payee): Rejection | null =>
  kind === 'TED' && pixKey !== null ? { reason: 'TED_TO_KEY' } : null

const dayRefusal = (draft: Draft, scheduledFor: CreateTransfer['scheduledFor']): Rejection | null => {
  if (scheduledFor === null) return null
  const today = dateIn(draft.account().profile.timeZone, draft.context.nowMs)
  if (scheduledFor < today) return { reason: 'SCHEDULED_IN_THE_PAST' }
  const days = limits.scheduledDaysMax
  return scheduledFor > addDays(today, days) ? { reason: 'SCHEDULED_TOO_FAR', days } : null
}
