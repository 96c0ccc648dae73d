import t from 'tap'
import type { ProviderRequest } from '../../../engine/payments/provider.ts'
import { type AccountId, accountIdOf, type CompanyId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { breakerLimits } from '../../../gateway/providers/breaker.ts'
import type { ConnectedProvider } from '../../../gateway/providers/connected.ts'
import { openProviderDriver } from '../../../gateway/providers/driver.ts'
import { probeEveryMs } from '../../../gateway/providers/gate.ts'
import { byRail, doesOffer, providers } from '../../../gateway/providers/index.ts'
import { byName, modules } from '../../../gateway/providers/modules.ts'
import type { ProviderInstance } from '../../../gateway/providers/port.ts'
import { openBankWithBooks } from './bank-with-books.ts'
import { holdTime } from './held-time.ts'

const [first, second] = ['cmp_1', 'cmp_2'].map((id) => accountIdOf(id as CompanyId, 'PRODUCTION')) as [
  AccountId,
  AccountId,
]
const sandbox = accountIdOf('cmp_1' as CompanyId, 'SANDBOX')

let made = 0

/** A refund by a connection. */
const aRefundBy = (connectionId: string | null, change: Partial<ProviderRequest> = {}): ProviderRequest => ({
  reference: `txn_${String(++made).padStart(26, '0')}.1`,
  operation: 'REFUND',
  asked: 0,
  accountId: first,
  transactionId: 'txn_1' as ProviderRequest['transactionId'],
  connectionId,
  rail: 'PIX',
  providerId: 'bank',
  amountCents: toCents(100),
  card: null,
  crypto: null,
  authorization: null,
  endToEndId: 'E60701190202611201200ABCDEFGHIJK',
  pix: null,
  pixReturn: null,
  description: null,
  merchantReference: null,
  refundId: 'rfd_00000000000000000000000001' as ProviderRequest['refundId'],
  refundedCents: toCents(0),
  customer: null,
  metadata: {},
  attempt: null,
  openedAtMs: 0,
  nowMs: 0,
  ...change,
})

/** A connection of an account, with what was sent by it. */
const aConnection = (
  connectionId: string,
  accountId: AccountId,
  asked: string[],
  change: Partial<ProviderInstance> = {},
): ConnectedProvider => {
  const bank = openBankWithBooks({ REFUND: 'SAFE' }, { inFlightMax: 4, waitingMax: 3, rates: [] })
  return {
    connectionId,
    accountId,
    module: { ...bank.module, name: 'bank', rails: ['PIX'] },
    instance: {
      ...bank.instance,
      ask: async (ask) => {
        asked.push(`${connectionId} ${ask.connectionId}`)
        return bank.instance.ask(ask)
      },
      ...change,
    },
  }
}

/** A driver whose connections a test opens and closes. */
const held = (...connections: readonly ConnectedProvider[]) => {
  const time = holdTime()
  const open = new Map(connections.map((connected) => [connected.connectionId, connected]))
  const answers: string[] = []
  const faults: string[] = []
  const sandboxAsked: string[] = []
  const everywhere = aConnection('everywhere', sandbox, sandboxAsked)
  const { accountId: _, ...forAll } = everywhere
  const driver = openProviderDriver({
    revealed: (request) => request,
    providers: { SANDBOX: byRail(forAll), PRODUCTION: byRail() },
    byConnection: (id) => open.get(id) ?? null,
    execute: async (command) => {
      if (command.type === 'RecordAnswer') answers.push(command.answer.type)
    },
    later: setImmediate,
    stopwatch: time.now,
    sliceMs: 2,
    wait: async () => undefined,
    timeout: time.timeout,
    answerTimeoutMs: 8_000,
    repeatTimeoutMs: 20_000,
    retryMs: 200,
    onFault: (error) => faults.push((error as Error).message),
  })
  return {
    ...{ ...time, open, answers, faults, sandboxAsked, driver },
    drive: async (...requests: readonly ProviderRequest[]) => {
      for (const request of requests) driver.drive(request)
      await time.settle()
    },
  }
}

t.test('a call goes by the connection of its charge, and by no other of the account', async (t) => {
  const asked: string[] = []
  const { drive, answers } = held(aConnection('con_1', first, asked), aConnection('con_2', first, asked))
  await drive(aRefundBy('con_1'), aRefundBy('con_2'), aRefundBy('con_1'))
  t.strictSame(asked, ['con_1 con_1', 'con_2 con_2', 'con_1 con_1'])
  t.strictSame(answers, ['DONE', 'DONE', 'DONE'])
})

t.test('a connection that is not open is silence, and the call ends once it is', async (t) => {
  const asked: string[] = []
  const { drive, answers, faults, open } = held()
  await drive(aRefundBy('con_1'))
  t.strictSame(answers, ['SILENT'])
  t.strictSame(faults, ['con_1 is not connected for PIX in PRODUCTION: the call stays open'])
  open.set('con_1', aConnection('con_1', first, asked))
  await drive(aRefundBy('con_1', { asked: 1 }))
  t.strictSame(answers, ['SILENT', 'DONE'])
})

t.test(
  'a live call is never answered by the Sandbox, nor one of an account by the connection of another',
  async (t) => {
    const asked: string[] = []
    const { drive, answers, sandboxAsked } = held(aConnection('con_1', first, asked))
    await drive(
      aRefundBy(null),
      aRefundBy('con_1', { accountId: second }),
      aRefundBy('con_1', { accountId: sandbox }),
      aRefundBy('con_1', { rail: 'BOLETO' }),
      aRefundBy('con_1', { providerId: 'another-bank' }),
    )
    t.strictSame(answers, ['SILENT', 'SILENT', 'SILENT', 'SILENT', 'SILENT'])
    t.strictSame([...asked, ...sandboxAsked], [])
    await drive(aRefundBy(null, { accountId: sandbox }))
    t.strictSame(sandboxAsked.length, 1, 'the Sandbox has its own')
  },
)

t.test('each connection has a gate of its own, which stays when it is opened anew', async (t) => {
  const asked: string[] = []
  const silent: Partial<ProviderInstance> = {
    ask: async () => ({ type: 'SILENT' }),
    inquire: async () => ({ type: 'SILENT' }),
  }
  const world = held(aConnection('con_1', first, asked, silent), aConnection('con_2', first, asked))
  const { driver, drive } = world
  const seconds = (id: string) => driver.unreachableSeconds(first, 'PIX', id)
  for (let n = 0; n < breakerLimits.silentInRow; n++) await drive(aRefundBy('con_1'))
  t.not(seconds('con_1'), null)
  t.equal(seconds('con_2'), null, 'the other one takes calls')
  world.open.set('con_1', aConnection('con_1', first, asked, silent))
  t.not(seconds('con_1'), null, 'new credentials do not make a silent bank answer')
})

t.test(
  'a silent bank is probed with the credentials of now, though nothing is asked meanwhile',
  async (t) => {
    const silent: Partial<ProviderInstance> = {
      ask: async () => ({ type: 'SILENT' }),
      inquire: async () => ({ type: 'SILENT' }),
    }
    const world = held(aConnection('con_1', first, [], silent))
    for (let n = 0; n < breakerLimits.silentInRow; n++) await world.drive(aRefundBy('con_1'))
    world.open.set('con_1', aConnection('con_1', first, []))
    await world.pass(probeEveryMs + 1)
    t.equal(world.driver.unreachableSeconds(first, 'PIX', 'con_1'), null)
  },
)

t.test('nothing new begins by a connection that is not open', async (t) => {
  const { driver } = held(aConnection('con_1', first, []))
  t.equal(driver.unreachableSeconds(first, 'PIX', 'con_1'), null)
  t.equal(driver.unreachableSeconds(first, 'PIX', 'con_2'), 30)
  t.equal(driver.unreachableSeconds(second, 'PIX', 'con_1'), 30)
})

t.test('no provider is there for all accounts of Production', async (t) => {
  t.strictSame(providers.PRODUCTION, {})
})

t.test('modules have names of their own, and charges never store that of another provider', async (t) => {
  const { module } = openBankWithBooks()
  t.throws(() => byName(module, module), /name of its own/)
  const inSandbox = Object.values(providers.SANDBOX).map(({ module: { name } }) => name)
  t.strictSame(
    inSandbox.filter((name) => name in modules),
    [],
  )
  for (const [name, { rails, repeat }] of Object.entries(modules)) {
    t.match(name, /^[a-z][a-z0-9-]*$/)
    t.ok(rails.length > 0 && Object.keys(repeat).length > 0)
  }
})

t.test('what a module offers follows from the operations that it has', async (t) => {
  const { module } = openBankWithBooks({ CAPTURE: 'SAFE', REFUND: 'SAFE' })
  t.equal(doesOffer(module, 'REFUND'), true)
  t.equal(doesOffer(module, 'CAPTURE'), false, 'without voids no sale is authorized first')
})
