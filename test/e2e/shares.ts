import { expecting, grouped, sumOf } from './rows.ts'
import { type Call, posted } from './service.ts'

/** A rule of three parties: a fixed part, a percentage, and a recipient who pays the fees and takes what is left. */
export const newSplitRule = async (call: Call): Promise<string> => {
  const bank = { document: '11.222.333/0001-81', bankCode: '341', branch: '1234', account: '56789-0' }
  const carrier = await posted(call, '/v1/split/recipients', { name: 'Carrier', ...bank })
  const seller = await posted(call, '/v1/split/recipients', { name: 'Seller', ...bank })
  const items = [
    { recipientId: carrier.id, fixedAmount: 333 },
    { recipientId: null, percentBps: 1111 },
    { recipientId: seller.id, percentBps: 5555, chargeFees: true, chargeRemainder: true },
  ]
  return (await posted(call, '/v1/split/rules', { name: 'Three parties', items })).id
}

/** Those of some charges that were paid and divided, with the shares and receivables that lists leave out. */
export const everyDivided = async (call: Call, charges: readonly any[]): Promise<any[]> => {
  const details: any[] = []
  for (const { id, splitRuleId, paidAmount } of charges)
    if (splitRuleId !== null && paidAmount !== '0')
      details.push((await call('GET', `/v1/transactions/${id}`)).body)
  return details
}

/**
 * What has to hold of divided payments, whatever was taken back of them: the shares are the payment, its rows are the
 * shares, and each row of a recipient has one transfer. Payments in detail and transfers are as the API answers them.
 */
export const shareProblems = (divided: readonly any[], transfers: readonly any[]): readonly string[] => {
  const transfersOf = grouped(transfers, 'receivableId')
  return divided.flatMap((payment) => {
    const { id, paidAmount, refundedAmount, disputedAmount, feeAmount, split, receivables } = payment
    const problems: string[] = []
    const expect = expecting(problems)
    const takenBack = Number(refundedAmount) + Number(disputedAmount)
    expect('shares', sumOf(split.parties, 'grossAmount'), Number(paidAmount))
    expect('taken from shares', sumOf(split.parties, 'reversedAmount'), takenBack)
    expect('rows', heldIn(receivables), Number(paidAmount) - takenBack)
    if (takenBack === 0) expect('fees', sumOf(split.parties, 'feeAmount'), Number(feeAmount))
    for (const { recipientId, grossAmount, reversedAmount } of split.parties) {
      const own = receivables.filter((row: any) => row.recipientId === recipientId)
      expect(`rows of ${recipientId}`, heldIn(own), Number(grossAmount) - Number(reversedAmount))
      for (const { id, type } of recipientId === null ? [] : own)
        if (type === 'CREDIT') expect(`transfers for ${id}`, transfersOf.get(id)?.length, 1)
    }
    return problems.map((problem) => `${id}: ${problem}`)
  })
}

/** What rows come to. Those that ended, or wait for a dispute, bring nothing. */
const heldIn = (receivables: readonly any[]): number => {
  let cents = 0
  for (const { type, status, grossAmount } of receivables)
    if (status !== 'CANCELLED' && status !== 'SUSPENDED') cents += signs[type]! * Number(grossAmount)
  return cents
}

const signs: Readonly<Record<string, number>> = {
  CREDIT: 1,
  REFUND: -1,
  CHARGEBACK: -1,
  CHARGEBACK_REVERSAL: 1,
}
