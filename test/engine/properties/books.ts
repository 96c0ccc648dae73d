import type { Conversion } from '../../../engine/crypto/conversion.ts'
import type { Account } from '../../../engine/ledger/account.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import type { Receivable } from '../../../engine/ledger/receivable.ts'
import { asSettled, type SettledAt } from '../../../engine/ledger/receivables.ts'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import { divisionProblems, owedBy } from '../../../engine/marketplace/owed.ts'
import { type SplitTransfer, splitTransferAmountOf } from '../../../engine/marketplace/split-transfer.ts'
import type { MoneyOut, Transfer } from '../../../engine/money-out/money-out.ts'
import { sentBy } from '../../../engine/money-out/sent.ts'
import { type BoletoPayment, boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { payableOn } from '../../../engine/payments/methods/boleto/payable.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import { heldCents, refundedCents } from '../../../engine/payments/transaction/amounts.ts'
import { refundableCents } from '../../../engine/payments/transaction/refundable.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { Recipient } from '../../../engine/recipients/recipient.ts'
import { dateIn } from '../../../engine/shared/calendar.ts'
import { inInstallments, toCents } from '../../../engine/shared/money.ts'
import { usualFee } from '../profile.ts'
import { zone } from './commands.ts'
import { conversionBooksIn } from './stablecoin-books.ts'

/** What must hold of the money of one transaction, whatever happened to it. */
export const moneyProblems = (transaction: Transaction): readonly string[] => {
  const problems: string[] = []
  const demand = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what)
  }
  const { status, paidCents, feeCents, calls, reversals } = transaction
  const { refunds, chargebacks, meds } = reversals
  const refunded = refundedCents(transaction)
  const lost = lostCents(transaction)
  demand(refunded >= 0 && lost >= 0 && refunded + lost <= paidCents, `${refunded} + ${lost} of ${paidCents}`)
  demand(heldCents(transaction) >= 0, `${heldCents(transaction)} are held`)
  const refundable = refundableCents(transaction, transaction.updatedAtMs)
  demand(refundable >= 0 && refundable <= heldCents(transaction), `${refundable} can be refunded`)
  demand((status === 'REFUNDED') === (paidCents > 0 && refunded === paidCents), `${status}, ${refunded} back`)
  demand(
    status !== 'PARTIALLY_REFUNDED' || (refunded > 0 && refunded < paidCents),
    `${status}, ${refunded} of ${paidCents} back`,
  )
  demand(status !== 'APPROVED' || refunded === 0, `${status}, ${refunded} back`)
  demand((transaction.approvedAtMs !== null) === paidCents > 0, 'approved is paid')

  const given = sum(refunds, ({ status, feeReversedCents }) =>
    status === 'COMPLETED' ? feeReversedCents : 0,
  )
  const lostFee = sum(chargebacks, ({ status, feeCents }) => (status === 'LOST' ? feeCents : 0))
  demand(feeCents >= 0, `a fee of ${feeCents}`)
  demand(feeCents + given + lostFee === wholeFee(transaction), `fee ${feeCents} + ${given} + ${lostFee}`)

  demand(chargebacks.length <= 1, 'two chargebacks')
  demand(
    chargebacks.some(({ status }) => status !== 'WON') === (status === 'CHARGEBACK'),
    `${status} with a chargeback ${chargebacks[0]?.status}`,
  )
  demand(meds.filter(({ status }) => status === 'OPEN').length <= 1, 'two MEDs at once')
  for (const { blockedCents, returnedCents, amountCents } of meds)
    demand(returnedCents <= blockedCents && blockedCents <= amountCents, 'a MED returns more than it blocked')

  const processing = refunds.filter(({ status }) => status === 'PROCESSING').map(({ id }) => id)
  const asked = calls.flatMap(({ refundId }) => refundId ?? [])
  demand(processing.sort().join() === asked.sort().join(), 'every refund on its way has its call')
  demand(
    calls.filter(({ operation }) => operation !== 'REFUND').length <= 1,
    'two calls about one authorization',
  )
  const payment = boletoOf(transaction)?.payment
  demand(!payment || payment.paidCents === payableCents(transaction, payment), 'a boleto is paid exactly')
  demand(!payment || paidCents === 0 || paidCents === payment.paidCents, 'what was paid is booked')
  return [...problems, ...rowProblems(transaction)]
}

