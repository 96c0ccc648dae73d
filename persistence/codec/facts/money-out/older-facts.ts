import type {
  CreatedTransfer,
  CreatedWithdrawal,
  MoneyOutFact,
} from '../../../../engine/money-out/money-out.ts'
import { enumeration, type Fields, json, type Layout, readThrough, record, text } from '../../layout.ts'
import type { OlderFacts } from '../fact-layouts.ts'
import { moneyOutFacts } from './money-out.ts'

/**
 * The facts that transfers and withdrawals each had up to version 7 of stored bytes, before they were one actor.
 * Each is read as the one fact of today that means the same: ids of public events follow from the place of a fact
 * in its entry, so no fact may be added or dropped.
 *
 * An older fact has today's fields in today's order, except fields stored `otherwise` and fields left `unsaid`.
 */
const olderFact =
  (actor: MoneyOutFact['actor']) =>
  (
    tag: number,
    type: MoneyOutFact['type'],
    otherwise: Readonly<Record<string, Pick<Layout<unknown>, 'read'>>> = {},
    unsaid: object = {},
  ): readonly [tag: number, Pick<Layout<MoneyOutFact>, 'read'>] => {
    const stored = Object.entries<object>(moneyOutFacts[type][1]).filter(([name]) => !(name in unsaid))
    const fields = { ...Object.fromEntries(stored), ...otherwise } as unknown as Fields<MoneyOutFact>
    return [tag, record(fields, { actor, type, ...unsaid } as Partial<MoneyOutFact>)]
  }

/** A created transfer as stored up to version 7. */
type StoredTransfer = Omit<CreatedTransfer, 'method' | 'currency' | 'worthCents' | 'payeeId'> & {
  readonly kind: CreatedTransfer['method']
  readonly beneficiaryId: CreatedTransfer['payeeId']
}

const createdTransfer = readThrough(
  json<StoredTransfer>({ askedAtMs: null }),
  ({ kind, beneficiaryId, ...same }): CreatedTransfer => ({
    ...same,
    method: kind,
    currency: 'BRL',
    worthCents: same.amountCents,
    payeeId: beneficiaryId,
  }),
)

const ofTransfer = olderFact('transfer')

export const olderTransferFacts: OlderFacts<'transfer'> = {
  OutgoingCreated: ofTransfer(1, 'MoneyOutCreated', { created: createdTransfer }),
  OutgoingDecided: ofTransfer(2, 'MoneyOutDecided'),
  OutgoingScheduled: ofTransfer(3, 'MoneyOutScheduled'),
  OutgoingPostponed: ofTransfer(4, 'MoneyOutPostponed'),
  OutgoingCancelled: ofTransfer(5, 'MoneyOutCancelled'),
  OutgoingSent: ofTransfer(6, 'MoneyOutSent', {}, { providerId: null }),
  OutgoingUnanswered: ofTransfer(7, 'MoneyOutUnanswered'),
  OutgoingSentAgain: ofTransfer(8, 'MoneyOutSentAgain'),
  OutgoingCompleted: ofTransfer(9, 'MoneyOutCompleted', {}, { railId: null }),
  OutgoingFailed: ofTransfer(10, 'MoneyOutFailed'),
  OutgoingRecalled: ofTransfer(11, 'MoneyOutRecalled'),
}

/** A created withdrawal as stored up to version 7. */
type StoredWithdrawal = Omit<
  CreatedWithdrawal,
  'method' | 'currency' | 'amountCents' | 'feeCents' | 'payee' | 'payeeId' | 'scheduledFor'
> & {
  readonly walletId: CreatedWithdrawal['payeeId']
  readonly wallet: CreatedWithdrawal['payee']
  readonly units: CreatedWithdrawal['amountCents']
  readonly feeUnits: CreatedWithdrawal['feeCents']
}

const createdWithdrawal = readThrough(
  json<StoredWithdrawal>({ askedAtMs: null }),
  ({ walletId, wallet, units, feeUnits, ...same }): CreatedWithdrawal => ({
    ...same,
    method: 'CRYPTO',
    currency: wallet.asset,
    amountCents: units,
    feeCents: feeUnits,
    payee: wallet,
    payeeId: walletId,
    scheduledFor: null,
  }),
)

const ofWithdrawal = olderFact('withdrawal')

/** Older withdrawals have no execution time: they left at once, or with their last approval. */
const asCreated = ([tag, layout]: ReturnType<typeof ofWithdrawal>): readonly [
  tag: number,
  Pick<Layout<MoneyOutFact>, 'read'>,
] => [tag, readThrough(layout, (fact) => ({ ...fact, runsAtMs: fact.atMs }) as MoneyOutFact)]

const cancelReason = enumeration({
  REJECTED: 1,
  APPROVAL_EXPIRED: 2,
  CREATOR_REMOVED: 3,
  WALLET_REMOVED: 4,
  CANCELLED: 5,
})
const failureReason = enumeration({ REFUSED_BY_NETWORK: 1, ADDRESS_REFUSED: 2, DROPPED: 3 })

export const olderWithdrawalFacts: OlderFacts<'withdrawal'> = {
  WithdrawalCreated: asCreated(
    ofWithdrawal(1, 'MoneyOutCreated', { created: createdWithdrawal }, { runsAtMs: 0, counts: [] }),
  ),
  WithdrawalDecided: ofWithdrawal(2, 'MoneyOutDecided'),
  WithdrawalCancelled: ofWithdrawal(3, 'MoneyOutCancelled', { cancelReason }),
  WithdrawalSent: ofWithdrawal(4, 'MoneyOutSent', { providerId: text() }, { railId: null }),
  WithdrawalUnanswered: ofWithdrawal(5, 'MoneyOutUnanswered'),
  WithdrawalSentAgain: ofWithdrawal(6, 'MoneyOutSentAgain'),
  WithdrawalBroadcast: ofWithdrawal(7, 'MoneyOutBroadcast'),
  WithdrawalCompleted: ofWithdrawal(8, 'MoneyOutCompleted', { railId: text() }),
  WithdrawalFailed: ofWithdrawal(
    9,
    'MoneyOutFailed',
    { callId: text(), failureReason },
    { providerCode: null },
  ),
}
