import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import type { Command } from '../../../../engine/kernel/registry.ts'
import { ledgerSum } from '../../../../engine/ledger/postings.ts'
import { cardOf } from '../../../../engine/payments/methods/card/card.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../../engine/payments/provider.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { aCancellation, aCardPayment, account, aRefund } from '../../world.ts'
import { aCapture, aCardCancellation, silence } from './commands.ts'
import { answerTo, newAcquirer, newProcess, type Process } from './process.ts'

type Step =
  /** With the merchant's key of that number: the same again is the same payment. */
  | { readonly do: 'pay'; readonly order: number; readonly captures: boolean }
  | { readonly do: 'capture' | 'void' | 'cancel' | 'refund'; readonly n: number; readonly part: number }
  /** One of the calls under way meets the acquirer, or does not, and its answer arrives, or does not. */
  | { readonly do: 'call'; readonly k: number; readonly fate: (typeof fates)[number] }
  /** An answer of before arrives once more. */
  | { readonly do: 'repeat'; readonly k: number }
  | { readonly do: 'flush' }
  | { readonly do: 'crash' }
  | { readonly do: 'wait'; readonly ms: number }

const fates = [
  'answered',
  'answered',
  'answered',
  'answer lost',
  'never arrived',
  'crash before answer',
] as const

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      order: fc.nat({ max: 3 }),
      captures: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('capture' as const, 'capture', 'void', 'cancel', 'refund', 'refund'),
      n: fc.nat({ max: 2 }),
      part: fc.integer({ min: 1, max: 1000 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      k: fc.nat({ max: 9 }),
      fate: fc.constantFrom(...fates),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), k: fc.nat({ max: 20 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1000, 5000, 60_000, 300_000, 900_000),
    }),
  },
)

/** `SEED` and `RUNS` of the environment look further; a seed that fails becomes a test of its own. */
const seed = Number(process.env.SEED ?? 20_261_121)
const runs = Number(process.env.RUNS ?? 200)

/** An acquirer that refuses some things, and always the same. */
const isRefused = ({ reference, operation }: ProviderRequest): boolean =>
  operation !== 'REVERSE' && (Number(reference.slice(4, 30)) * 7 + Number(reference.slice(31))) % 5 === 0

t.test(
  'whatever is lost and whenever it crashes, service and acquirer say the same in the end',
  async (t) => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const acquirer = newAcquirer(isRefused)
      const answers: Answered[] = []
      let service = await newProcess()
      for (const step of steps) {
        if (step.do === 'crash') service = service.crash()
        else if (step.do === 'call') service = await call(service, step, acquirer, answers)
        else await act(service, step, answers)
      }
      service = service.crash()
      for (let turns = 0; turns < 100 && paymentsOf(service).some(({ calls }) => calls.length > 0); turns++) {
        for (const request of service.calls.splice(0))
          await service.told(answerTo(request, acquirer.hear(request)))
        service.pass(600_000)
        service.shard.tick()
        service.journal.flush()
      }
      for (const payment of paymentsOf(service)) checkPayment(payment, acquirer)
      const orders = paymentsOf(service).map(({ details }) => details.externalId)
      assert.equal(new Set(orders).size, orders.length, 'one payment for a key')
      assert.equal(ledgerSum(service.memory.find('account', account)!.state.balances), 0n)
    })
    await t.resolves(fc.assert(property, { numRuns: runs, seed }))
  },
)

type Answered = { readonly request: ProviderRequest; readonly answer: ProviderAnswer }
type Acquirer = ReturnType<typeof newAcquirer>

const paymentsOf = (service: Process): readonly Transaction[] =>
  service.memory.list(account, 'transaction', { offset: 0, limit: 1000 }).states.toReversed()

