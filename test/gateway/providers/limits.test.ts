import t from 'tap'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { PayoutRequest } from '../../../engine/marketplace/payout-request.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { breakerLimits } from '../../../gateway/providers/breaker.ts'
import { openProviderDriver, type ProviderAlert } from '../../../gateway/providers/driver.ts'
import { probeEveryMs } from '../../../gateway/providers/gate.ts'
import type { ProviderInstance, ProviderLimits, ProviderOutcome } from '../../../gateway/providers/port.ts'
import { account } from '../../engine/world.ts'
import { openBankWithBooks } from './bank-with-books.ts'
import { holdTime } from './held-time.ts'

let made = 0

const aPayout = (change: Partial<ProviderCallRequest> = {}): PayoutRequest =>
  ({
    reference: `spt_${String(++made).padStart(26, '0')}.1`,
    operation: 'PAY_OUT',
    asked: 0,
    rail: 'PAYOUT',
    accountId: account,
    splitTransferId: 'spt_1',
    amountCents: toCents(8_000),
    bank: { bankCode: '341', branch: '1', account: '2' },
    beneficiary: { name: 'Ana', document: '12345678909' },
    openedAtMs: 0,
    nowMs: 0,
    ...change,
  }) as PayoutRequest

const limits: ProviderLimits = { inFlightMax: 4, waitingMax: 3, rates: [] }

/** A driver with one connection, whose time passes when the test says so. */
const held = ({
  instance = {},
  repeat = 'INQUIRE_FIRST',
  within = limits,
}: {
  readonly instance?: Partial<ProviderInstance>
  readonly repeat?: 'SAFE' | 'INQUIRE_FIRST' | 'NEVER'
  readonly within?: ProviderLimits | null
} = {}) => {
  const time = holdTime()
  const bank = openBankWithBooks({ PAY_OUT: repeat }, within)
  const answers: string[] = []
  const commands: { readonly callId: string; readonly answer: { readonly asksAgainInMs?: number | null } }[] =
    []
  const alerts: ProviderAlert[] = []
  const faults: string[] = []
  const driver = openProviderDriver({
    revealed: (request) => request,
    providers: {
      SANDBOX: {
        PAYOUT: {
          connectionId: 'con_1',
          module: bank.module,
          instance: { ...bank.instance, ...instance },
        },
      },
      PRODUCTION: {},
    },
    execute: async (command) => {
      answers.push(command.answer.type)
      commands.push(command as never)
    },
    later: setImmediate,
    stopwatch: time.now,
    sliceMs: 1,
    wait: async () => undefined,
    timeout: time.timeout,
    answerTimeoutMs: 8_000,
    repeatTimeoutMs: 20_000,
    retryMs: 200,
    onFault: (error) => faults.push(String(error)),
    onAlert: (alert) => alerts.push(alert),
  })
  return {
    ...bank,
    ...time,
    driver,
    answers,
    commands,
    alerts,
    faults,
    kinds: () => alerts.map(({ kind }) => kind),
    seconds: () => driver.unreachableSeconds(account, 'PAYOUT', null),
    drive: async (...requests: readonly ProviderCallRequest[]) => {
      for (const request of requests) driver.drive(request)
      await time.settle()
    },
  }
}

/** An outcome that never comes. */
const hangs = { ask: () => new Promise<never>(() => undefined) }

t.test('one that echoes something else is not believed, and a person hears of it', async (t) => {
  for (const [what, echo] of [
    ['amount', { reference: null, amountCents: toCents(7_999), payee: null }],
    ['reference', { reference: 'another', amountCents: null, payee: null }],
    ['payee', { reference: null, amountCents: null, payee: '11144477735' }],
  ] as const) {
    const wrong = held({ instance: { ask: async () => ({ type: 'DONE', echo, evidence: null }) } })
    const request = aPayout()
    await wrong.drive(request)
    t.strictSame(wrong.answers, ['PENDING'], what)
    t.match(wrong.alerts, [{ kind: 'WRONG_ECHO', connectionId: 'con_1', callId: request.reference }])
    t.match(wrong.alerts[0]!.detail, what)
  }
  const echo = { reference: null, amountCents: null, payee: null }
  const part: ProviderOutcome = { type: 'PARTIAL', echo, evidence: { kind: 'CHAIN', txHash: '' } }
  const partly = held({ instance: { ask: async () => part } })
  await partly.drive(aPayout())
  t.strictSame([partly.answers, partly.kinds()], [['PENDING'], ['WRONG_ECHO']], 'nor one that does a part')
})

