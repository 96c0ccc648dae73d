import fc from 'fast-check'
import t from 'tap'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { live } from '../connections/live.ts'
import {
  aLiveCancellation,
  aLiveCharge,
  anArrival,
  aPixAtBank,
  isRefused,
  newShop,
  registered,
  silence,
  stateAtBank,
} from '../payments/pix/bank/at-bank.ts'
import { aRefund } from '../world.ts'

/**
 * PIX charges over a connected bank that keeps books of its own, and answers as it likes: whatever happens, what is here is what the bank has in the
 * end, and no money goes back twice.
 */
type Mood = 'heard' | 'lost' | 'answer lost' | 'refused'
type Step =
  | { readonly do: 'charge'; readonly cents: number; readonly moods: readonly Mood[] }
  | { readonly do: 'pay'; readonly n: number; readonly off: number }
  | { readonly do: 'report'; readonly times: number }
  | { readonly do: 'cancel'; readonly n: number }
  /** Of all that is left, where the part is null. */
  | {
      readonly do: 'refund'
      readonly n: number
      readonly percent: number | null
      readonly moods: readonly Mood[]
    }
  | { readonly do: 'moods'; readonly moods: readonly Mood[] }
  | { readonly do: 'pass'; readonly minutes: number }

type Payment = {
  readonly endToEndId: string
  readonly cents: number
  /** What the bank has sent back of it, by the id of each return and refund. */
  readonly returns: Map<string, number>
  readonly refunds: Map<string, number>
}
type AtBank = { state: 'ABSENT' | 'ACTIVE' | 'REMOVED'; readonly payments: Payment[] }

/** What a bank or a service of a test gets wrong, to see that it is noticed. */
type Flaw = 'RETURNS_TWICE' | 'REFUNDS_TWICE' | 'LOSES_REFUNDS' | 'REPORTS_MORE' | 'REPORTS_OTHERS'

const moods = fc.array(fc.constantFrom<Mood>('heard', 'heard', 'lost', 'answer lost', 'refused'), {
  maxLength: 4,
})
const nth = fc.nat(3)
const anyStep = fc.oneof(
  fc.record({ do: fc.constant('charge' as const), cents: fc.integer({ min: 100, max: 90_000 }), moods }),
  fc.record({ do: fc.constant('pay' as const), n: nth, off: fc.constantFrom(0, 0, 0, -1, 50) }),
  fc.record({ do: fc.constant('report' as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('cancel' as const), n: nth }),
  fc.record({
    ...{ do: fc.constant('refund' as const), n: nth, moods },
    percent: fc.constantFrom(null, 10, 40, 60, 100),
  }),
  fc.record({ do: fc.constant('moods' as const), moods }),
  fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 5, 11, 70, 1_500) }),
)
/** Half of the stories begin with two charges that are paid: most of what can happen comes behind that, and one pays for the other's refund. */
const paidCharges = [90_000, 10_000].flatMap((cents): readonly Step[] => [
  { do: 'charge', cents, moods: [] },
  { do: 'pay', n: 0, off: 0 },
  { do: 'report', times: 1 },
])
const anyStory = fc
  .tuple(fc.boolean(), fc.array(anyStep, { minLength: 1, maxLength: 18 }))
  .map(([isPaid, steps]): readonly Step[] => (isPaid ? [...paidCharges, ...steps] : steps))

