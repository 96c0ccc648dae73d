import t from 'tap'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import type { ProviderRequest } from '../../../engine/payments/provider.ts'
import type { RecordAnswer } from '../../../engine/payments/transaction/commands.ts'
import type { Traceparent } from '../../../engine/shared/traceparent.ts'
import type { ConnectedProvider, Providers } from '../../../gateway/providers/connected.ts'
import { openProviderDriver, type ProviderDriverOptions } from '../../../gateway/providers/driver.ts'
import { byRail } from '../../../gateway/providers/index.ts'
import type { ProviderInstance, ProviderOutcome } from '../../../gateway/providers/port.ts'
import { openBankWithBooks } from './bank-with-books.ts'

const yes: ProviderOutcome = {
  type: 'DONE',
  echo: { reference: null, amountCents: null, payee: null },
  evidence: {
    kind: 'CARD',
    nsu: '1',
    tid: '2',
    authorizationCode: '3',
    returnCode: '00',
    message: 'approved',
    networkReference: null,
  },
}

const request = (reference: string, change: Partial<ProviderRequest> = {}): ProviderRequest => ({
  reference,
  operation: 'AUTHORIZE',
  asked: 0,
  accountId: 'cmp_1/SANDBOX' as ProviderRequest['accountId'],
  transactionId: 'txn_1' as ProviderRequest['transactionId'],
  connectionId: null,
  rail: 'CARD',
  providerId: 'acquirer',
  amountCents: 100 as ProviderRequest['amountCents'],
  crypto: null,
  card: { token: 'tok_x', brand: 'VISA', last4: '4242', holderName: null, installments: 1, captures: true },
  authorization: null,
  endToEndId: null,
  pix: null,
  pixReturn: null,
  description: null,
  merchantReference: null,
  refundId: null,
  refundedCents: 0 as ProviderRequest['refundedCents'],
  customer: null,
  metadata: {},
  attempt: null,
  openedAtMs: 0,
  nowMs: 0,
  ...change,
})

const acquirer = (ask: ProviderInstance['ask'], name = 'acquirer'): ConnectedProvider => {
  const { module, instance } = openBankWithBooks({ AUTHORIZE: 'SAFE', REVERSE: 'SAFE' })
  return {
    connectionId: name,
    module: { ...module, name, rails: ['CARD'] },
    instance: { ...instance, ask },
  }
}

