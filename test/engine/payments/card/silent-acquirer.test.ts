import t from 'tap'
import { ledgerSum } from '../../../../engine/ledger/postings.ts'
import type { CaptureCharge } from '../../../../engine/payments/methods/card/commands.ts'
import type {
  CancelCardPayment,
  CreateCharge,
  RequestRefund,
} from '../../../../engine/payments/transaction/commands.ts'
import type { Chargeback } from '../../../../engine/payments/transaction/transaction.ts'
import { accountIdOf, type CompanyId } from '../../../../engine/shared/ids.ts'
import { openProviderDriver } from '../../../../gateway/providers/driver.ts'
import { openBankWithBooks } from '../../../gateway/providers/bank-with-books.ts'
import { aCardPayment, account, aRefund, askSandbox, companyId, opened, opening } from '../../world.ts'
import {
  aCapture,
  aCardCancellation,
  aChargeback,
  aClearing,
  aDefense,
  aNo,
  aResolution,
  aYes,
  silence,
} from './commands.ts'
import { answerTo, newAcquirer, newProcess, type Process } from './process.ts'

/** Lets the time of what the acquirer is silent about run out. */
const giveUp = async (process: Process): Promise<void> => {
  process.pass(15 * 60_000)
  process.shard.tick()
  process.journal.flush()
  for (const request of process.calls.splice(0)) await process.told(answerTo(request, silence))
  process.shard.tick()
  process.journal.flush()
}

t.test('nothing is asked before its intent is on disk', async (t) => {
  const process = await newProcess()
  const waiting = process.shard.execute(aCardPayment())
  t.strictSame(process.calls, [])
  process.journal.flush()
  t.match(process.calls, [{ operation: 'AUTHORIZE', asked: 0, amountCents: 10_000 }])
  const acquirer = newAcquirer()
  const [request] = process.calls
  await process.told(answerTo(request!, acquirer.hear(request!)))
  t.match(await waiting, { accepted: true, state: { status: 'APPROVED' } })
})

t.test('an intent that did not reach the disk was never asked, and its key is free', async (t) => {
  const process = await newProcess()
  const idempotency = { key: 'k', fingerprint: 'f' }
  void process.shard.execute(aCardPayment({}, { idempotency }))
  t.strictSame(process.calls, [])
  const next = process.crash()
  t.strictSame(next.calls, [])
  void next.shard.execute(aCardPayment({}, { idempotency }))
  next.journal.flush()
  t.equal(next.calls.length, 1)
})