/** A bank with books, whose next answers are planned. */
const newBank = (flaw: Flaw | null) => {
  const charges = new Map<string, AtBank>()
  const refused = new Set<string>()
  let planned: Mood[] = []
  const chargeOf = (txid: string): AtBank => {
    const found = charges.get(txid) ?? { state: 'ABSENT', payments: [] }
    charges.set(txid, found)
    return found
  }
  const paymentOf = (endToEndId: string): Payment =>
    [...charges.values()].flatMap(({ payments }) => payments).find((one) => one.endToEndId === endToEndId)!
  const shown = ({ state, payments }: AtBank): ProviderAnswer => {
    const all = payments.map(({ endToEndId, cents }) =>
      aPixAtBank({ endToEndId, amountCents: toCents(cents) }),
    )
    const removed = state === 'REMOVED' ? 'REMOVED_BY_RECEIVER' : 'ACTIVE'
    return stateAtBank(all.length > 0 ? 'PAID' : removed, ...all)
  }
  const carryOut = (request: ProviderRequest, isRefusing: boolean): ProviderAnswer => {
    const { operation, pix, pixReturn, amountCents, reference, refundId, endToEndId } = request
    switch (operation) {
      case 'REGISTER': {
        const charge = chargeOf(pix!.txid)
        if (charge.state === 'ABSENT' && (isRefusing || refused.has(reference))) {
          refused.add(reference)
          const refusal = { reason: 'REGISTRATION_REJECTED', code: null, message: 'no' } as const
          return { type: 'REFUSED', refusal }
        }
        if (charge.state === 'ABSENT') charge.state = 'ACTIVE'
        return registered(request)
      }
      case 'CANCEL': {
        const charge = chargeOf(pix!.txid)
        // A charge that is removed before it came cannot come any more.
        if (charge.payments.length === 0) charge.state = 'REMOVED'
        return shown(charge)
      }
      case 'READ_CHARGE':
        return shown(chargeOf(pix!.txid))
      case 'RETURN': {
        const { id } = pixReturn!
        const { returns } = paymentOf(pixReturn!.endToEndId)
        if (!returns.has(id) && (isRefusing || refused.has(id))) {
          refused.add(id)
          return isRefused('no')
        }
        const before = flaw === 'RETURNS_TWICE' ? (returns.get(id) ?? 0) : 0
        returns.set(id, before + amountCents)
        return { type: 'RETURNED', returnId: `D${id}`.padEnd(32, '0').slice(0, 32) }
      }
      case 'REFUND': {
        const id = refundId!
        const { refunds } = paymentOf(endToEndId!)
        if (!refunds.has(id) && (isRefusing || refused.has(id))) {
          refused.add(id)
          return isRefused('no')
        }
        const before = flaw === 'REFUNDS_TWICE' ? (refunds.get(id) ?? 0) : 0
        if (flaw !== 'LOSES_REFUNDS') refunds.set(id, before + amountCents)
        return { type: 'RETURNED', returnId: `D${id}`.padEnd(32, '0').slice(0, 32) }
      }
      default:
        throw new Error(`a bank is not asked for ${operation}`)
    }
  }
  return {
    charges,
    chargeOf,
    plan: (next: readonly Mood[]): void => {
      planned = [...next]
    },
    answer: (request: ProviderRequest): ProviderAnswer => {
      const mood = planned.shift() ?? 'heard'
      if (mood === 'lost') return silence
      const answer = carryOut(request, mood === 'refused')
      return mood === 'answer lost' ? silence : answer
    },
  }
}

