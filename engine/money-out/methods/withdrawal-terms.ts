import { providerOf } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { midRateOf } from '../../payments/methods/crypto/prices.ts'
import { worthAtLeast } from '../../shared/asset.ts'
import { environmentOf, type PersonId } from '../../shared/ids.ts'
import type { AskedWithdrawal } from '../asked.ts'
import type { CreateWithdrawal } from '../commands.ts'
import { payeeStatusAt, type WalletPayee } from '../payees/payee.ts'

/** The withdrawal that a command asks for, or why its terms are refused. */
export const withdrawalTerms = (
  draft: Draft,
  { accountId, to, units, externalId, metadata, by }: CreateWithdrawal,
): AskedWithdrawal | { readonly refusal: Rejection } => {
  const { institution, nowMs } = draft.context
  if (providerOf(institution, accountId, 'CRYPTO') === null) return noProvider
  if (!institution.offers(accountId, 'CRYPTO', 'SEND'))
    return { refusal: { reason: 'NOT_OFFERED', rail: 'CRYPTO', offer: 'SEND' } }
  const wallet = draft.find('wallet', to)
  if (wallet === undefined) return { refusal: { reason: 'REFERENCE_NOT_FOUND', field: 'walletId' } }
  const { availableAtMs, asset } = wallet
  const status = payeeStatusAt(!wallet.isRemoved, availableAtMs, nowMs)
  if (status !== 'ACTIVE') return { refusal: { reason: 'WALLET_NOT_ACTIVE', status, availableAtMs } }
  const rateMicros = midRateOf(draft.account(), asset, draft.context)
  const feeCents = institution.crypto.networkFeeUnits(environmentOf(accountId), wallet.network)
  if (rateMicros === null || feeCents === null) return noProvider
  return {
    accountId,
    method: 'CRYPTO',
    currency: asset,
    amountCents: units,
    feeCents,
    worthCents: worthAtLeast(units, rateMicros),
    payee: payeeIn(wallet),
    payeeId: to,
    rateMicros,
    scheduledFor: null,
    externalId,
    metadata,
    createdBy: by.id as PersonId | null,
  }
}

const noProvider = { refusal: { reason: 'PROVIDER_ABSENT', rail: 'CRYPTO' } } as const

const payeeIn = (wallet: WalletPayee): WalletPayee => {
  const { name, asset, network, address, ownership, holderName, holderDocument, providerName } = wallet
  return { name, asset, network, address, ownership, holderName, holderDocument, providerName }
}