/** Receivables: what every instalment brings, and what was taken of it. */
const rowProblems = (transaction: Transaction): readonly string[] => {
  const problems: string[] = []
  const { receivables, paidCents, reversals } = transaction
  if (paidCents === 0) return receivables.length === 0 ? [] : ['receivables of nothing']
  const { installments } = receivables[0]!
  const whole = inInstallments(paidCents, installments)
  for (const [n, most] of whole.entries()) {
    const rows = receivables.filter(({ installment }) => installment === n + 1)
    const left = sum(rows, (row) => signOf(row) * row.grossCents)
    const fee = sum(rows, (row) => signOf(row) * row.feeCents)
    if (left < 0 || left > most) problems.push(`instalment ${n + 1} holds ${left} of ${most}`)
    if (fee < 0) problems.push(`instalment ${n + 1} holds a fee of ${fee}`)
  }
  for (const { grossCents, feeCents, installment } of receivables)
    if (grossCents < 0 || feeCents < 0 || installment > installments) problems.push('a negative row')
  const disputed = reversals.chargebacks.filter(({ status }) => status !== 'WON')
  const open = disputed.filter(({ status }) => status !== 'LOST')
  const left = sum(receivables, (row) => signOf(row) * row.grossCents)
  const fee = sum(receivables, (row) => signOf(row) * row.feeCents)
  const back = refundedCents(transaction) - restoredCents(transaction)
  const due = paidCents - back - sum(disputed, ({ amountCents }) => amountCents)
  const dueFee = transaction.feeCents - sum(open, ({ feeCents }) => feeCents)
  if (left !== due) problems.push(`rows of ${left}, but ${due} are left`)
  if (fee !== dueFee) problems.push(`rows of ${fee} fee, but ${dueFee} are left`)
  const suspended = receivables.filter(({ status }) => status === 'SUSPENDED')
  if (open.length === 0 && suspended.length > 0) problems.push('suspended without a chargeback')
  return problems
}

/** What must hold of the account: double entry, and every balance by what the transactions say. */
export const ledgerProblems = (
  account: Account,
  all: readonly Transaction[],
  settledAt: SettledAt,
  transfers: readonly SplitTransfer[],
  outgoing: readonly Transfer[],
  conversions: readonly Conversion[],
): readonly string[] => {
  const problems: string[] = []
  const sent = sentBy(outgoing, 'BRL')
  const converted = conversionBooksIn('BRL', conversions)
  const processing = sum(outgoing, (one) => (one.status === 'PROCESSING' ? wholeOf(one) : 0))
  const owed = owedBy(transfers, all)
  const owedCents = sum([...owed.values()], ({ balanceCents }) => balanceCents)
  const transactions = all.filter(({ currency }) => currency === 'BRL')
  const rows = transactions.flatMap(({ receivables }) => asSettled(receivables, settledAt))
  const scheduled = rows.filter(({ status }) => status === 'SCHEDULED')
  const planned = Object.values(account.schedule).flatMap((month) => Object.values(month))
  const blocked = sum(transactions, blockedCents)
  const withheld = sum(transactions, (one) => pixOf(one)?.payment?.taxWithheldCents ?? 0)
  const expected = {
    payer: -sum(
      transactions,
      (one) => one.paidCents - refundedCents(one) - lostCents(one) + restoredCents(one),
    ),
    fees: sum(transactions, ({ feeCents }) => feeCents) + Number(sent.feeCents + converted.fees),
    receivable: sum(planned, ({ grossCents, feeCents }) => grossCents - feeCents),
    blocked: blocked + sum(transactions, disputedNet) + processing + Number(converted.blocked),
    available:
      sum(rows, (row) => (row.status === 'SETTLED' ? signOf(row) * (row.grossCents - row.feeCents) : 0)) -
      blocked -
      owedCents -
      Number(owed.paidOutCents) -
      Number(sent.paidCents + sent.feeCents) -
      processing +
      Number(converted.available) -
      withheld,
    recipients: owedCents,
    paidOut: Number(owed.paidOutCents + sent.paidCents),
    exchange: Number(converted.exchange),
    taxes: Number(converted.taxes),
    taxesWithheld: withheld,
  }
  if (ledgerSum(account.balances) !== 0n) problems.push(`the ledger sums to ${ledgerSum(account.balances)}`)
  for (const [name, cents] of Object.entries(expected)) {
    const balance = account.balances[name as keyof typeof expected] ?? 0n
    if (balance !== BigInt(cents)) problems.push(`${name} is ${balance}, transactions say ${cents}`)
  }
  problems.push(...shortageProblems(account, transactions))
  const { plannedCents = 0n } = account.moneyOut ?? {}
  if (plannedCents !== sent.plannedCents)
    problems.push(`${plannedCents} are planned, transfers say ${sent.plannedCents}`)
  const most = account.balances.available > 0n ? account.balances.available : 0n
  if (withdrawableOf(account) > most) problems.push(`${withdrawableOf(account)} can be sent of ${most}`)
  for (const { id, date, method, grossCents, feeCents, receivablesCount } of planned) {
    const own = scheduled.filter(({ settlementId, expectedOn }) => settlementId === id && expectedOn === date)
    const gross = sum(own, (row) => row.grossCents)
    const fee = sum(own, (row) => row.feeCents)
    if (gross !== grossCents || fee !== feeCents || own.length !== receivablesCount)
      problems.push(
        `${date} ${method}: ${grossCents} - ${feeCents} of ${receivablesCount}, rows say ${gross} - ${fee} of ${own.length}`,
      )
  }
  const ids = new Set(planned.map(({ id }) => id))
  if (scheduled.some(({ settlementId }) => !ids.has(settlementId!)))
    problems.push('a row that no batch brings')
  return problems
}