t.test('a first ask has eight seconds, and a repeat twenty', async (t) => {
  const bank = held({ instance: { ...hangs, inquire: hangs.ask } })
  await bank.drive(aPayout(), aPayout({ asked: 1 }), aPayout({ isResumed: true }))
  await bank.pass(7_999)
  t.strictSame(bank.answers, [])
  await bank.pass(1)
  t.strictSame(bank.answers, ['SILENT'])
  await bank.pass(11_999)
  t.strictSame(bank.answers, ['SILENT'])
  await bank.pass(1)
  t.strictSame(bank.answers, ['SILENT', 'SILENT', 'SILENT'])
  t.equal(bank.driver.inFlight(), 0)
})

t.test('one that asks for patience gets it, up to a day', async (t) => {
  for (const [againInMs, wanted] of [
    [30_000, 30_000],
    [1, 1_000],
    [10 ** 12, 86_400_000],
    [null, null],
  ] as const) {
    const patient: ProviderOutcome = { type: 'PENDING', againInMs, evidence: null }
    const bank = held({ instance: { ask: async () => patient } })
    await bank.drive(aPayout())
    t.equal(bank.commands[0]!.answer.asksAgainInMs, wanted)
  }
})

t.test('a call that is open for an hour needs a person', async (t) => {
  const bank = held({ instance: { ask: async () => ({ type: 'SILENT' }) }, repeat: 'SAFE' })
  await bank.drive(aPayout({ nowMs: 3_599_999, asked: 6 }))
  t.strictSame(bank.kinds(), [])
  await bank.drive(aPayout({ nowMs: 3_600_000, asked: 6 }))
  t.strictSame(bank.kinds(), ['STUCK'])
})

t.test(
  'what the provider does not offer is refused without asking, and one that it may have stays open',
  async (t) => {
    const bank = held()
    const refund = {
      ...aPayout(),
      operation: 'SEND_TRANSFER',
      kind: 'PIX',
      payee: { document: '1' },
      metadata: {},
    } as never
    await bank.drive(refund)
    t.strictSame(bank.answers, ['DONE'], 'a transfer is a payout')
    const without = held({ repeat: 'SAFE' })
    Object.assign(without.module.repeat, { PAY_OUT: undefined })
    await without.drive(aPayout())
    t.strictSame(without.answers, ['REFUSED'])
    await without.drive(aPayout({ asked: 1 }))
    t.strictSame(without.answers, ['REFUSED', 'SILENT'])
    t.match(without.faults, [/has no PAY_OUT: the call stays open/])
    t.strictSame(without.sent, [])
  },
)

t.test('a full connection takes nothing new, and what did not get through is not a repeat', async (t) => {
  const outcomes: ((outcome: ProviderOutcome) => void)[] = []
  const bank = held({
    instance: { ask: () => new Promise((resolve) => outcomes.push(resolve)) },
  })
  const requests = Array.from({ length: 8 }, () => aPayout())
  await bank.drive(...requests)
  t.equal(outcomes.length, 4, 'so many are on their way')
  t.strictSame(bank.answers, ['PENDING'], 'and one more than can wait is put off')
  t.equal(bank.seconds(), 1)
  await bank.pass(8_000)
  t.strictSame(bank.answers.slice(1).sort(), [...Array(3).fill('PENDING'), ...Array(4).fill('SILENT')])
  t.equal(outcomes.length, 4, 'those who waited in vain are not sent late')
  // The engine repeats all of them: those that were sent are inquired after, the others are sent for the first time.
  await bank.drive(...requests.map((request) => ({ ...request, asked: 1 })))
  t.strictSame(bank.sent.length, 4, 'four inquiries')
  t.ok(bank.sent.every((line) => line.startsWith('INQUIRE')))
  t.equal(outcomes.length, 7, 'and three asks, for which there was room')
  t.equal(bank.answers.at(-1), 'PENDING')
})

t.test('what was not sent may have been by another node meanwhile', async (t) => {
  for (const [title, change, exchange] of [
    ['the next try of this process', { asked: 1 }, 'PAY_OUT'],
    ['a later one: somebody else made one between', { asked: 2 }, 'INQUIRE'],
    ['one that was under way when the shard was opened', { asked: 0, isResumed: true }, 'INQUIRE'],
    ['one that was under way when the shard was opened, again', { asked: 1, isResumed: true }, 'INQUIRE'],
  ] as const) {
    const bank = held({ within: { ...limits, inFlightMax: 1, waitingMax: 0 } })
    const request = aPayout()
    bank.driver.drive(aPayout())
    bank.driver.drive(request)
    await bank.settle()
    const before = bank.sent.length
    await bank.drive({ ...request, ...change })
    t.equal(bank.sent[before]!.split(' ')[0], exchange, title)
  }
})

