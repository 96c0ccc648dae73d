import type { Account } from '../../../engine/ledger/account.ts'
import type { KeyLookup, KeyOwner } from '../../../engine/money-out/lookups/key-lookup.ts'
import { keyQuota, keyTokensAt } from '../../../engine/money-out/lookups/quota.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import { pixKeyTypes } from '../../../engine/shared/pix-key.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { bankAccountType } from '../account/company.ts'
import { count, createdAtField, identityFields, instant, objectField, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** Who owns a PIX key, by a look-up that found an owner (dashboard, section 2.5). */
export const pixLookup = resource<KeyLookup, [KeyOwner]>('PixLookup', 'Who owns a PIX key.').with({
  ...identityFields('lkp', 'pix_lookup'),
  keyType: [described(choice(...pixKeyTypes), 'What kind of key it is.'), same],
  key: [textOf('The key as the directory writes it.'), ({ pixKey }) => pixKey],
  name: [textOf('Who owns it.'), (_, owner) => owner.name],
  document: [textOf('Part of the owner’s CPF or CNPJ.'), (_, owner) => maskedDocument(owner.document)],
  bankName: [textOf('The owner’s bank.'), (_, owner) => owner.bankName],
  ispb: [textOf('Its eight characters in the payment system.'), (_, owner) => owner.ispb],
  accountType: [bankAccountType, (_, owner) => owner.accountType],
  ownedSince: [
    described(instant, 'Since when it is the owner’s.'),
    (_, { ownedSinceMs }) => isoInstant(ownedSinceMs),
  ],
  endToEndId: [textOf('Under which the payment travels that this is for.'), ({ endToEndId }) => endToEndId!],
  expiresAt: [
    described(instant, 'Until then you, and nobody else, can use it for one transfer.'),
    ({ expiresAtMs }) => isoInstant(expiresAtMs!),
  ],
  createdAt: createdAtField,
})

/** How many look-ups are left to an account at that time. */
export const pixLookupQuota = resource<Pick<Account, 'keyTokens'>, [number]>(
  'PixLookupQuota',
  'How many look-ups of PIX keys are left.',
).with({
  ...objectField('pix_lookup_quota'),
  tokens: [
    count('What is left. A key that is found takes 1, one that is not 20; a payment gives 1 back.'),
    keyTokensAt,
  ],
  capacity: [count('The most there can be.'), () => keyQuota.capacity],
  tokensPerMinute: [count('What every minute gives back.'), () => keyQuota.tokensAMinute],
})
