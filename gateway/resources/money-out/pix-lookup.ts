import type { Static } from 'typebox'
import type { Account } from '../../../engine/ledger/account.ts'
import type { KeyLookup, KeyOwner } from '../../../engine/money-out/lookups/key-lookup.ts'
import { keyQuota, keyTokensAt } from '../../../engine/money-out/lookups/quota.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { pixKeyTypes } from '../../../engine/shared/pix-key.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { bankAccountType } from '../account/company.ts'
import { count, createdAt, identity, instant, objectName, textOf } from '../fields.ts'
import { masked } from '../masked.ts'

/** Who owns a PIX key (dashboard, section 2.5). */
export const pixLookup = namedObject('PixLookup', 'Who owns a PIX key.', {
  ...identity('lkp', 'pix_lookup'),
  keyType: described(choice(...pixKeyTypes), 'What kind of key it is.'),
  key: textOf('The key as the directory writes it.'),
  name: textOf('Who owns it.'),
  document: textOf('Part of the owner’s CPF or CNPJ.'),
  bankName: textOf('The owner’s bank.'),
  ispb: textOf('Its eight characters in the payment system.'),
  accountType: bankAccountType,
  ownedSince: described(instant, 'Since when it is the owner’s.'),
  endToEndId: textOf('Under which the payment travels that this is for.'),
  expiresAt: described(instant, 'Until then you, and nobody else, can use it for one transfer.'),
  createdAt,
})

/** A look-up that found an owner. */
export const pixLookupView = (lookup: KeyLookup, owner: KeyOwner): Static<typeof pixLookup> => ({
  id: lookup.id,
  object: 'pix_lookup',
  keyType: lookup.keyType,
  key: lookup.pixKey,
  name: owner.name,
  document: masked(owner.document),
  bankName: owner.bankName,
  ispb: owner.ispb,
  accountType: owner.accountType,
  ownedSince: isoInstant(owner.ownedSinceMs),
  endToEndId: lookup.endToEndId!,
  expiresAt: isoInstant(lookup.expiresAtMs!),
  createdAt: isoInstant(lookup.createdAtMs),
})

/** How many look-ups are left. */
export const pixLookupQuota = namedObject('PixLookupQuota', 'How many look-ups of PIX keys are left.', {
  object: objectName('pix_lookup_quota'),
  tokens: count('What is left. A key that is found takes 1, one that is not 20; a payment gives 1 back.'),
  capacity: count('The most there can be.'),
  tokensPerMinute: count('What every minute gives back.'),
})

/** The quota of an account at that time. */
export const pixLookupQuotaView = (
  account: Pick<Account, 'keyTokens'>,
  nowMs: number,
): Static<typeof pixLookupQuota> => ({
  object: 'pix_lookup_quota',
  tokens: keyTokensAt(account, nowMs),
  capacity: keyQuota.capacity,
  tokensPerMinute: keyQuota.tokensAMinute,
})
