import { providerOf } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { balancesIn } from '../ledger/account.ts'
import { approvalTermsOf } from '../money-out/approval.ts'
import { limitCounts, limitRefusal, type MoneyOut, personCounts } from '../money-out/limits.ts'
import { duplicateRefusal, firstPaidKey } from '../money-out/payment-keys.ts'
import { type BookedPayment, bookMoneyOut, countedBack } from '../money-out/sums.ts'
import { midRateOf } from '../payments/methods/crypto/prices.ts'
import { newTxHash } from '../payments/methods/crypto/tx-hash.ts'
import type { ProviderAnswer } from '../payments/provider.ts'
import { worthAtLeast } from '../shared/asset.ts'
import { environmentOf, type PersonId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import { chainDueAgain } from './chain-request.ts'
import type { CreateWithdrawal, ResolveWithdrawal } from './commands.ts'
import { type Wallet, walletKeyOf, walletStatusAt } from './wallet.ts'
import {
  type CryptoWithdrawal,
  type NewWithdrawal,
  type WithdrawalFailure,
  withdrawalFailures,
} from './withdrawal.ts'

/**
 * Creates a withdrawal. It waits for approval, or its funds are reserved and the chain provider is asked: in one entry, so that two of them
 * never spend the same money.
 */
export const createWithdrawal: Decider<CreateWithdrawal> = (draft, command) => {
  const { accountId, withdrawalId: id, to, units, externalId, metadata } = command
  const { nowMs, atMs, institution } = draft.context
  if (providerOf(institution, accountId, 'CRYPTO') === null) return noProvider
  const wallet = draft.find('wallet', to)
  if (wallet === undefined) return { reason: 'REFERENCE_NOT_FOUND', field: 'walletId' }
  const status = walletStatusAt(wallet, nowMs)
  if (status !== 'ACTIVE') return { reason: 'WALLET_NOT_ACTIVE', status, availableAtMs: wallet.availableAtMs }
  const account = draft.account()
  const rateMicros = midRateOf(account, wallet.asset, draft.context)
  const feeUnits = institution.crypto.networkFeeUnits(environmentOf(accountId), wallet.network)
  if (rateMicros === null || feeUnits === null) return noProvider
  const worthCents = worthAtLeast(units, rateMicros)
  const createdBy = command.by.id as PersonId | null
  const out = moneyOutOf(draft, { wallet, walletId: to, createdBy }, worthCents)
  const refusal =
    limitRefusal(account, out, nowMs) ??
    (command.allowDuplicate ? null : duplicateRefusal(draft, 'cryptoWithdrawal', out.payee.key, units))
  if (refusal !== null) return refusal
  draft.add({
    type: 'WithdrawalCreated',
    withdrawal: {
      accountId,
      walletId: to,
      wallet: paidWallet(wallet),
      units,
      feeUnits,
      rateMicros,
      worthCents,
      externalId,
      metadata,
      createdBy,
      ...approvalTermsOf(account, out, { othersCount: command.othersCount, nowMs, atMs, leavesAtMs: nowMs }),
    },
    ...factOf(draft, 'cryptoWithdrawal', id),
  })
  const made = draft.find('cryptoWithdrawal', id)!
  if (made.approvalEndsAtMs === null) return sendWithdrawal(draft, made)
  bookMoneyOut(draft, booked(made), 'PLANNED')
  return null
}

const paidWallet = (wallet: Wallet): NewWithdrawal['wallet'] => {
  const { name, asset, network, address, ownership, holderName, holderDocument, providerName } = wallet
  return { name, asset, network, address, ownership, holderName, holderDocument, providerName }
}

/** A withdrawal as approval policy and limits see it. */
const moneyOutOf = (
  { find, lookup }: Draft,
  { wallet, walletId, createdBy }: Pick<NewWithdrawal, 'wallet' | 'walletId' | 'createdBy'>,
  worthCents: Cents,
): MoneyOut => {
  const key = walletKeyOf(wallet)
  return {
    by: 'CRYPTO',
    worthCents,
    createdBy,
    payee: {
      key,
      wasPaid: lookup('cryptoWithdrawal', firstPaidKey(key)).length > 0,
      coolsOffUntilMs: find('wallet', walletId)!.availableAtMs,
      ignoresNight: true,
    },
  }
}

/** Reserves the funds and records the intent to send them. Limits see what they are worth at this moment. */
export const sendWithdrawal = (draft: Draft, withdrawal: CryptoWithdrawal): Rejection | null => {
  const { id, accountId, wallet, units, feeUnits } = withdrawal
  const { nowMs, institution } = draft.context
  const account = draft.account()
  const providerId = providerOf(institution, accountId, 'CRYPTO')
  const rateMicros = midRateOf(account, wallet.asset, draft.context)
  if (providerId === null || rateMicros === null) return noProvider
  const out = moneyOutOf(draft, withdrawal, worthAtLeast(units, rateMicros))
  const refusal = limitRefusal(account, out, nowMs)
  if (refusal !== null) return refusal
  if (balancesIn(account, wallet.asset).available < BigInt(units + feeUnits))
    return { reason: 'INSUFFICIENT_BALANCE' }
  const counts = [...personCounts(account, out, nowMs), ...limitCounts(account, out, nowMs)]
  bookMoneyOut(draft, booked(withdrawal), 'RESERVED', { counts })
  const fact = factOf(draft, 'cryptoWithdrawal', id)
  draft.add({ type: 'WithdrawalSent', callId: `${id}.1`, providerId, counts, ...fact })
  return null
}

/** What the books need to know of a withdrawal: they are in its asset. */
export const booked = ({ id, wallet, units, feeUnits }: CryptoWithdrawal): BookedPayment => ({
  id,
  currency: wallet.asset,
  amountCents: units,
  feeCents: feeUnits,
})

/** Records what the chain provider said. What is on the network counts as sent once the network has confirmed it. */
export const recordWithdrawal = (
  draft: Draft,
  withdrawal: CryptoWithdrawal,
  answer: ProviderAnswer,
): void => {
  const { id, txHash } = withdrawal
  const call = withdrawal.call!
  const fact = { callId: call.id, ...factOf(draft, 'cryptoWithdrawal', id) }
  if (answer.type === 'CONFIRMED') complete(draft, withdrawal, answer.txHash)
  else if (answer.type === 'REFUSED') fail(draft, withdrawal, failureOf(withdrawal, answer.refusal.message))
  // A network may know a transfer by another hash later, if it was sent with a higher fee.
  else if (answer.type === 'SENT' && answer.txHash !== txHash) {
    const due = chainDueAgain(call, answer, draft)
    draft.add({ type: 'WithdrawalBroadcast', txHash: answer.txHash, ...due, ...fact })
  } else if (call.dueAtMs === null)
    draft.add({ type: 'WithdrawalUnanswered', ...chainDueAgain(call, answer, draft), ...fact })
}

/** The Sandbox decides in the network's place. */
export const resolveWithdrawal: Decider<ResolveWithdrawal> = (draft, command) => {
  const withdrawal = draft.find('cryptoWithdrawal', command.withdrawalId)
  if (withdrawal === undefined) return absentWithdrawal
  const { status, call, txHash } = withdrawal
  if (call === null)
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: ['PROCESSING', 'BROADCAST'] }
  if (command.failureReason === null)
    complete(draft, withdrawal, txHash ?? newTxHash(withdrawal.wallet.network, draft.context.entropy))
  else fail(draft, withdrawal, command.failureReason)
  return null
}

