import { accept, reject } from '../../../kernel/decision.ts'
import { centsWorth, unitsFor, unitsMax } from '../../../shared/asset.ts'
import { dayMs } from '../../../shared/calendar.ts'
import { toCents } from '../../../shared/money.ts'
import type { AnswerDeciders } from '../../transaction/calls.ts'
import {
  type ChargeContext,
  chargeCreated,
  newCall,
  type TransactionDecision,
} from '../../transaction/charge-context.ts'
import type { CreateCharge } from '../../transaction/commands.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import { type Crypto, cryptoOf } from './crypto.ts'
import { cryptoFeeTerms } from './fee.ts'
import { midRateOf } from './prices.ts'
import type { CryptoTerms } from './terms.ts'

/** How long an address is watched after its charge was created (dashboard, section 3.2). */
export const watchedMs = 90 * dayMs

/** Prices a new charge, and records the intent to open its address. The provider is called once that is on disk. */
export const createCrypto = (
  command: CreateCharge,
  { asset, network, isPricedInAsset, expiresInSeconds }: CryptoTerms,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, context } = chargeContext
  const rateMicros = midRateOf(account, asset, context)
  if (rateMicros === null) return reject({ reason: 'PROVIDER_ABSENT', rail: 'CRYPTO' })
  const asked = command.amountCents
  const due = isPricedInAsset ? BigInt(asked) : unitsFor(asked, rateMicros)
  if (due > BigInt(unitsMax))
    return reject({
      reason: 'AMOUNT_ABOVE_METHOD_LIMIT',
      limitCents: toCents(Number(centsWorth(unitsMax, rateMicros))),
    })
  const amountCents = toCents(Number(due))
  const { toleranceBps, confirmations } = context.institution.crypto
  const crypto: Crypto = {
    network,
    quotedCents: isPricedInAsset ? toCents(Number(centsWorth(asked, rateMicros))) : asked,
    rateMicros,
    toleranceBps,
    requiredConfirmations: confirmations[network],
    expiresInSeconds,
    address: null,
    uri: null,
    txHash: null,
    transfers: [],
  }
  const { idempotency = null } = command
  return accept<TransactionFact>(
    chargeCreated({ ...command, amountCents }, chargeContext, { crypto }, cryptoFeeTerms, asset),
    {
      type: 'ProviderCalled',
      call: newCall(2, { operation: 'OPEN_ADDRESS', amountCents, idempotency }, chargeContext),
      ...chargeContext.fact,
    },
  )
}

/**
 * Decides the meaning of the provider's answer to the request for an address. A charge without an address cannot
 * be paid, so any other answer ends it, even silence.
 */
export const addressAnswers: AnswerDeciders<'OPEN_ADDRESS'> = {
  OPEN_ADDRESS: (transaction, { id: callId }, answer, chargeContext) => {
    if (answer.type !== 'OPENED')
      return {
        type: 'ChargeRefused',
        failureReason: 'PROVIDER_ERROR',
        failureDetail: null,
        callId,
        ...chargeContext.fact,
      }
    const expiresAtMs = transaction.createdAtMs + cryptoOf(transaction)!.expiresInSeconds * 1000
    const { address, uri } = answer
    return { type: 'AddressOpened', callId, address, uri, expiresAtMs, ...chargeContext.fact }
  },
}