t.test(
  'a dead provider costs nobody eight seconds, and what waits for it goes on when it answers',
  async (t) => {
    let isDead = true
    const bank = openBankWithBooks({ PAY_OUT: 'INQUIRE_FIRST' })
    const dead: Partial<ProviderInstance> = {
      ask: async (ask) => (isDead ? { type: 'SILENT' } : bank.instance.ask(ask)),
      inquire: async (ask) => (isDead ? { type: 'SILENT' } : bank.instance.inquire(ask)),
    }
    const driven = held({ instance: dead, within: { inFlightMax: 64, waitingMax: 1_000, rates: [] } })
    const first = Array.from({ length: breakerLimits.silentInRow }, () => aPayout())
    await driven.drive(...first)
    t.strictSame(driven.kinds(), ['BREAKER_OPENED'])
    t.equal(driven.seconds(), probeEveryMs / 1_000)
    const late = aPayout()
    await driven.drive(late)
    t.equal(driven.answers.at(-1), 'PENDING', 'at once')
    await driven.pass(probeEveryMs)
    t.equal(driven.seconds(), probeEveryMs / 1_000)
    isDead = false
    await driven.pass(probeEveryMs)
    t.strictSame(driven.kinds(), ['BREAKER_OPENED', 'BREAKER_CLOSED'])
    t.equal(driven.seconds(), null)
    t.strictSame(
      bank.sent.map((line) => line.split(' ')[0]),
      ['INQUIRE'],
      'the probe moved nothing',
    )
    await driven.drive({ ...late, asked: 1 })
    t.equal(driven.answers.at(-1), 'DONE')
    t.strictSame([...bank.books.values()], [8_000])
  },
)

t.test('a bank that cannot be inquired after what it was silent about is probed by a read', async (t) => {
  let works = false
  const bank = held({
    instance: {
      ask: async () => ({ type: 'SILENT' }),
      inquire: async () => ({ type: 'SILENT', isUnasked: true }),
      health: async () => ({ works, detail: null, certificateEndsAtMs: null }),
    },
    within: { ...limits, inFlightMax: 64 },
  })
  await bank.drive(...Array.from({ length: breakerLimits.silentInRow }, () => aPayout()))
  await bank.pass(probeEveryMs + 1_000)
  t.strictSame(bank.kinds(), ['BREAKER_OPENED'])
  works = true
  await bank.pass(probeEveryMs)
  t.strictSame(bank.kinds(), ['BREAKER_OPENED', 'BREAKER_CLOSED'])
})

t.test('what was not asked opens no breaker', async (t) => {
  const unasked = { type: 'SILENT', isLost: true, isUnasked: true } as const
  const bank = held({ instance: { ask: async () => unasked }, within: { ...limits, inFlightMax: 64 } })
  await bank.drive(...Array.from({ length: breakerLimits.silentInRow + 1 }, () => aPayout()))
  t.strictSame(bank.kinds(), [])
})

t.test('a probe that hangs, or breaks, is one that was not answered', async (t) => {
  for (const inquire of [hangs.ask, () => Promise.reject(new Error('reset'))]) {
    const bank = held({
      instance: { ask: async () => ({ type: 'SILENT' }), inquire },
      within: { ...limits, inFlightMax: 64 },
    })
    await bank.drive(...Array.from({ length: breakerLimits.silentInRow }, () => aPayout()))
    await bank.pass(probeEveryMs + 8_000)
    t.strictSame(bank.kinds(), ['BREAKER_OPENED'])
    t.ok(bank.seconds()! > 0)
  }
})

t.test('where asking costs nothing, nothing is counted and nothing is held back', async (t) => {
  const bank = held({ instance: { ask: async () => ({ type: 'SILENT' }) }, within: null })
  await bank.drive(...Array.from({ length: 200 }, () => aPayout({ nowMs: 10 ** 9 })))
  t.equal(bank.answers.length, 200)
  t.strictSame([bank.alerts, bank.seconds(), bank.timers()], [[], null, 0])
})

t.test('an adapter that breaks is silent, and leaves its place to others', async (t) => {
  const bank = held({
    instance: { ask: () => Promise.reject(new Error('reset')) },
    within: { ...limits, inFlightMax: 1 },
  })
  for (let n = 0; n < 5; n++) await bank.drive(aPayout())
  t.strictSame(bank.answers, Array(5).fill('SILENT'))
  t.equal(bank.faults.length, 5)
  const throwing = held({
    instance: {
      ask: () => {
        throw new Error('at once')
      },
    },
    within: { ...limits, inFlightMax: 1 },
  })
  for (let n = 0; n < 5; n++) await throwing.drive(aPayout())
  t.strictSame(throwing.answers, Array(5).fill('SILENT'))
  t.equal(throwing.driver.inFlight(), 0)
})
