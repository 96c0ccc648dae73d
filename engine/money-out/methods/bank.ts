import { chosenWay, type Way } from '../../connections/way.ts'
import { factOf } from '../../kernel/fact.ts'
import { withdrawableOf } from '../../ledger/withdrawable.ts'
import { dueAgain } from '../../payments/transaction/calls.ts'
import type { AskedTransfer } from '../asked.ts'
import { changeKeyTokens, keyQuota } from '../lookups/quota.ts'
import type { TransferFailure } from '../money-out.ts'
import { isTrustedAt } from '../payees/beneficiary.ts'
import { ownerChanged } from './bank-request.ts'
import type { MoneyOutDefinition } from './method.ts'

/** What PIX and TED have in common: a bank sends reais to a beneficiary. */
export const bankTransfer: Omit<MoneyOutDefinition<AskedTransfer>, 'runTimeOf' | 'sentBy'> = {
  rail: 'PAYOUT',
  isImmediate: false,
  worthNow: (_, { amountCents }) => amountCents,
  trustIn: ({ find, context }, { payeeId, isToOwner }) => {
    const beneficiary = payeeId === null ? undefined : find('beneficiary', payeeId)
    const isTrusted = beneficiary !== undefined && isTrustedAt(beneficiary, context.nowMs)
    return { coolsOffUntilMs: beneficiary?.availableAtMs ?? null, ignoresNight: isToOwner || isTrusted }
  },
  fundsRefusal: (draft, asked) => {
    const isShort =
      draft.context.institution.outcomes.lacksFunds(asked) ||
      withdrawableOf(draft.account()) < BigInt(asked.amountCents + asked.feeCents)
    return isShort ? { reason: 'INSUFFICIENT_BALANCE' } : null
  },
  wayNow: (draft, { amountCents }) =>
    chosenWay(draft.context.institution, draft.account(), { rail: 'PAYOUT', amountCents }),
  request: (out, nowMs) => ({
    reference: out.call!.id,
    providerId: out.call!.providerId,
    connectionId: out.connectionId ?? null,
    operation: 'SEND_TRANSFER',
    asked: out.call!.unanswered,
    rail: 'PAYOUT',
    accountId: out.accountId,
    transferId: out.id,
    kind: out.method,
    amountCents: out.amountCents,
    payee: out.payee,
    endToEndId: out.railId,
    bankNumber: out.call!.bankNumber ?? null,
    description: out.description,
    metadata: out.metadata,
    openedAtMs: out.call!.openedAtMs,
    nowMs,
  }),
  verdictOf: (draft, { call }, answer) => {
    switch (answer.type) {
      case 'DONE': {
        const { endToEndId = null, tariffCents } = 'endToEndId' in answer ? answer : {}
        return { type: 'PAID', railId: endToEndId, ...(tariffCents !== undefined && { tariffCents }) }
      }
      case 'REFUSED':
        return refused('code' in answer ? answer.code : null)
      case 'UNDONE':
        return 'hadArrived' in answer && answer.hadArrived ? { type: 'PAID', railId: null } : refused(null)
      default: {
        const railId = 'endToEndId' in answer ? answer.endToEndId : undefined
        const bankNumber = 'bankNumber' in answer ? answer.bankNumber : undefined
        return {
          type: 'UNDECIDED',
          ...dueAgain(call!, draft, answer, askAgainAfterMs),
          ...(railId != null && { railId }),
          ...(bankNumber !== undefined && { bankNumber }),
        }
      }
    }
  },
  resolvable: ['PROCESSING'],
  resolvedRailId: () => null,
  follow: {
    created: (draft, { id, lookupId }) => {
      if (lookupId !== null)
        draft.add({ type: 'KeyUsed', ...factOf(draft, 'keyLookup', lookupId), transferId: id })
    },
    sent: (draft, { payeeId }) => {
      if (payeeId !== null) draft.add({ type: 'BeneficiaryUsed', ...factOf(draft, 'beneficiary', payeeId) })
    },
    paid: (draft, { lookupId }) => {
      if (lookupId !== null) changeKeyTokens(draft, keyQuota.paid)
    },
  },
}

/** The account's own bank; null for the one of the Sandbox, which needs no name, as there is no other. */
export const ownBankOf = ({ providerId, connectionId }: Way): string | null =>
  connectionId === null ? null : providerId

/**
 * Delays between inquiries to a bank that does not answer: after the first quarter of an hour, every ten minutes.
 */
const askAgainAfterMs = [5_000, 15_000, 40_000, 120_000, 180_000, 540_000, 600_000]

const refused = (code: string | null) =>
  ({
    type: 'FAILED',
    reason: failuresByCode[code ?? ''] ?? 'REFUSED_BY_BANK',
    code: code === ownerChanged ? null : code,
  }) as const

/** What the codes of banks mean (ISO 20022, as PIX uses them). */
const failuresByCode: Readonly<Record<string, TransferFailure>> = {
  [ownerChanged]: 'BENEFICIARY_CHANGED',
  AC03: 'ACCOUNT_NOT_FOUND',
  AC06: 'ACCOUNT_BLOCKED',
  AC07: 'ACCOUNT_CLOSED',
  AC14: 'ACCOUNT_TYPE',
  AB03: 'BANK_TIMEOUT',
  AB11: 'BANK_TIMEOUT',
  AB09: 'BANK_ERROR',
}