/** Open MEDs that are short are known, the oldest first, and while there are any nothing can be sent. */
const shortageProblems = (account: Account, transactions: readonly Transaction[]): readonly string[] => {
  const known = account.shortMeds ?? []
  const open = transactions.flatMap(({ id, reversals }) =>
    reversals.meds.flatMap((med) =>
      med.status === 'OPEN' && med.blockedCents < med.amountCents
        ? [`${id} ${med.id} ${med.amountCents - med.blockedCents}`]
        : [],
    ),
  )
  const short = known.map(
    ({ transactionId, medId, missingCents }) => `${transactionId} ${medId} ${missingCents}`,
  )
  const problems: string[] = []
  if (open.sort().join() !== [...short].sort().join()) problems.push(`${open} are short, ${short} are known`)
  const openedAt = new Map(
    transactions.flatMap(({ reversals }) => reversals.meds.map(({ id, openedAtMs }) => [id, openedAtMs])),
  )
  if (known.some(({ medId }, n) => n > 0 && openedAt.get(medId)! < openedAt.get(known[n - 1]!.medId)!))
    problems.push(`${short} are in disorder`)
  if (known.length > 0 && withdrawableOf(account) > 0n)
    problems.push(`${withdrawableOf(account)} can be sent, and ${short} are short`)
  return problems
}

/** What limits count of a day is what left on it, or is leaving: what came back counts no more. */
export const countProblems = ({ moneyOut }: Account, payments: readonly MoneyOut[]): readonly string[] => {
  const counting = payments.filter(({ status }) => status !== 'FAILED' && status !== 'CANCELLED')
  const all = counting.flatMap(({ counts }) => counts)
  const uncounted = counting.filter(isOut).flatMap((payment) =>
    sumsOf(payment)
      .filter((name) => !payment.counts.some((count) => count.sum === name && count.cents > 0))
      .map((name) => `${payment.id} is ${payment.status}, and counts nothing in ${name}`),
  )
  const wrong = Object.entries(moneyOut?.sums ?? {}).flatMap(([name, { date, cents }]) => {
    const own = all.filter((count) => count.sum === name && 'date' in count && count.date === date)
    const expected = sum(own, (count) => count.cents)
    return cents === expected ? [] : [`${name} counts ${cents} on ${date}, payments say ${expected}`]
  })
  const recent = sum(moneyOut?.recent ?? [], ({ cents }) => cents)
  const toNew = sum(
    all.filter((count) => 'atMs' in count),
    ({ cents }) => cents,
  )
  // What is older than a day is forgotten there.
  const forNew = recent > toNew ? [`new payees got ${recent} of late, payments say ${toNew} in all`] : []
  return [...uncounted, ...wrong, ...forNew]
}