/** A driver whose time passes when the test says so. */
const heldDriver = (
  connected: ProviderInstance['ask'] | Providers,
  tell: (command: RecordAnswer) => Promise<unknown>,
  slices: Pick<ProviderDriverOptions, 'later' | 'stopwatch'> = { later: setImmediate, stopwatch: () => 0 },
) => {
  const waits: { readonly ms: number; readonly end: () => void }[] = []
  const faults: unknown[] = []
  const watched: string[] = []
  const driver = openProviderDriver({
    revealed: (request) => request,
    providers:
      typeof connected === 'function' ? { SANDBOX: byRail(acquirer(connected)), PRODUCTION: {} } : connected,
    execute: (command) => tell(command as RecordAnswer),
    ...slices,
    sliceMs: 2,
    wait: (ms) => new Promise((resolve) => waits.push({ ms, end: resolve })),
    timeout: (ms, end) => {
      const wait = { ms, end }
      waits.push(wait)
      return () => {
        if (waits.includes(wait)) waits.splice(waits.indexOf(wait), 1)
      }
    },
    answerTimeoutMs: 8000,
    repeatTimeoutMs: 20_000,
    retryMs: 200,
    onFault: (error, { reference }) => faults.push(`${reference} ${(error as Error).message}`),
    watch: ({ reference }, traceparent) => {
      watched.push(`${reference} asked, ${traceparent}`)
      return ({ type }) => watched.push(`${reference} ${type}`)
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    ...driver,
    waits,
    faults,
    watched,
    turn,
    driveTraced: driver.drive,
    drive: async (...requests: readonly ProviderCallRequest[]) => {
      for (const request of requests) driver.drive(request)
      await turn()
      await turn()
    },
    /** Ends every wait of so many milliseconds that was begun so far. */
    pass: async (ms: number) => {
      const begun = waits.splice(0)
      waits.push(...begun.filter((wait) => wait.ms !== ms))
      for (const { end } of begun.filter((wait) => wait.ms === ms)) end()
      await turn()
      await turn()
    },
  }
}

const told = () => {
  const commands: RecordAnswer[] = []
  return {
    commands,
    tell: async (command: RecordAnswer) => {
      commands.push(command)
    },
    lines: () => commands.map(({ callId, answer }) => `${callId} ${answer.type}`),
  }
}

t.test('an answer is told to the shard as a command of the provider', async (t) => {
  const { commands, tell } = told()
  const driver = heldDriver(async () => yes, tell)
  await driver.drive(request('txn_1.2'))
  t.strictSame(commands, [
    {
      type: 'RecordAnswer',
      accountId: 'cmp_1/SANDBOX',
      by: { kind: 'PROVIDER', id: null },
      transactionId: 'txn_1',
      callId: 'txn_1.2',
      answer: {
        type: 'DONE',
        evidence: { nsu: '1', tid: '2', authorizationCode: '3', returnCode: '00', message: 'approved' },
      },
    },
  ])
  t.equal(driver.inFlight(), 0)
  t.strictSame(driver.faults, [])
  t.strictSame(driver.waits, [], 'no timer is left behind')
})

t.test('what a call comes to is part of its trace, and who watches hears of it', async (t) => {
  const { commands, tell } = told()
  const driver = heldDriver(({ callId: reference }) => {
    if (reference === 'breaks') throw new Error('no line')
    return reference === 'late' ? new Promise(() => undefined) : Promise.resolve(yes)
  }, tell)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' as Traceparent
  driver.driveTraced(request('traced'), traceparent)
  await driver.drive(request('breaks'), request('late'))
  await driver.pass(8000)
  t.strictSame(commands.map((command) => `${command.callId}, ${command.traceparent}`).sort(), [
    'breaks, undefined',
    'late, undefined',
    `traced, ${traceparent}`,
  ])
  t.strictSame(driver.watched.sort(), [
    'breaks SILENT',
    'breaks asked, undefined',
    'late SILENT',
    'late asked, undefined',
    'traced DONE',
    `traced asked, ${traceparent}`,
  ])
})

t.test(
  'a provider that takes longer than eight seconds was silent, and what it says later is dropped',
  async (t) => {
    let answer: (answer: ProviderOutcome) => void = () => undefined
    const { tell, lines } = told()
    const driver = heldDriver(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
      tell,
    )
    await driver.drive(request('a'))
    t.strictSame(lines(), [])
    t.equal(driver.inFlight(), 1)
    t.strictSame(
      driver.waits.map(({ ms }) => ms),
      [8000],
    )
    await driver.pass(8000)
    t.strictSame(lines(), ['a SILENT'])
    t.equal(driver.inFlight(), 0)
    answer(yes)
    await driver.turn()
    t.strictSame(lines(), ['a SILENT'])
  },
)

t.test('an exception says nothing of what was done: it is silence, and somebody hears of it', async (t) => {
  const { tell, lines } = told()
  const asks: ProviderInstance['ask'][] = [
    () => {
      throw new Error('thrown')
    },
    async () => {
      throw new Error('rejected')
    },
  ]
  const driver = heldDriver((request) => asks.shift()!(request), tell)
  await driver.drive(request('a'))
  await driver.drive(request('b'))
  t.strictSame(lines(), ['a SILENT', 'b SILENT'])
  t.strictSame(driver.faults, ['a thrown', 'b rejected'])
  t.equal(driver.inFlight(), 0)
})

t.test(
  'a call goes to the provider of its environment, its rail and its charge, and to no other',
  async (t) => {
    const asked: string[] = []
    const named = (name: string) =>
      acquirer(async ({ callId }) => {
        asked.push(`${name} ${callId}`)
        return yes
      }, name)
    const { tell, lines } = told()
    const driver = heldDriver({ SANDBOX: byRail(named('sandbox')), PRODUCTION: byRail(named('live')) }, tell)
    const live = 'cmp_1/PRODUCTION' as ProviderRequest['accountId']
    await driver.drive(request('a', { providerId: 'sandbox' }))
    await driver.drive(request('b', { providerId: 'live', accountId: live }))
    t.strictSame(asked, ['sandbox a', 'live b'])
    await driver.drive(request('c', { providerId: 'sandbox', accountId: live }))
    await driver.drive(request('d', { providerId: 'live', accountId: live, rail: 'PIX' }))
    t.strictSame(asked.length, 2, 'one that was connected before is not replaced by another')
    t.strictSame(lines(), ['a DONE', 'b DONE', 'c SILENT', 'd SILENT'], 'the calls stay open')
    t.strictSame(driver.faults, [
      'c sandbox is not connected for CARD in PRODUCTION: the call stays open',
      'd live is not connected for PIX in PRODUCTION: the call stays open',
    ])
  },
)

t.test('two providers of one environment share no rail', async (t) => {
  const ask = async () => yes
  t.throws(() => byRail(acquirer(ask, 'one'), acquirer(ask, 'other')), /CARD/)
})

t.test('an exception after the timeout changes nothing, and is heard of', async (t) => {
  let fail: (error: Error) => void = () => undefined
  const { tell, lines } = told()
  const driver = heldDriver(
    () =>
      new Promise((_, reject) => {
        fail = reject
      }),
    tell,
  )
  await driver.drive(request('a'))
  await driver.pass(8000)
  fail(new Error('late'))
  await driver.turn()
  t.strictSame(lines(), ['a SILENT'])
  t.strictSame(driver.faults, ['a late'])
})

t.test('a shard that cannot be written is told again until it can, without asking again', async (t) => {
  let asked = 0
  let refusals = 3
  const { tell, lines } = told()
  const driver = heldDriver(
    async () => {
      asked++
      return yes
    },
    async (command) => {
      if (refusals-- > 0) throw new ShardUnavailable('recovering')
      await tell(command)
    },
  )
  await driver.drive(request('a'))
  for (const left of [2, 1, 0]) {
    t.strictSame(lines(), [], `${left} to go`)
    t.equal(driver.inFlight(), 1)
    await driver.pass(200)
  }
  t.strictSame(lines(), ['a DONE'])
  t.equal(asked, 1)
  t.equal(driver.inFlight(), 0)
  t.strictSame(driver.faults, [])
})

t.test('what is wrong with telling itself is heard of once, and not tried again', async (t) => {
  const driver = heldDriver(
    async () => yes,
    async () => {
      throw new Error('no such shard')
    },
  )
  await driver.drive(request('a'))
  await driver.pass(200)
  t.strictSame(driver.faults, ['a no such shard'])
  t.equal(driver.inFlight(), 0)
})

t.test('a provider that hangs on one call keeps no other waiting', async (t) => {
  const { tell, lines } = told()
  const driver = heldDriver(
    ({ callId }) => (callId === 'stuck' ? new Promise(() => undefined) : Promise.resolve(yes)),
    tell,
  )
  await driver.drive(request('stuck'), request('a'), request('b'))
  t.strictSame(lines(), ['a DONE', 'b DONE'])
  t.equal(driver.inFlight(), 1)
})

t.test('of answers that come together some are told at a time, in their order', async (t) => {
  const { tell, lines } = told()
  const laters: (() => void)[] = []
  let nowMs = 0
  const driver = heldDriver(
    async () => yes,
    (command) => {
      nowMs += 1
      return tell(command)
    },
    { later: (callback) => laters.push(callback), stopwatch: () => nowMs },
  )
  await driver.drive(...['a', 'b', 'c', 'd', 'e'].map((reference) => request(reference)))
  t.strictSame([lines(), driver.hasPendingAnswers()], [[], true], 'none in the turn in which they came')
  for (const count of [2, 4, 5]) {
    t.equal(laters.length, 1)
    laters.shift()!()
    await driver.turn()
    t.strictSame(lines(), ['a DONE', 'b DONE', 'c DONE', 'd DONE', 'e DONE'].slice(0, count))
  }
  t.strictSame([driver.hasPendingAnswers(), laters.length], [false, 0])
})
