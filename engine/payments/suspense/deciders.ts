import type { Decider, Deciders } from '../../kernel/decider.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Answerers } from '../../kernel/reader.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { type LedgerAccount, transfer } from '../../ledger/postings.ts'
import type { Cents } from '../../shared/money.ts'
import { isAtBank, pixOf } from '../methods/pix/pix.ts'
import { executeOnTransaction } from '../transaction/execute.ts'
import type {
  AssignSuspense,
  ListSuspense,
  ReceiveUnmatchedPix,
  SuspenseCommand,
  WriteOffSuspense,
} from './commands.ts'
import { knownPix } from './known.ts'
import type { Suspense } from './suspense.ts'

const receiveUnmatched: Decider<ReceiveUnmatchedPix> = (draft, command) => {
  const known = knownPix(draft, command.endToEndId)
  if (known !== null) return { reason: 'ALREADY_RECEIVED', receivedPixId: known }
  const { suspenseId: id, connectionId, providerId, txid, pixKey } = command
  const { endToEndId, amountCents, componentsCents, paidAtMs, payer, taxWithheldCents } = command
  const { id: accountId } = draft.account()
  const money = { endToEndId, amountCents, componentsCents, paidAtMs, payer, taxWithheldCents }
  const unmatched = { accountId, connectionId, providerId, txid, pixKey, ...money }
  draft.add({ actor: 'suspense', type: 'SuspenseOpened', id, atMs: draft.context.nowMs, unmatched })
  move(draft, id, 'payer', 'suspense', amountCents)
  return null
}

const assign: Decider<AssignSuspense> = (draft, command) => {
  const item = openItem(draft, command)
  if ('reason' in item) return item
  const { accountId, by, chargeId, depositId } = command
  const charge = chargeId === null ? undefined : draft.find('transaction', chargeId)
  // A refund goes back by the connection of its charge, so the money has come by the same one.
  const fits = charge !== undefined && isAtBank(charge) && charge.connectionId === item.connectionId
  if (chargeId !== null && (!fits || pixOf(charge)!.txid === null))
    return { reason: 'NOT_FOUND', resource: 'transaction' }
  const { endToEndId, amountCents, componentsCents, paidAtMs, payer, taxWithheldCents } = item
  const money = { endToEndId, amountCents, componentsCents, paidAtMs, payer, taxWithheldCents }
  const head = { actor: 'suspense', id: item.id, atMs: draft.context.nowMs, by } as const
  draft.add({ type: 'SuspenseAssigned', transactionId: chargeId ?? depositId, ...head })
  move(draft, item.id, 'suspense', 'payer', amountCents)
  if (charge !== undefined) {
    const { txid } = pixOf(charge)!
    return executeOnTransaction(draft, charge, {
      type: 'ReceivePixAtBank',
      accountId,
      by,
      txid: txid!,
      ...money,
    })
  }
  const { connectionId, providerId, pixKey } = item
  return executeOnTransaction(draft, undefined, {
    type: 'ReceiveUnrequestedPix',
    accountId,
    by,
    transactionId: depositId,
    connectionId,
    providerId,
    ...(pixKey !== null && { pixKey }),
    ...money,
  })
}

const writeOff: Decider<WriteOffSuspense> = (draft, command) => {
  const item = openItem(draft, command)
  if ('reason' in item) return item
  const { by, reason } = command
  const { proposed, id, amountCents } = item
  const head = { actor: 'suspense', id, atMs: draft.context.nowMs, by, reason } as const
  // Keys and the clock are no people, and one person is not two.
  if (by.kind !== 'PERSON') return { reason: 'OWN_REQUEST' }
  if (proposed === null) {
    draft.add({ type: 'WriteOffProposed', ...head })
    return null
  }
  if (by.id === proposed.by.id) return { reason: 'OWN_REQUEST' }
  draft.add({ type: 'SuspenseWrittenOff', ...head })
  move(draft, id, 'suspense', 'payer', amountCents)
  return null
}

/** Deciders for money that belongs to nothing. */
export const suspenseDeciders: Deciders<SuspenseCommand> = {
  ReceiveUnmatchedPix: receiveUnmatched,
  AssignSuspense: assign,
  WriteOffSuspense: writeOff,
}

/** Answers about money that belongs to nothing. */
export const suspenseAnswers: Answerers<ListSuspense> = {
  ListSuspense: function* (query, { list, result }) {
    const statuses = new Set<string>(query.statuses)
    const fits = (label: string): boolean => statuses.size === 0 || statuses.has(label)
    return result(yield* list('suspense', query, fits, null))
  },
}

const openItem = (draft: Draft, { suspenseId }: Pick<AssignSuspense, 'suspenseId'>): Suspense | Rejection => {
  const item = draft.find('suspense', suspenseId)
  if (item === undefined) return { reason: 'NOT_FOUND', resource: 'suspense' }
  if (item.status !== 'OPEN')
    return { reason: 'INVALID_STATE', currentStatus: item.status, allowedStatuses: ['OPEN'] }
  return item
}

const move = (draft: Draft, objectId: string, from: LedgerAccount, to: LedgerAccount, cents: Cents): void =>
  draft.add({
    actor: 'account',
    type: 'FundsMoved',
    id: draft.account().id,
    atMs: draft.context.nowMs,
    objectId,
    currency: 'BRL',
    postings: transfer(from, to, cents),
  })