const isOut = ({ status }: MoneyOut): boolean =>
  status === 'PROCESSING' || status === 'BROADCAST' || status === 'COMPLETED'

/** Where each payment counts: its way, and its creator. */
const sumsOf = (payment: MoneyOut): readonly string[] => [payment.method, `person ${payment.createdBy}`]

/** What must hold of the parts of recipients: each has what its rows say, and the books of all agree. */
export const shareProblems = (
  account: Account,
  transactions: readonly Transaction[],
  transfers: readonly SplitTransfer[],
  recipients: readonly Recipient[],
): readonly string[] => {
  const problems: string[] = []
  const owed = owedBy(transfers, transactions)
  for (const { id, balanceCents, pendingCents } of recipients) {
    const expected = owed.get(id) ?? { balanceCents: 0, pendingCents: 0 }
    if (balanceCents !== expected.balanceCents || pendingCents !== expected.pendingCents)
      problems.push(
        `${id}: ${balanceCents}, ${pendingCents} pending; rows say ${expected.balanceCents}, ${expected.pendingCents}`,
      )
  }
  const sumOfBalances = recipients.reduce((total, { balanceCents }) => total + BigInt(balanceCents), 0n)
  if (account.balances.recipients !== sumOfBalances) problems.push('recipients are owed otherwise')
  for (const transfer of transfers) {
    const { id, dueCents, debtRecoveredCents, reversedCents, status } = transfer
    const amount = splitTransferAmountOf(transfer)
    if (dueCents < 0 || debtRecoveredCents < 0 || reversedCents < 0 || reversedCents > amount || amount < 0)
      problems.push(
        `${id}: ${dueCents} due, ${debtRecoveredCents} recovered, ${reversedCents} back of ${amount}`,
      )
    if (dueCents + debtRecoveredCents > amount) problems.push(`${id}: pays more than it is`)
    if (status === 'REVERSED' && reversedCents !== amount) problems.push(`${id}: reversed in part`)
  }
  for (const transaction of transactions) {
    const { id, split, receivables } = transaction
    if (split === null && receivables.some(({ recipientId }) => recipientId !== null))
      problems.push(`${id}: a share of nobody`)
    problems.push(...divisionProblems(transaction))
  }
  return problems
}

/** Reserved for a refund on its way, or by a MED. */
const blockedCents = ({ method, reversals }: Transaction): number =>
  method === 'PIX'
    ? sum(reversals.refunds, ({ status, amountCents }) => (status === 'PROCESSING' ? amountCents : 0)) +
      sum(reversals.meds, ({ status, blockedCents }) => (status === 'OPEN' ? blockedCents : 0))
    : 0

const disputedNet = ({ reversals }: Transaction): number =>
  sum(reversals.chargebacks, ({ status, amountCents, feeCents }) =>
    status === 'OPEN' || status === 'UNDER_REVIEW' ? amountCents - feeCents : 0,
  )

const lostCents = ({ reversals }: Transaction): number =>
  sum(reversals.chargebacks, ({ status, amountCents }) => (status === 'LOST' ? amountCents : 0))

/** What won contests of MEDs gave back. */
const restoredCents = ({ reversals }: Transaction): number =>
  sum(reversals.meds, ({ contest, returnedCents }) => (contest?.status === 'WON' ? returnedCents : 0))

const payableCents = (transaction: Transaction, { paidAtMs }: BoletoPayment): number =>
  payableOn({ ...boletoOf(transaction)!, amountCents: transaction.amountCents }, dateIn(zone, paidAtMs))
    .payableCents

/** The fee before anything was taken back. */
const wholeFee = ({ method, origin, paidCents, means }: Transaction): number =>
  paidCents === 0 ? 0 : usualFee(paidCents, method, { origin, ...cardOf({ means }) })

const wholeOf = ({ amountCents, feeCents }: Transfer): number => amountCents + feeCents

/** What a row adds to what its instalment holds. */
const signOf = ({ type, status }: Receivable): number => {
  if (status === 'CANCELLED' || status === 'SUSPENDED') return 0
  return type === 'REFUND' || type === 'CHARGEBACK' ? -1 : 1
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  toCents(items.reduce((total, item) => total + of(item), 0))
