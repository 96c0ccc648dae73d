import type { Static } from 'typebox'
import { payeeStatusAt, payeeStatuses, walletOwnerships } from '../../../engine/money-out/payees/payee.ts'
import type { Wallet } from '../../../engine/money-out/payees/wallet.ts'
import { maskedDocument } from '../../../engine/shared/audit.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { asset, network } from '../crypto/crypto-part.ts'
import { createdAt, enumeration, identity, instant, text, textOf } from '../fields.ts'

export const walletOwnership = named(
  'WalletOwnership',
  described(
    enumeration(...walletOwnerships),
    'SELF_CUSTODY: its holder keeps the keys. PROVIDER: an exchange or a custodian does.',
  ),
)

/** An address to which stablecoins may be sent (dashboard, section 3.4). */
export const wallet = namedObject('Wallet', 'An address to which stablecoins may be sent.', {
  ...identity('wal', 'wallet'),
  name: textOf('What the company calls it.'),
  asset,
  network,
  address: textOf('The address. It never changes: another one is another wallet.'),
  ownership: walletOwnership,
  holderName: textOf('Whose it is.'),
  holderDocument: textOf('Part of the CPF or CNPJ of its holder.'),
  providerName: described(text, 'Who keeps the keys, where a provider does.'),
  status: described(
    enumeration(...payeeStatuses),
    'COOLING_OFF: it can be used from `availableAt` on. INACTIVE: it was removed.',
  ),
  availableAt: described(instant, 'From when on it can be used: 24 hours after it was registered.'),
  createdBy: described(text, 'The person who registered it, `per_…`.'),
  createdAt,
})

/** A wallet at a time of its environment. */
export const walletView = (own: Wallet, nowMs: number): Static<typeof wallet> => ({
  id: own.id,
  object: 'wallet',
  name: own.name,
  asset: own.asset,
  network: own.network,
  address: own.address,
  ownership: own.ownership,
  holderName: own.holderName,
  holderDocument: maskedDocument(own.holderDocument),
  providerName: own.providerName,
  status: payeeStatusAt(!own.isRemoved, own.availableAtMs, nowMs),
  availableAt: isoInstant(own.availableAtMs),
  createdBy: own.createdBy,
  createdAt: isoInstant(own.createdAtMs),
})
