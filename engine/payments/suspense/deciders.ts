import { approverRefusal } from '../../approval-and-limits/approver.ts'
import type { Decider, Deciders } from '../../kernel/decider.ts'
import type { Answerers } from '../../kernel/reader.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { ReceivePix, ReceivePixAtBank } from '../methods/pix/commands.ts'
import { withTax } from '../methods/pix/payment.ts'
import { isAtBank, type PixAtBank, pixOf } from '../methods/pix/pix.ts'
import { executeOnTransaction } from '../transaction/execute.ts'
import type { Transaction } from '../transaction/transaction.ts'
import type {
  AssignSuspense,
  ReceiveUnmatchedPix,
  SuspenseCommand,
  SuspenseQuery,
  WriteOffSuspense,
} from './commands.ts'
import { knownPix } from './known.ts'
import { moveSuspended } from './move.ts'
import { openSuspense } from './open.ts'
import { recordSuspenseReturn, repeatSuspenseReturn, returnSuspense } from './returning.ts'
import { leftInSuspenseCents, type WriteOffProposal } from './suspense.ts'

const receiveUnmatched: Decider<ReceiveUnmatchedPix> = (draft, command) => {
  const known = knownPix(draft, command.endToEndId)
  if (known !== null) return { reason: 'ALREADY_RECEIVED', receivedPixId: known }
  const { suspenseId: id, connectionId, providerId, txid, pixKey } = command
  const { endToEndId, amountCents, componentsCents, paidAtMs, payer, taxWithheldCents } = command
  const { id: accountId } = draft.account()
  const money = { endToEndId, amountCents, componentsCents, paidAtMs, payer, ...withTax(taxWithheldCents) }
  const unmatched = { accountId, connectionId, providerId, txid, pixKey, ...money }
  draft.add({ actor: 'suspense', type: 'SuspenseOpened', id, atMs: draft.context.nowMs, unmatched })
  moveSuspended(draft, id, 'payer', 'suspense', amountCents)
  return null
}

const assign: Decider<AssignSuspense> = (draft, command) => {
  const item = openSuspense(draft, command)
  if ('reason' in item) return item
  const { accountId, by, chargeId, depositId } = command
  const charge = chargeId === null ? undefined : draft.find('transaction', chargeId)
  // A refund goes back by the connection of its charge, so the money has come by the same one.
  const fits = charge !== undefined && charge.connectionId === item.connectionId
  if (chargeId !== null && (!fits || (pixOf(charge)?.txid ?? null) === null))
    return { reason: 'NOT_FOUND', resource: 'transaction' }
  const amountCents = leftInSuspenseCents(item)
  const { endToEndId, paidAtMs, payer } = item
  const isWhole = amountCents === item.amountCents
  // The bank does not say what the rest is made of, nor how much tax is of it.
  const componentsCents = isWhole ? item.componentsCents : null
  const tax = withTax(isWhole ? item.taxWithheldCents : null)
  const money = { endToEndId, amountCents, componentsCents, paidAtMs, payer, ...tax }
  const head = { actor: 'suspense', id: item.id, atMs: draft.context.nowMs, by } as const
  draft.add({ type: 'SuspenseAssigned', transactionId: chargeId ?? depositId, ...head })
  moveSuspended(draft, item.id, 'suspense', 'payer', amountCents)
  if (charge !== undefined) return executeOnTransaction(draft, charge, arrivalFor(charge, by, money))
  const { connectionId, providerId, pixKey } = item
  return executeOnTransaction(draft, undefined, {
    type: 'ReceiveUnrequestedPix',
    accountId,
    by,
    transactionId: depositId,
    ...(connectionId !== null && { connectionId }),
    providerId,
    ...(pixKey !== null && { pixKey }),
    ...money,
  })
}

/** Money for a charge that we issue ourselves comes as the Sandbox's does. */
const arrivalFor = (
  charge: Transaction,
  by: AssignSuspense['by'],
  money: PixAtBank,
): ReceivePixAtBank | ReceivePix => {
  const { id: transactionId, accountId } = charge
  return isAtBank(charge)
    ? { type: 'ReceivePixAtBank', accountId, by, txid: pixOf(charge)!.txid!, ...money }
    : { type: 'ReceivePix', accountId, by, transactionId, ...money }
}

const writeOff: Decider<WriteOffSuspense> = (draft, command) => {
  const item = openSuspense(draft, command)
  if ('reason' in item) return item
  const { by, reason, standing } = command
  const { proposed, id } = item
  const head = { actor: 'suspense', id, atMs: draft.context.nowMs, by, reason } as const
  if (proposed === null) {
    // Keys and the clock are no people, and the operator only joins one.
    if (by.kind !== 'PERSON') return { reason: 'OWN_REQUEST' }
    draft.add({ type: 'WriteOffProposed', ...head })
    return null
  }
  const refusal = by.kind === 'OPERATOR' ? null : secondPersonRefusal(proposed, by, standing)
  if (refusal !== null) return refusal
  draft.add({ type: 'SuspenseWrittenOff', ...head })
  moveSuspended(draft, id, 'suspense', 'payer', leftInSuspenseCents(item))
  return null
}

const secondPersonRefusal = (
  proposed: WriteOffProposal,
  by: WriteOffSuspense['by'],
  standing: WriteOffSuspense['standing'],
): Rejection | null => {
  if (by.kind !== 'PERSON' || by.id === proposed.by.id) return { reason: 'OWN_REQUEST' }
  return approverRefusal(standing, proposed.atMs)
}

/** Deciders for money that belongs to nothing. */
export const suspenseDeciders: Deciders<SuspenseCommand> = {
  ReceiveUnmatchedPix: receiveUnmatched,
  AssignSuspense: assign,
  ReturnSuspense: returnSuspense,
  RepeatSuspenseReturn: repeatSuspenseReturn,
  RecordSuspenseReturn: recordSuspenseReturn,
  WriteOffSuspense: writeOff,
}

/** Answers about money that belongs to nothing. */
export const suspenseAnswers: Answerers<SuspenseQuery> = {
  ListSuspense: function* (query, { list, result }) {
    const statuses = new Set<string>(query.statuses)
    const fits = (label: string): boolean => statuses.size === 0 || statuses.has(label)
    return result(yield* list('suspense', query, fits, null))
  },
  FindSuspense: ({ suspenseId }, { find }) => find('suspense', suspenseId),
}
