import { payeeStatusAt, payeeStatuses, walletOwnerships } from '../../../engine/money-out/payees/payee.ts'
import type { Wallet } from '../../../engine/money-out/payees/wallet.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { asset, network } from '../crypto/crypto-part.ts'
import { createdAtField, identityFields, instant, nullableText, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

export const walletOwnership = named(
  'WalletOwnership',
  described(
    choice(...walletOwnerships),
    'SELF_CUSTODY: its holder keeps the keys. PROVIDER: an exchange or a custodian does.',
  ),
)

/** An address to which stablecoins may be sent, at a time of its environment (dashboard, section 3.4). */
export const wallet = resource<Wallet, [number]>(
  'Wallet',
  'An address to which stablecoins may be sent.',
).with({
  ...identityFields('wal', 'wallet'),
  name: [textOf('What the company calls it.'), same],
  asset: [asset, same],
  network: [network, same],
  address: [textOf('The address. It never changes: another one is another wallet.'), same],
  ownership: [walletOwnership, same],
  holderName: [textOf('Whose it is.'), same],
  holderDocument: [textOf('Part of the CPF or CNPJ of its holder.'), (w) => maskedDocument(w.holderDocument)],
  providerName: [described(nullableText, 'Who keeps the keys, where a provider does.'), same],
  status: [
    described(
      choice(...payeeStatuses),
      'COOLING_OFF: it can be used from `availableAt` on. INACTIVE: it was removed.',
    ),
    (w, nowMs) => payeeStatusAt(!w.isRemoved, w.availableAtMs, nowMs),
  ],
  availableAt: [
    described(instant, 'From when on it can be used: 24 hours after it was registered.'),
    (w) => isoInstant(w.availableAtMs),
  ],
  createdBy: [described(nullableText, 'The person who registered it, `per_…`.'), same],
  createdAt: createdAtField,
})