const call = async (
  service: Process,
  { k, fate }: Extract<Step, { readonly do: 'call' }>,
  acquirer: Acquirer,
  answers: Answered[],
): Promise<Process> => {
  const { calls } = service
  if (calls.length === 0) return service
  const [request] = calls.splice(k % calls.length, 1)
  if (fate === 'never arrived') {
    await service.told(answerTo(request!, silence))
    return service
  }
  const answer = acquirer.hear(request!)
  if (fate === 'crash before answer') return service.crash()
  if (fate === 'answer lost') {
    await service.told(answerTo(request!, silence))
    return service
  }
  answers.push({ request: request!, answer })
  await service.told(answerTo(request!, answer))
  return service
}

const act = async (
  service: Process,
  step: Exclude<Step, { readonly do: 'call' | 'crash' }>,
  answers: Answered[],
): Promise<void> => {
  switch (step.do) {
    case 'flush':
      return service.journal.flush()
    case 'wait':
      if (step.ms > 8000) await fallSilent(service)
      service.pass(step.ms)
      service.shard.tick()
      return
    case 'repeat': {
      const again = answers[step.k % Math.max(1, answers.length)]
      if (again !== undefined) await service.told(answerTo(again.request, again.answer))
      return
    }
    default: {
      const command = commandOf(service, step)
      // Its answer may never come: the process crashes before.
      if (command !== null) void service.shard.execute(command).catch(() => undefined)
    }
  }
}

/** No disk takes so long, and what is on its way for so long is taken for silence. */
const fallSilent = async (service: Process): Promise<void> => {
  service.journal.flush()
  for (const request of service.calls.splice(0)) await service.told(answerTo(request, silence))
}

const commandOf = (
  service: Process,
  step: Extract<Step, { readonly do: 'pay' | 'capture' | 'void' | 'cancel' | 'refund' }>,
): Command | null => {
  if (step.do === 'pay') {
    const key = `order-${step.order}`
    const idempotency = { key, fingerprint: 'f' }
    const change = { amountCents: toCents(1000), externalId: key, idempotency }
    return aCardPayment({ captures: step.captures, installments: 3 }, change)
  }
  const payments = paymentsOf(service)
  const payment = payments[payments.length - 1 - step.n]
  if (payment === undefined) return null
  const { id } = payment
  switch (step.do) {
    case 'capture':
      return aCapture(id, step.part)
    case 'void':
      return aCancellation(id)
    case 'cancel':
      return aCardCancellation(id)
    case 'refund':
      return aRefund(id, step.part)
  }
}

/** Holds what the service believes of a payment against what the acquirer did. */
const checkPayment = (payment: Transaction, acquirer: Acquirer): void => {
  const done = (operation: ProviderRequest['operation']) =>
    acquirer.done(operation).filter(({ transactionId }) => transactionId === payment.id)
  const sum = (parts: readonly { readonly amountCents: number }[]): number =>
    parts.reduce((total, { amountCents }) => total + amountCents, 0)
  assert.ok(done('AUTHORIZE').length <= 1, 'one authorization')
  assert.equal(payment.calls.length, 0, 'nothing is open')
  const completed = payment.reversals.refunds.filter(({ status }) => status === 'COMPLETED')
  assert.equal(sum(completed), sum(done('REFUND')), 'what went back')
  const { captures } = cardOf(payment)!
  const captured = captures ? payment.amountCents : sum(done('CAPTURE'))
  assert.equal(payment.paidCents, isPaid(payment) ? captured : 0, 'what was taken')
  assert.equal(
    holdOf(payment, acquirer),
    isPaid(payment) || payment.status === 'AUTHORIZED' ? 'held' : 'not held',
    `what the acquirer holds of a payment that is ${payment.status} ${payment.failureReason}`,
  )
}

const isPaid = ({ status }: Transaction): boolean =>
  status === 'APPROVED' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED'

/** Whether the card still bears the authorization: what comes after its reversal is not taken back by that. */
const holdOf = ({ id }: Transaction, acquirer: Acquirer): 'held' | 'not held' => {
  let held = false
  for (const { transactionId, operation } of acquirer.inOrder()) {
    if (transactionId !== id) continue
    if (operation === 'AUTHORIZE') held = true
    if (operation === 'VOID' || operation === 'REVERSE') held = false
  }
  return held ? 'held' : 'not held'
}
