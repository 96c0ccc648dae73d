import { wayInTheEnd } from '../../connections/way.ts'
import { providerOf } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { endToEndIdOf } from '../../payments/methods/pix/end-to-end-id.ts'
import { unreachable } from '../../shared/assert.ts'
import { bounds } from '../../shared/bounds.ts'
import { type KeyLookupId, type PersonId, randomAlphanumerics } from '../../shared/ids.ts'
import type { LookUpKey, RecordKeyOwner } from '../commands.ts'
import type { BankPayee } from '../payees/payee.ts'
import { callOf, type KeyLookup, type KeyOwner } from './key-lookup.ts'
import { changeKeyTokens, keyQuota, keyTokensAt } from './quota.ts'

/** Asks the directory who owns a key, as long as there are tokens. */
export const lookUpKey: Decider<LookUpKey> = (draft, { accountId, keyLookupId: id, keyType, pixKey, by }) => {
  const { context } = draft
  if (providerOf(context.institution, accountId, 'KEYS') === null) {
    // Keys are looked up by the bank that pays them out, and none of those that are known publishes how.
    return wayInTheEnd(context.institution, draft.account(), 'PAYOUT') === null
      ? { reason: 'PROVIDER_ABSENT', rail: 'KEYS' }
      : { reason: 'NOT_OFFERED', rail: 'KEYS', offer: 'LOOKUP_KEY' }
  }
  const tokens = keyTokensAt(draft.account(), context.nowMs)
  if (tokens < 1)
    return { reason: 'LOOKUP_QUOTA', tokens, retryAfterSeconds: Math.ceil(60 / keyQuota.tokensAMinute) }
  const lookup = { accountId, keyType, pixKey, askedBy: by.id as PersonId | null }
  draft.add({ type: 'KeyAsked', ...factOf(draft, 'keyLookup', id), lookup, callId: callOf(id) })
  return null
}

/** Records the directory's answer, and takes the tokens that it costs. */
export const recordKeyOwner: Decider<RecordKeyOwner> = (draft, { keyLookupId: id, callId, answer }) => {
  const lookup = draft.find('keyLookup', id)
  if (lookup === undefined) return { reason: 'NOT_FOUND', resource: 'pix_lookup' }
  if (lookup.status !== 'ASKED') return null
  const fact = { callId, ...factOf(draft, 'keyLookup', id) }
  switch (answer.type) {
    case 'FOUND': {
      const { nowMs } = draft.context
      const expiresAtMs = nowMs + bounds.keyLookupMs
      draft.add({
        type: 'KeyFound',
        ...fact,
        owner: answer.owner,
        endToEndId: newEndToEndId(draft),
        expiresAtMs,
      })
      changeKeyTokens(draft, keyQuota.found)
      return null
    }
    case 'NOT_FOUND':
      draft.add({ type: 'KeyNotFound', ...fact })
      changeKeyTokens(draft, keyQuota.notFound)
      return null
    case 'SILENT':
      draft.add({ type: 'KeyUnanswered', ...fact })
      return null
    default:
      return unreachable(answer)
  }
}

/** A new id for a payment by PIX. */
export const newEndToEndId = ({ context: { institution, nowMs, entropy } }: Draft): string =>
  endToEndIdOf('E', institution.ispb, nowMs, randomAlphanumerics(11, entropy))

/** A look-up that this person can still use, with its payee; or why not. */
export const usableLookup = (
  draft: Draft,
  id: KeyLookupId,
  personId: string | null,
): { readonly lookup: KeyLookup; readonly payee: BankPayee } | { readonly refusal: Rejection } => {
  const lookup = draft.find('keyLookup', id)
  if (lookup === undefined) return { refusal: { reason: 'REFERENCE_NOT_FOUND', field: 'lookupId' } }
  const { owner, expiresAtMs, usedBy, askedBy } = lookup
  const isOver = expiresAtMs === null || expiresAtMs <= draft.context.nowMs
  if (owner === null || isOver || usedBy !== null || askedBy !== personId)
    return { refusal: { reason: 'LOOKUP_EXPIRED' } }
  return { lookup, payee: payeeOf(lookup, owner) }
}

const payeeOf = ({ pixKey }: KeyLookup, owner: KeyOwner): BankPayee => ({
  name: owner.name,
  document: owner.document,
  documentType: owner.documentType,
  pixKey,
  ispb: owner.ispb,
  bankName: owner.bankName,
  bankCode: null,
  branch: null,
  account: null,
  accountType: owner.accountType,
})
