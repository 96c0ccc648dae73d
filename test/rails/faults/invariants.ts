import type { Call } from '../../e2e/service.ts'
import type { Shop } from '../live-service.ts'

/** What must hold of a shop whatever went wrong (rails, section 7, I1 to I5), as differences in words: none are left in the end. */
export const differencesOf = async ({
  bank,
  call,
  sign = null,
  foreign = new Set(),
}: Pick<Shop, 'bank' | 'call'> & {
  /** The txids of charges of other programs at the same account. */
  readonly foreign?: ReadonlySet<string>
  /** How a person asks, where the shop has one: money that was sent is shown to people alone. */
  readonly sign?: Call | null
}): Promise<readonly string[]> => {
  const found: string[] = []
  const say = (holds: boolean, what: string): void => {
    if (!holds) found.push(what)
  }
  const details = await detailed(call, '/v1/transactions')
  const received = await all(call, '/v1/pix/received')
  const refunds = details.flatMap(({ refunds }) => refunds as readonly any[])

  // I1: the same money there and here.
  const movements = bank.bank.book.movements()
  const atBank = movements.reduce((sum, { cents }) => sum + cents, 0)
  const stayed = sumOf(received.filter(({ status }) => status !== 'RETURNED'))
  const refunded = sumOf(refunds.filter(({ status }) => status === 'COMPLETED'))
  const transfers = sign === null ? [] : await detailed(sign, '/v1/transfers')
  const arrived = transfers.filter(({ status }) => status === 'COMPLETED')
  const cameBack = arrived.reduce((sum, { returnedAmount }) => sum + Number(returnedAmount ?? 0), 0)
  // What recipients were sent, and what they are still owed.
  const parts = await all(call, '/v1/split/transfers')
  const paidOut = parts.filter(
    ({ completedAt, endToEndId }) => completedAt !== null && endToEndId !== undefined,
  )
  const sentOf = ({ amount, debtRecoveredAmount, returnedAmount = 0 }: any): number =>
    Number(amount) - Number(debtRecoveredAmount) - Number(returnedAmount)
  const sentToRecipients = paidOut.reduce((sum, part) => sum + sentOf(part), 0)
  const recipients = await all(call, '/v1/split/recipients')
  const owed = recipients.reduce((sum, { balanceAmount }) => sum + Number(balanceAmount), 0)
  const sent = sumOf(arrived) - cameBack + sentToRecipients
  const unmatched = (sign === null ? [] : await all(sign, '/v1/suspense')).filter(
    ({ status }) => status !== 'ASSIGNED',
  )
  const leftOf = ({ amount, returnedAmount }: any): number => Number(amount) - Number(returnedAmount)
  const unassigned = unmatched.reduce((sum, item) => sum + leftOf(item), 0)
  say(
    atBank === stayed + unassigned - refunded - sent,
    `the bank has ${atBank}, and here ${stayed} came, ${unassigned} belong to nothing, ${refunded} went back and ${sent} were sent`,
  )
  const suspended = unassigned + sumOf(received.filter(({ status }) => status === 'RETURN_FAILED'))
  const fees = [...details, ...arrived].reduce((sum, { feeAmount }) => sum + Number(feeAmount), 0)
  const { available, blocked } = (await call('GET', '/v1/balance')).body
  const ours = Number(available) + Number(blocked)
  say(
    ours === atBank - suspended - fees - owed,
    `the balance is ${ours}; the bank has ${atBank}, ${suspended} of it in suspense, ${fees} are fees, and recipients are owed ${owed}`,
  )
  say(Number(blocked) === 0, `${blocked} are blocked`)

  // I2: one effect for each reference.
  const known = new Set(received.map(({ endToEndId }) => endToEndId))
  say(known.size === received.length, 'a PIX came in twice')
  const sends = bank.bank.sends.all().filter(({ status }) => status !== 'NAO_REALIZADO')
  for (const { reference, endToEndId, cents, status } of sends) {
    const [of, ...others] = [...arrived, ...paidOut].filter((one) => one.endToEndId === endToEndId)
    const paid =
      of?.debtRecoveredAmount === undefined ? Number(of?.amount) : sentOf({ ...of, returnedAmount: 0 })
    say(others.length === 0 && paid === cents, `${reference} was sent, and is no transfer here`)
    say(status === 'REALIZADO', `${reference} is on its way`)
  }
  for (const { endToEndId } of [...transfers, ...parts, ...unmatched]) known.add(endToEndId)
  for (const { endToEndId } of movements)
    if (endToEndId !== null) say(known.has(endToEndId), `${endToEndId} is at the bank alone`)
  const ids = new Set(details.map(({ pix }) => pix?.txid).filter((txid) => txid != null))
  const payable = bank.bank.charges.all().filter(({ status }) => status === 'ATIVA' || status === 'CONCLUIDA')
  for (const { txid } of payable)
    say(ids.has(txid) || foreign.has(txid), `${txid} can be paid, and is no charge here`)

  // I3: nothing is under way.
  for (const one of [...refunds, ...received, ...transfers, ...parts, ...unmatched])
    say(!/^(PROCESSING|RETURNING|SCHEDULED)$/.test(one.status), `${one.id} is ${one.status}`)
  for (const { id, status } of details) say(status !== 'CREATED', `${id} is CREATED`)

  // I4 and I5: each approval once, with evidence, and steps in their order.
  for (const { id, events, pix, paidAmount, amount } of details) {
    const types: readonly string[] = events.map(({ type }: { readonly type: string }) => type)
    const approvals = types.filter((type) => type === 'ChargePaid').length
    say(approvals === (Number(paidAmount) > 0 ? 1 : 0), `${id} was approved ${approvals} times: ${types}`)
    if (approvals === 0) continue
    say(known.has(pix.endToEndId), `${id} was approved without a PIX`)
    say(paidAmount === amount, `${id} of ${amount} was approved with ${paidAmount}`)
    const at = (type: string): number => types.indexOf(type)
    say(at('ChargeCreated') === 0, `${id} begins with ${types[0]}`)
    say(at('ChargeIssued') < at('ChargePaid'), `${id} got its code after its approval`)
  }
  return found
}

const sumOf = (rows: readonly { readonly amount: string }[]): number =>
  rows.reduce((sum, { amount }) => sum + Number(amount), 0)

/** Every row of a list. */
const all = async (call: Call, path: string): Promise<readonly any[]> => {
  const rows: any[] = []
  for (let page = 1; ; page++) {
    const { body } = await call('GET', `${path}?pageSize=100&page=${page}`)
    rows.push(...body.data)
    if (body.data.length < 100) return rows
  }
}

const detailed = async (call: Call, path: string): Promise<readonly any[]> =>
  Promise.all((await all(call, path)).map(async ({ id }) => (await call('GET', `${path}/${id}`)).body))
