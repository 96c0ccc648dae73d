import { chainDueAgain, requestHead } from '../../crypto/chain-request.ts'
import { providerOf } from '../../kernel/context.ts'
import { balancesIn } from '../../ledger/account.ts'
import { midRateOf } from '../../payments/methods/crypto/prices.ts'
import { newTxHash } from '../../payments/methods/crypto/tx-hash.ts'
import { worthAtLeast } from '../../shared/asset.ts'
import type { AskedWithdrawal } from '../asked.ts'
import { type Withdrawal, type WithdrawalFailure, withdrawalFailures } from '../money-out.ts'
import type { MoneyOutAnswer, MoneyOutDefinition } from './method.ts'

/** A stablecoin goes to a wallet that has cooled off, at once, and has left once the network has confirmed it. */
export const stablecoinWithdrawal: MoneyOutDefinition<AskedWithdrawal> = {
  rail: 'CRYPTO',
  isImmediate: true,
  runTimeOf: (_timeZone, _scheduledFor, nowMs) => nowMs,
  worthNow: (draft, { accountId, currency, amountCents }) => {
    const rateMicros = midRateOf(draft.account(), currency, draft.context)
    const isConnected = providerOf(draft.context.institution, accountId, 'CRYPTO') !== null
    return rateMicros === null || !isConnected ? null : worthAtLeast(amountCents, rateMicros)
  },
  trustIn: ({ find }, { payeeId }) => ({
    coolsOffUntilMs: find('wallet', payeeId)!.availableAtMs,
    ignoresNight: true,
  }),
  fundsRefusal: (draft, { currency, amountCents, feeCents }) =>
    balancesIn(draft.account(), currency).available < BigInt(amountCents + feeCents)
      ? { reason: 'INSUFFICIENT_BALANCE' }
      : null,
  wayNow: ({ context }, { accountId }) => {
    const providerId = providerOf(context.institution, accountId, 'CRYPTO')
    return providerId === null
      ? null
      : { providerId, connectionId: null, offers: null, reason: 'ENVIRONMENT' }
  },
  sentBy: (_, __, { providerId }) => ({ providerId, railId: null }),
  request: ({ accountId, call, currency, payee, amountCents, metadata }, nowMs) => ({
    operation: 'SEND',
    asset: currency,
    network: payee.network,
    units: amountCents,
    address: payee.address,
    metadata,
    ...requestHead({ ...call!, providerId: call!.providerId! }, accountId, nowMs),
  }),
  verdictOf: (draft, { status, call, railId }, answer) => {
    switch (answer.type) {
      case 'CONFIRMED':
        return { type: 'PAID', railId: answer.txHash }
      case 'REFUSED':
        return { type: 'FAILED', reason: failureOf(status, answer), code: null }
      default: {
        const due = chainDueAgain(call!, answer, draft)
        // A network may know a transfer by another hash later, if it was sent with a higher fee.
        const isNew = answer.type === 'SENT' && answer.txHash !== railId
        return isNew ? { type: 'BROADCAST', railId: answer.txHash, ...due } : { type: 'UNDECIDED', ...due }
      }
    }
  },
  resolvable: ['PROCESSING', 'BROADCAST'],
  resolvedRailId: ({ context }, { railId, payee }) => railId ?? newTxHash(payee.network, context.entropy),
}

/** A provider names one of the known reasons, or another one of its own. */
const failureOf = (
  status: Withdrawal['status'],
  answer: Extract<MoneyOutAnswer, { type: 'REFUSED' }>,
): WithdrawalFailure =>
  withdrawalFailures.find((reason) => 'refusal' in answer && reason === answer.refusal.message) ??
  (status === 'BROADCAST' ? 'DROPPED' : 'REFUSED_BY_NETWORK')
