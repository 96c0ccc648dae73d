import { doesWayOffer, wayInTheEnd } from '../../connections/way.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { bounds } from '../../shared/bounds.ts'
import { addDays, dateIn } from '../../shared/calendar.ts'
import type { PersonId } from '../../shared/ids.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { AskedTransfer, TransferMethod } from '../asked.ts'
import type { CreateTransfer } from '../commands.ts'
import { usableLookup } from '../lookups/lookup-deciders.ts'
import { payeeKeyOf } from '../payees/payee.ts'

/** The fee of a transfer (dashboard, section 2.7). */
const feeCentsOf: Readonly<Record<TransferMethod, Cents>> = { PIX: toCents(0), TED: toCents(500) }

/** The transfer that a command asks for, or why its terms are refused. */
export const transferTerms = (
  draft: Draft,
  command: CreateTransfer,
): AskedTransfer | { readonly refusal: Rejection } => {
  const { accountId, kind: method, amountCents, to, scheduledFor, ...details } = command
  const { institution } = draft.context
  const way = wayInTheEnd(institution, draft.account(), 'PAYOUT')
  if (way === null) return { refusal: { reason: 'PROVIDER_ABSENT', rail: 'PAYOUT' } }
  if (!doesWayOffer(institution, accountId, 'PAYOUT', way, method))
    return { refusal: { reason: 'NOT_OFFERED', rail: 'PAYOUT', offer: method } }
  const target = targetOf(draft, to, command.by.id)
  if ('refusal' in target) return target
  if (method === 'TED' && target.payee.pixKey !== null) return { refusal: { reason: 'TED_TO_KEY' } }
  const refusal = scheduledFor === null ? null : dayRefusal(draft, scheduledFor)
  if (refusal !== null) return { refusal }
  return {
    accountId,
    method,
    currency: 'BRL',
    amountCents,
    feeCents: feeCentsOf[method],
    worthCents: amountCents,
    ...target,
    isToOwner: target.payee.document === details.ownDocument,
    scheduledFor,
    description: details.description,
    externalId: details.externalId,
    metadata: details.metadata,
    createdBy: command.by.id as PersonId | null,
  }
}

type Target = Pick<AskedTransfer, 'payee' | 'payeeId' | 'lookupId'>

const targetOf = (
  draft: Draft,
  to: CreateTransfer['to'],
  personId: string | null,
): Target | { readonly refusal: Rejection } => {
  if ('lookupId' in to) {
    const { lookupId } = to
    const found = usableLookup(draft, lookupId, personId)
    if ('refusal' in found) return found
    // Looking up a registered payee's key again does not make the payee new.
    const [known] = draft.lookup('beneficiary', payeeKeyOf(found.payee))
    const isSame = known !== undefined && known.payee.document === found.payee.document
    return { payee: found.payee, payeeId: isSame ? known.id : null, lookupId }
  }
  const beneficiary = draft.find('beneficiary', to.beneficiaryId)
  if (beneficiary === undefined) return { refusal: { reason: 'REFERENCE_NOT_FOUND', field: 'beneficiaryId' } }
  if (!beneficiary.isActive) return { refusal: { reason: 'BENEFICIARY_INACTIVE' } }
  return { payee: beneficiary.payee, payeeId: beneficiary.id, lookupId: null }
}

const dayRefusal = (
  draft: Draft,
  scheduledFor: NonNullable<CreateTransfer['scheduledFor']>,
): Rejection | null => {
  const today = dateIn(draft.account().profile.timeZone, draft.context.nowMs)
  if (scheduledFor < today) return { reason: 'SCHEDULED_IN_THE_PAST' }
  const days = bounds.scheduledDaysMax
  return scheduledFor > addDays(today, days) ? { reason: 'SCHEDULED_TOO_FAR', days } : null
}