t.test('a crash before the answer asks again with the same reference, and authorizes once', async (t) => {
  const acquirer = newAcquirer()
  const idempotency = { key: 'order-1', fingerprint: 'f' }
  const first = await newProcess()
  const command = aCardPayment({}, { idempotency })
  void first.shard.execute(command)
  first.journal.flush()
  acquirer.hear(first.calls[0]!)
  const second = first.crash()
  t.match(second.calls, [{ operation: 'AUTHORIZE', asked: 0 }])
  t.match(second.transaction(command.transactionId), { status: 'CREATED', version: 2 })
  const early = await second.told(aCardPayment({}, { idempotency }))
  t.match(early, { rejection: { reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' } }, 'the merchant tries again')
  const third = second.crash()
  t.equal(third.calls.length, 1)
  await third.told(answerTo(third.calls[0]!, acquirer.hear(third.calls[0]!)))
  t.match(third.transaction(command.transactionId), { status: 'APPROVED', version: 3, calls: [] })
  t.equal(acquirer.count('AUTHORIZE'), 1)
  t.equal(new Set(acquirer.references()).size, 1)
  const replay = await third.told(aCardPayment({}, { idempotency }))
  t.match(replay, {
    accepted: true,
    replayed: true,
    state: { id: command.transactionId, status: 'APPROVED' },
  })
  t.strictSame(third.crash().calls, [], 'an answered call is not made again')
})

t.test('an answer that is lost in a crash is asked for again', async (t) => {
  const acquirer = newAcquirer()
  const first = await newProcess()
  const command = aCardPayment({ captures: false })
  void first.shard.execute(command)
  first.journal.flush()
  void first.shard.execute(answerTo(first.calls[0]!, acquirer.hear(first.calls[0]!)))
  t.equal(first.transaction(command.transactionId).status, 'AUTHORIZED', 'in memory only')
  const second = first.crash()
  t.equal(second.transaction(command.transactionId).status, 'CREATED')
  await second.told(answerTo(second.calls[0]!, acquirer.hear(second.calls[0]!)))
  t.equal(second.transaction(command.transactionId).status, 'AUTHORIZED')
  t.equal(acquirer.count('AUTHORIZE'), 1)
})

t.test('captures, voids, refunds and reversals go on after a crash under their references', async (t) => {
  const acquirer = newAcquirer()
  let process = await newProcess()
  const answerAll = async (): Promise<void> => {
    for (const request of process.calls.splice(0))
      await process.told(answerTo(request, acquirer.hear(request)))
  }
  const restart = (): void => {
    for (const request of process.calls) acquirer.hear(request)
    process = process.crash()
  }
  const payment = aCardPayment({ captures: false })
  const { transactionId: id } = payment
  const steps = [
    () => process.shard.execute(payment),
    () => process.shard.execute(aCapture(id, 8000)),
    () => process.shard.execute(aRefund(id, 3000)),
  ]
  for (const step of steps) {
    void step()
    process.journal.flush()
    restart()
    restart()
    await answerAll()
  }
  t.match(process.transaction(id), {
    status: 'PARTIALLY_REFUNDED',
    paidCents: 8000,
    calls: [],
    reversals: { refunds: [{ amountCents: 3000, status: 'COMPLETED' }] },
  })
  const lost = aCardPayment()
  void process.shard.execute(lost)
  process.journal.flush()
  acquirer.hear(process.calls[0]!)
  await process.told(answerTo(process.calls.shift()!, silence))
  await giveUp(process)
  restart()
  await answerAll()
  t.match(process.transaction(lost.transactionId), {
    status: 'FAILED',
    failureReason: 'ACQUIRER_TIMEOUT',
    calls: [],
  })
  t.equal(acquirer.count('AUTHORIZE'), 2, 'one for each payment')
  for (const operation of ['CAPTURE', 'REFUND', 'REVERSE'] as const) t.equal(acquirer.count(operation), 1)
  t.equal(ledgerSum(process.memory.find('account', account)!.state.balances), 0n)
})

t.test('an acquirer that answers late is heard, and asking again in between changes nothing', async (t) => {
  const acquirer = newAcquirer()
  const process = await newProcess()
  const command = aCardPayment()
  const waiting = process.shard.execute(command)
  process.journal.flush()
  const first = process.calls.shift()!
  const late = acquirer.hear(first)
  await process.told(answerTo(first, silence))
  t.match(await waiting, { accepted: true, state: { status: 'PROCESSING' } })
  process.pass(5000)
  process.shard.tick()
  process.journal.flush()
  const second = process.calls.shift()!
  t.match(second, { reference: first.reference, operation: 'AUTHORIZE', asked: 1 })
  await process.told(answerTo(first, late))
  t.match(process.transaction(command.transactionId), { status: 'APPROVED', calls: [] })
  const { version } = process.transaction(command.transactionId)
  await process.told(answerTo(second, acquirer.hear(second)))
  t.equal(process.transaction(command.transactionId).version, version)
  t.equal(acquirer.count('AUTHORIZE'), 1)
})

t.test(
  'an acquirer that never answers is asked less and less often, then told to take it back',
  async (t) => {
    const acquirer = newAcquirer()
    const process = await newProcess()
    const command = aCardPayment()
    void process.shard.execute(command)
    process.journal.flush()
    const askedAfterSeconds: number[] = []
    const startMs = process.now()
    for (let second = 0; second <= 900; second++) {
      for (const request of process.calls.splice(0)) {
        askedAfterSeconds.push((process.now() - startMs) / 1000)
        acquirer.hear(request)
        await process.told(answerTo(request, silence))
      }
      process.pass(1000)
      process.shard.tick()
      process.journal.flush()
    }
    t.strictSame(askedAfterSeconds, [0, 5, 20, 80, 260, 860, 900])
    t.equal(acquirer.asked.at(-1)!.operation, 'REVERSE')
    t.equal(new Set(acquirer.references().slice(0, -1)).size, 1)
    t.equal(acquirer.count('AUTHORIZE'), 1)
    t.match(process.transaction(command.transactionId), {
      status: 'FAILED',
      failureReason: 'ACQUIRER_TIMEOUT',
    })
  },
)

t.test('an approval that comes after the payment was given up does not bring it back', async (t) => {
  const process = await newProcess()
  const command = aCardPayment()
  void process.shard.execute(command)
  process.journal.flush()
  const request = process.calls.shift()!
  await process.told(answerTo(request, silence))
  await giveUp(process)
  const reversal = process.calls.find(({ operation }) => operation === 'REVERSE')!
  t.equal(process.transaction(command.transactionId).status, 'FAILED')
  const { version } = process.transaction(command.transactionId)
  t.match(await process.told(answerTo(request, aYes)), { accepted: true })
  t.match(process.transaction(command.transactionId), { status: 'FAILED', version, paidCents: 0 })
  await process.told(answerTo(reversal, aYes))
  t.match(process.transaction(command.transactionId), { status: 'FAILED', version: version + 1, calls: [] })
})

t.test('an answer that comes twice changes nothing, whatever it says the second time', async (t) => {
  const world = await opened()
  const seen = () => ({ balances: world.account().balances, told: world.told.length })
  const answered = async (command: CreateCharge | CaptureCharge | CancelCardPayment | RequestRefund) => {
    const { id, version, timeline } = await world.accepted(command)
    const call = timeline.findLast(({ type }) => type === 'ProviderCalled')!
    const before = seen()
    for (const answer of [aYes, aNo(), silence]) {
      const again = { accountId: account, transactionId: id, reference: `${id}.${call.version}` }
      t.equal((await world.accepted(answerTo(again, answer))).version, version)
      t.strictSame(seen(), before, command.type)
    }
  }
  const payment = aCardPayment({ captures: false })
  await answered(payment)
  await answered(aCapture(payment.transactionId, 900))
  await answered(aRefund(payment.transactionId, 100))
  await answered(aCardCancellation(payment.transactionId))
  await answered(aCardPayment({ token: 'tok_test_declined_51' }))
  const voided = aCardPayment({ captures: false })
  await answered(voided)
  await answered(aCardCancellation(voided.transactionId))
})

t.test('an answer to nobody, or about the payment of another company, is dropped', async (t) => {
  const process = await newProcess()
  const command = aCardPayment()
  void process.shard.execute(command)
  process.journal.flush()
  const request = process.calls.shift()!
  t.match(await process.told(answerTo({ ...request, reference: 'other' }, aYes)), { accepted: true })
  const other = `${account.slice(0, account.indexOf('/') - 1)}2/SANDBOX` as typeof account
  t.match(await process.told({ ...opening, accountId: other }), { accepted: true })
  t.match(await process.told(answerTo({ ...request, accountId: other }, aYes)), {
    rejection: { reason: 'NOT_FOUND' },
  })
  t.match(process.transaction(command.transactionId), { status: 'CREATED', version: 2 })
})

for (const repeat of ['SAFE', 'INQUIRE_FIRST', 'NEVER'] as const) {
  t.test(
    `an acquirer that does it and then breaks the line leaves one authorization: ${repeat}`,
    async (t) => {
      const process = await newProcess()
      const bank = openBankWithBooks({ AUTHORIZE: repeat, REVERSE: 'SAFE' })
      bank.plan('CUT_AFTER', 'UNREADABLE')
      const module = { ...bank.module, name: 'sandbox-acquirer' }
      const driver = openProviderDriver({
        revealed: (request) => request,
        providers: {
          SANDBOX: { CARD: { connectionId: 'a-connection', module, instance: bank.instance } },
          PRODUCTION: {},
        },
        execute: (command) => process.told(command),
        later: setImmediate,
        stopwatch: () => process.now(),
        sliceMs: 1,
        wait: () => new Promise(() => undefined),
        timeout: () => () => undefined,
        answerTimeoutMs: 8000,
        repeatTimeoutMs: 20_000,
        retryMs: 200,
        onFault: (error) => t.fail(String(error)),
      })
      const command = aCardPayment()
      const waiting = process.shard.execute(command)
      for (let turn = 0; turn < 3; turn++) {
        process.journal.flush()
        for (const request of process.calls.splice(0)) driver.drive(request)
        while (driver.inFlight() > 0) await new Promise((resolve) => setImmediate(resolve))
        process.pass(20_000)
        process.shard.tick()
      }
      t.match(await waiting, { accepted: true, state: { status: 'PROCESSING' } })
      t.match(process.transaction(command.transactionId), { status: 'APPROVED', calls: [] })
      t.equal(bank.sent.length, 3)
      t.strictSame([...bank.books.values()], [10_000], 'it is authorized once')
    },
  )
}

t.test('a Sandbox that is cleared takes back only its own calls', async (t) => {
  const process = await newProcess()
  const other = accountIdOf('cmp_00000000000000000000000002' as CompanyId, 'SANDBOX')
  await process.told({ ...opening, accountId: other })
  void process.shard.execute(aCardPayment({}, { accountId: other }))
  process.journal.flush()
  const waiting = process.shard.execute(aCardPayment()).catch(() => 'unavailable')
  await process.told(aClearing)
  t.equal(await waiting, 'unavailable')
  t.equal(process.calls.length, 2)
  t.match(process.crash().calls, [{ accountId: other, operation: 'AUTHORIZE' }])
  t.equal(process.crash().calls.length, 1)
})

t.test('silence that is told twice was one question in vain', async (t) => {
  const process = await newProcess()
  const command = aCardPayment()
  void process.shard.execute(command)
  process.journal.flush()
  const request = process.calls.shift()!
  await process.told(answerTo(request, silence))
  const payment = process.transaction(command.transactionId)
  t.match(payment, { status: 'PROCESSING', version: 3, calls: [{ unanswered: 1 }] })
  process.pass(1000)
  for (const answer of [silence, { type: 'PENDING' } as const]) await process.told(answerTo(request, answer))
  t.strictSame(process.transaction(command.transactionId), payment)
})

t.test(
  'while a question is on its way nothing is taken back: it might be authorized after that',
  async (t) => {
    const acquirer = newAcquirer()
    const process = await newProcess()
    const [decided, silent, lost] = [aCardPayment(), aCardPayment(), aCardPayment()]
    for (const command of [decided, silent, lost]) void process.shard.execute(command)
    process.journal.flush()
    for (const request of process.calls.splice(0)) await process.told(answerTo(request, silence))
    // The service stands still for an hour: the next question and the end of its time are due at once.
    process.pass(3_600_000)
    process.shard.tick()
    process.journal.flush()
    t.strictSame(
      process.calls.map(({ operation }) => operation),
      ['AUTHORIZE', 'AUTHORIZE', 'AUTHORIZE'],
    )
    const [first, second] = process.calls.splice(0)
    await process.told(answerTo(first!, acquirer.hear(first!)))
    t.equal(process.transaction(decided.transactionId).status, 'APPROVED')
    await process.told(answerTo(second!, silence))
    process.shard.tick()
    process.journal.flush()
    t.equal(process.transaction(silent.transactionId).status, 'FAILED')
    t.strictSame(
      process.calls.splice(0).map(({ operation }) => operation),
      ['REVERSE'],
    )
    t.equal(process.transaction(lost.transactionId).status, 'PROCESSING')
    process.pass(60_000)
    process.shard.tick()
    process.journal.flush()
    t.equal(
      process.transaction(lost.transactionId).status,
      'FAILED',
      'an answer that is lost is not waited for',
    )
  },
)

t.test(
  'the Sandbox decides while the acquirer is asked again, and what that says comes too late',
  async (t) => {
    const process = await newProcess()
    const command = aCardPayment()
    void process.shard.execute(command)
    process.journal.flush()
    await process.told(answerTo(process.calls.shift()!, silence))
    process.pass(5000)
    process.shard.tick()
    process.journal.flush()
    const [again] = process.calls
    const resolved = await process.told(aResolution(command.transactionId, 'DECLINED', '57'))
    t.match(resolved, { accepted: true, state: { status: 'DECLINED', calls: [] } })
    const decided = process.transaction(command.transactionId)
    await process.told(answerTo(again!, aYes))
    t.strictSame(process.transaction(command.transactionId), decided)
  },
)

t.test('in Production no token and no text decides anything', async (t) => {
  const process = await newProcess()
  const accountId = accountIdOf(companyId, 'PRODUCTION')
  await process.told({ ...opening, accountId, profile: { ...opening.profile, environment: 'PRODUCTION' } })
  const paid = async (token: string) => {
    const metadata = { sandboxScenario: 'chargeback' }
    const command = aCardPayment({ token }, { accountId, metadata })
    void process.shard.execute(command)
    process.journal.flush()
    const request = process.calls.shift()!
    await process.told(answerTo(request, await askSandbox(request)))
    return process.transaction(command.transactionId)
  }
  const later = (ms: number): void => {
    process.pass(ms)
    process.shard.tick()
    process.journal.flush()
  }
  t.match(await paid('tok_test_declined_51'), { status: 'APPROVED' })
  const { id } = await paid('tok_test_chargeback')
  later(60_000)
  t.match(process.transaction(id), { status: 'APPROVED', version: 3 })
  await process.told({ ...aChargeback(id), accountId })
  const [{ id: chargebackId }] = process.transaction(id).reversals.chargebacks as [Chargeback]
  await process.told({ ...aDefense(chargebackId, 'this is winning_evidence'), accountId })
  later(60_000)
  t.match(process.transaction(id).reversals.chargebacks, [{ status: 'UNDER_REVIEW' }])
  later(30 * 86_400_000)
  t.match(process.transaction(id).reversals.chargebacks, [{ status: 'LOST', lostReason: 'DEFENSE_REJECTED' }])
  t.match(process.transaction(id).timeline.at(-1), { actor: { kind: 'CLOCK', id: null } })
})
