import type { Context } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import { mayApprove } from '../../people/standing.ts'
import { bounds } from '../../shared/bounds.ts'
import type { PersonId } from '../../shared/ids.ts'
import { dropPlannedFor } from '../approve.ts'
import type { ChangeBeneficiary, RegisterBeneficiary, RemoveBeneficiary, StopTrustOf } from '../commands.ts'
import { usableLookup } from '../lookups/lookup-deciders.ts'
import { type Beneficiary, type BeneficiaryChanges, trustAskedKey } from './beneficiary.ts'
import { payeeKeyOf } from './payee.ts'

/** Registers a payee, which can get little for a day. */
export const registerBeneficiary: Decider<RegisterBeneficiary> = (draft, command) => {
  const { accountId, beneficiaryId: id, of, nickname, by } = command
  const found = 'payee' in of ? of : usableLookup(draft, of.lookupId, by.id)
  if ('refusal' in found) return found.refusal
  const { payee } = found
  const [same] = draft.lookup('beneficiary', payeeKeyOf(payee))
  if (same !== undefined) return { reason: 'DUPLICATE', field: 'beneficiary', existingId: same.id }
  const availableAtMs = draft.context.nowMs + bounds.coolingOffMs
  const beneficiary = { accountId, payee, availableAtMs, createdBy: by.id as PersonId | null }
  draft.add({ type: 'BeneficiaryRegistered', ...factOf(draft, 'beneficiary', id), beneficiary, nickname })
  return null
}

/** Changes what people call a payee, and whether they trust it. */
export const editBeneficiary: Decider<ChangeBeneficiary> = (draft, command) => {
  const { beneficiaryId: id, nickname, trusted } = command
  const found = activeBeneficiary(draft, id)
  if (found === null) return absent
  if (!found.isActive) return { reason: 'BENEFICIARY_INACTIVE' }
  const wanted: BeneficiaryChanges = {
    ...(nickname !== undefined && { nickname }),
    ...(trusted !== undefined && trustChange(found, trusted, command, draft.context)),
  }
  const names = Object.keys(wanted) as (keyof BeneficiaryChanges)[]
  if (names.every((name) => wanted[name] === found[name])) return null
  draft.add({ type: 'BeneficiaryChanged', ...factOf(draft, 'beneficiary', id), changes: wanted })
  return null
}

/**
 * Trust loosens a limit: another person who manages limits has to agree, if there is one, and trust counts a day
 * later. One person is enough to end it, at once.
 */
const trustChange = (
  { trusted, trustAskedBy, trustAskedAtMs, updatedAtMs }: Beneficiary,
  wanted: boolean,
  { hasOther, standing, by }: ChangeBeneficiary,
  { nowMs, atMs }: Context,
): BeneficiaryChanges => {
  if (!wanted) return untrusted
  if (trusted) return {}
  const personId = by.id as PersonId | null
  const agrees =
    trustAskedBy !== null &&
    trustAskedBy !== personId &&
    standing !== null &&
    mayApprove(standing, trustAskedAtMs ?? updatedAtMs)
  if (agrees || !hasOther)
    return { ...untrusted, trusted: true, trustedFromMs: nowMs + bounds.trustedAfterMs }
  return trustAskedBy === null ? { ...untrusted, trustAskedBy: personId, trustAskedAtMs: atMs } : {}
}

const untrusted = { trusted: false, trustedFromMs: null, trustAskedBy: null, trustAskedAtMs: null } as const

/** Ends the requests for trust by a person who may no longer manage beneficiaries. */
export const stopTrustOf: Decider<StopTrustOf> = (draft, { personId }) => {
  for (const { id } of draft.lookup('beneficiary', trustAskedKey(personId)))
    draft.add({ type: 'BeneficiaryChanged', ...factOf(draft, 'beneficiary', id), changes: untrusted })
  return null
}

/** Removes a payee, and cancels the transfers that wait to be sent to it. */
export const removeBeneficiary: Decider<RemoveBeneficiary> = (draft, { beneficiaryId: id }) => {
  const found = activeBeneficiary(draft, id)
  if (found === null) return absent
  if (!found.isActive) return null
  draft.add({ type: 'BeneficiaryRemoved', ...factOf(draft, 'beneficiary', id) })
  dropPlannedFor(draft, 'transfer', id, 'BENEFICIARY_REMOVED')
  return null
}

const activeBeneficiary = (draft: Draft, id: Beneficiary['id']): Beneficiary | null =>
  draft.find('beneficiary', id) ?? null

const absent = { reason: 'NOT_FOUND', resource: 'beneficiary' } as const