export const absentWithdrawal = { reason: 'NOT_FOUND', resource: 'crypto_withdrawal' } as const

const noProvider = { reason: 'PROVIDER_ABSENT', rail: 'CRYPTO' } as const

const complete = (draft: Draft, withdrawal: CryptoWithdrawal, txHash: string): void => {
  const { id, call, wallet } = withdrawal
  const isFirst = draft.lookup('cryptoWithdrawal', firstPaidKey(walletKeyOf(wallet))).length === 0
  bookMoneyOut(draft, booked(withdrawal), 'PAID')
  draft.add({
    type: 'WithdrawalCompleted',
    callId: call!.id,
    txHash,
    isFirst,
    ...factOf(draft, 'cryptoWithdrawal', id),
  })
}

/** Ends a withdrawal that did not arrive: its funds are back, and count no more. */
const fail = (draft: Draft, withdrawal: CryptoWithdrawal, failureReason: WithdrawalFailure): void => {
  const { id, call, counts } = withdrawal
  bookMoneyOut(draft, booked(withdrawal), 'RETURNED', { counts: countedBack(counts) })
  const fact = factOf(draft, 'cryptoWithdrawal', id)
  draft.add({ type: 'WithdrawalFailed', callId: call!.id, failureReason, ...fact })
}

/** A provider names one of the known reasons, or another one of its own. */
const failureOf = ({ status }: CryptoWithdrawal, message: string): WithdrawalFailure =>
  withdrawalFailures.find((reason) => reason === message) ??
  (status === 'BROADCAST' ? 'DROPPED' : 'REFUSED_BY_NETWORK')