/** Tells a story, and throws where the books here are not those of the bank in the end. */
const tell = async (steps: readonly Step[], flaw: Flaw | null = null): Promise<ReadonlySet<string>> => {
  const bank = newBank(flaw)
  const operations = ['REGISTER', 'CANCEL', 'READ_CHARGE', 'RETURN', 'REFUND'] as const
  const shop = await newShop(Object.fromEntries(operations.map((name) => [name, bank.answer])))
  const { world, pass } = shop
  const ids: TransactionId[] = []
  const unreported: { readonly id: TransactionId; readonly payment: Payment }[] = []
  const idAt = (n: number): TransactionId | undefined => ids.at(-1 - n)
  const txidOf = (id: TransactionId): string => pixOf(world.transaction(id))!.txid!

  const report = async (times: number): Promise<void> => {
    for (const { id, payment } of unreported.splice(0)) {
      const cents = payment.cents + (flaw === 'REPORTS_MORE' ? 1 : 0)
      const endToEndId =
        flaw === 'REPORTS_OTHERS' ? `${payment.endToEndId.slice(0, 31)}Z` : payment.endToEndId
      const arrival = anArrival(world.transaction(id), { endToEndId, amountCents: toCents(cents) })
      for (let time = 0; time < times; time++) await world.execute(arrival)
    }
  }
  const pay = (id: TransactionId, off: number): void => {
    const charge = bank.chargeOf(txidOf(id))
    if (charge.state !== 'ACTIVE') return
    const cents = world.transaction(id).amountCents + off
    const { endToEndId } = aPixAtBank()
    const payment: Payment = { endToEndId, cents, returns: new Map(), refunds: new Map() }
    charge.payments.push(payment)
    unreported.push({ id, payment })
  }

  for (const step of steps) {
    switch (step.do) {
      case 'charge': {
        bank.plan(step.moods)
        const command = aLiveCharge({ amountCents: toCents(step.cents) })
        void world.shard.execute(command).catch(() => undefined)
        await world.settle()
        ids.push(command.transactionId)
        break
      }
      case 'pay': {
        const id = idAt(step.n)
        if (id !== undefined) pay(id, step.off)
        break
      }
      case 'report':
        await report(step.times)
        break
      case 'cancel': {
        const id = idAt(step.n)
        if (id === undefined) break
        void world.shard.execute(aLiveCancellation(id)).catch(() => undefined)
        await world.settle()
        break
      }
      case 'refund': {
        const id = idAt(step.n)
        if (id === undefined) break
        bank.plan(step.moods)
        const { amountCents } = world.transaction(id)
        const cents = step.percent === null ? null : Math.ceil((amountCents * step.percent) / 100)
        // More than is left is refused, as is a refund of what is not paid.
        void world.shard.execute({ ...aRefund(id, cents), ...live }).catch(() => undefined)
        await world.settle()
        break
      }
      case 'moods':
        bank.plan(step.moods)
        break
      case 'pass':
        await pass(step.minutes * 60_000)
        break
    }
    requireEqual(shop.sum(), 0n, 'the ledger')
  }
  // From here on the bank hears and answers everything.
  bank.plan([])
  for (let hours = 0; hours < 9 * 24; hours += 2) {
    await report(1)
    await pass(2 * 3_600_000)
  }

  const happened = new Set<string>()
  const failed = new Set(
    shop
      .received()
      .flatMap(({ returning, endToEndId }) => (returning === 'RETURN_FAILED' ? [endToEndId] : [])),
  )
  let [heldCents, keptCents, failedCents] = [0, 0, 0]
  for (const id of ids) {
    const { status, amountCents, reversals } = world.transaction(id)
    const { state, payments } = bank.chargeOf(txidOf(id))
    happened.add(status)
    let kept = 0
    const refundedHere = sumOf(
      reversals.refunds.flatMap((one) => (one.status === 'COMPLETED' ? [one.amountCents] : [])),
    )
    for (const { status } of reversals.refunds)
      if (status === 'PROCESSING') throw new Error(`a refund of ${id} is still open`)
    for (const { endToEndId, cents, returns, refunds } of payments) {
      const back = sumOf(returns.values())
      const refunded = sumOf(refunds.values())
      if (back !== 0) requireEqual(back, cents, `${endToEndId} goes back once and whole`)
      heldCents += cents - back - refunded
      if (back > 0) happened.add('RETURNED')
      else if (failed.has(endToEndId)) {
        failedCents += cents
        happened.add('RETURN_FAILED')
      } else kept += cents - refunded
    }
    keptCents += kept
    const isPaid = ['APPROVED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status)
    requireEqual(kept, isPaid ? amountCents - refundedHere : 0, `what ${id} keeps, which is ${status}`)
    requireEqual(status === 'REFUNDED', isPaid && refundedHere === amountCents, `${id} is ${status}`)
    if (status === 'CREATED' || status === 'PENDING') throw new Error(`${id} is still ${status}`)
    // One that was paid, if with another amount, is paid by no one else.
    if (status === 'CANCELLED' && payments.length === 0) requireEqual(state, 'REMOVED', `${id} at the bank`)
    if (status === 'FAILED' && state === 'ACTIVE' && payments.length === 0)
      throw new Error(`${id} has failed, and can be paid`)
  }
  const { available, fees, payer, suspense = 0n } = shop.balances()
  requireEqual(payer, BigInt(0 - heldCents), 'what the bank holds for payers')
  requireEqual(available + fees, BigInt(keptCents), 'what is kept')
  requireEqual(suspense, BigInt(failedCents), 'what the bank did not take back')
  return happened
}

const sumOf = (parts: Iterable<number>): number => [...parts].reduce((sum, part) => sum + part, 0)

const requireEqual = (found: unknown, wanted: unknown, what: string): void => {
  if (found !== wanted) throw new Error(`${what}: ${String(found)}, and not ${String(wanted)}`)
}

const { PROPERTY_RUNS, PROPERTY_SEED } = process.env
const numRuns = Number(PROPERTY_RUNS ?? 150)
const seed = Number(PROPERTY_SEED ?? 1)

t.setTimeout(0)

t.test('whatever a bank answers about PIX charges, the books here are its own', async (t) => {
  const happened = new Set<string>()
  const told = fc.asyncProperty(anyStory, async (story) => {
    for (const what of await tell(story)) happened.add(what)
  })
  const { counterexample, errorInstance } = await fc.check(told, { numRuns, seed })
  if (counterexample !== null)
    t.fail(`seed ${seed}: ${(errorInstance as Error).message}`, { story: JSON.stringify(counterexample[0]) })
  else if (numRuns >= 150)
    t.strictSame(
      ['APPROVED', 'CANCELLED', 'EXPIRED', 'FAILED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'RETURNED'].filter(
        (what) => !happened.has(what),
      ),
      [],
      'stories come to all of it',
    )
})

for (const flaw of [
  'RETURNS_TWICE',
  'REFUNDS_TWICE',
  'LOSES_REFUNDS',
  'REPORTS_MORE',
  'REPORTS_OTHERS',
] as const)
  t.test(`and what goes wrong is noticed: ${flaw}`, async (t) => {
    const told = fc.asyncProperty(anyStory, async (story) => void (await tell(story, flaw)))
    const { failed } = await fc.check(told, { numRuns: 300, seed: 1, endOnFailure: true })
    t.ok(failed)
  })
