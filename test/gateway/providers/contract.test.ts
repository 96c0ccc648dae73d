import t from 'tap'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { everyProvider, providers } from '../../../gateway/providers/index.ts'
import type {
  ProviderAsk,
  ProviderInstance,
  ProviderModule,
  ProviderOutcome,
} from '../../../gateway/providers/port.ts'
import { sandboxAcquirer } from '../../../gateway/providers/sandbox-acquirer/adapter.ts'
import { sandboxBank } from '../../../gateway/providers/sandbox-bank/adapter.ts'
import { sandboxChain } from '../../../gateway/providers/sandbox-chain/adapter.ts'
import { sandboxDirectory } from '../../../gateway/providers/sandbox-directory/adapter.ts'
import { sandboxPsp } from '../../../gateway/providers/sandbox-psp/adapter.ts'
import {
  aCardPayment,
  aCharge,
  aPayment,
  aRefund,
  askDirectly,
  opened,
  type World,
} from '../../engine/world.ts'
import { type BankWithBooks, openBankWithBooks, refusedCents, slowCents } from './bank-with-books.ts'
import { complaintsAbout, providerContract, type Subject } from './contract.ts'
import {
  aboutMandates,
  aCardRefund,
  aConversion,
  afterSale,
  aLookUp,
  anAddress,
  anAuthorize,
  aPayOut,
  aPixRefund,
  aQuote,
  aSend,
} from './sample-asks.ts'

/** A provider of the Sandbox at work. */
const instanceOf = (module: ProviderModule): ProviderInstance =>
  [...everyProvider(providers)].find((provider) => provider.module === module)!.instance

const sandbox = (module: ProviderModule): Subject => ({
  module,
  instance: instanceOf(module),
  does: [],
  refuses: [],
  leavesOpen: [],
  takesBack: [],
  wire: null,
})

const left = ['timeout', 'processing'] as const

const acquirer = (): Subject => ({
  ...sandbox(sandboxAcquirer),
  does: [
    anAuthorize(),
    anAuthorize(),
    ...(['CAPTURE', 'VOID', 'REVERSE'] as const).map((operation) => afterSale(operation)),
    aCardRefund(),
  ],
  refuses: [
    ...['declined_51', 'antifraud', 'provider_error'].map((scenario) => anAuthorize({ scenario })),
    afterSale('CAPTURE', undefined, { scenario: 'capture_fails' }),
  ],
  leavesOpen: [
    ...left.map((scenario) => anAuthorize({ scenario })),
    aCardRefund({ scenario: 'refund_slow' }),
    aCardRefund({ scenario: 'refund_fails' }),
  ],
  takesBack: left.map((scenario) => {
    const sale = anAuthorize({ scenario })
    return { left: sale, reversal: afterSale('REVERSE', sale, { scenario }) }
  }),
})

const psp = (): Subject => ({
  ...sandbox(sandboxPsp),
  does: [
    aPixRefund(),
    aPixRefund(),
    { ...aPixRefund(), operation: 'RETURN' } as ProviderAsk,
    ...aboutMandates(),
  ],
  leavesOpen: [aPixRefund({ scenario: 'refund_slow' }), aPixRefund({ scenario: 'refund_fails' })],
})

const bank = (): Subject => ({
  ...sandbox(sandboxBank),
  does: [aPayOut(), aPayOut(), aPayOut({ pixKey: 'maria@example.com' })],
  refuses: [
    aPayOut({ bankCode: '000' }),
    aPayOut({ pixKey: 'bloqueada@sandbox.test' }),
    aPayOut({ pixKey: 'trocou@sandbox.test' }),
    aPayOut({}, { scenario: 'transfer_fails' }),
  ],
  leavesOpen: [
    aPayOut({}, { scenario: 'transfer_slow' }),
    aPayOut({}, { scenario: 'transfer_silent' }),
    aPayOut({ pixKey: 'lenta@sandbox.test' }),
  ],
})

const directory = (): Subject => ({
  ...sandbox(sandboxDirectory),
  does: ['maria@example.com', '+5511987654321', '12345678909', 'trocou@sandbox.test'].map(aLookUp),
  refuses: [aLookUp('naoexiste@sandbox.test')],
  leavesOpen: [aLookUp('instavel@sandbox.test')],
})

const minute = 60_000

const chain = (): Subject => ({
  ...sandbox(sandboxChain),
  does: [
    anAddress(),
    anAddress(),
    aQuote(),
    aConversion(),
    aSend('a0b1', { openedAtMs: 1_000_000 - minute }),
  ],
  refuses: [
    anAddress({ scenario: 'provider_error' }),
    aConversion({ scenario: 'conversion_fails' }),
    aSend('dead'),
  ],
  leavesOpen: [aConversion({ scenario: 'conversion_slow' }), aSend('beef'), aSend('a0b2')],
})

const subjects = [acquirer, psp, bank, chain, directory]
for (const make of subjects) providerContract(t, make)

t.test('every provider that is connected is a subject of the contract', async (t) => {
  const tried = new Set(subjects.map((make) => make().module))
  t.strictSame(
    [...everyProvider(providers)].filter(({ module }) => !tried.has(module)),
    [],
  )
})

/** A bank of which a test knows the books, with what it is asked; a flaw changes the module or how it works. */
const keepingBooks = (flaw: Flaw = {}): Subject => {
  const bank = (flaw.bank ?? openBankWithBooks)()
  const sale = anAuthorize({ amountCents: slowCents })
  const flawed: Partial<ProviderInstance> = flaw.instance?.(bank) ?? {}
  return {
    module: { ...bank.module, ...flaw.module },
    instance: { ...bank.instance, ...flawed },
    does: [
      anAuthorize(),
      anAuthorize({ amountCents: 61 as ProviderAsk['amountCents'] }),
      afterSale('CAPTURE'),
      afterSale('VOID'),
      afterSale('REVERSE'),
      aCardRefund(),
      aPayOut(),
    ],
    refuses: [
      anAuthorize({ amountCents: refusedCents }),
      aCardRefund({ amountCents: refusedCents }),
      aPayOut({}, { amountCents: refusedCents }),
    ],
    leavesOpen: [aCardRefund({ amountCents: slowCents })],
    takesBack: [{ left: sale, reversal: afterSale('REVERSE', sale) }],
    wire: {
      ...bank,
      sum: () => [...bank.books.values()].reduce((sum, cents) => sum + cents, 0),
      fresh: () => [anAuthorize(), afterSale('CAPTURE'), aCardRefund(), aPayOut()],
    },
  }
}

type Flaw = {
  readonly bank?: () => BankWithBooks
  readonly module?: Partial<ProviderModule>
  readonly instance?: (bank: BankWithBooks) => Partial<ProviderInstance>
}

providerContract(t, keepingBooks)

const honest = openBankWithBooks().module

/** Changes what comes back of asks. */
const asks =
  (change: (outcome: ProviderOutcome, ask: ProviderAsk) => ProviderOutcome) =>
  ({ instance }: BankWithBooks): Partial<ProviderInstance> => ({
    ask: async (ask) => change(await instance.ask(ask), ask),
  })

/** Every flaw is a small change of a bank that passes; of each the contract says in words what it found. */
const flaws: readonly (readonly [title: string, flaw: Flaw, complaint: RegExp])[] = [
  [
    'rejects instead of being silent',
    {
      instance: () => ({
        ask: async () => {
          throw new Error('connection reset')
        },
      }),
    },
    /^rejects AUTHORIZE/,
  ],
  [
    'says refused of what it did',
    {
      instance: asks((outcome, { amountCents }) =>
        outcome.type === 'DONE' && amountCents === 61 ? refusal : outcome,
      ),
    },
    /does not do AUTHORIZE .*: REFUSED/,
  ],
  [
    'takes what it cannot read for a refusal',
    { instance: asks((outcome) => (outcome.type === 'SILENT' ? refusal : outcome)) },
    /says REFUSED of PAY_OUT .* UNREADABLE/,
  ],
  [
    'takes what it cannot read for done',
    {
      instance: asks((outcome, { reference, amountCents }) =>
        outcome.type === 'SILENT'
          ? { type: 'DONE', echo: { reference, amountCents, payee: null }, evidence: null }
          : outcome,
      ),
    },
    /says DONE of REFUND .* CUT_BEFORE/,
  ],
  [
    'says that an operation may be repeated which is not keyed by our reference',
    {
      bank: () => openBankWithBooks({ ...honest.repeat, REFUND: 'NEVER' }),
      module: { repeat: honest.repeat },
    },
    /moved 40000 of 10000/,
  ],
  [
    'does a repeat once more',
    {
      instance: ({ instance }) => {
        let times = 0
        return {
          ask: (ask) =>
            instance.ask(ask.asked === 0 ? ask : { ...ask, reference: `${ask.reference}-${++times}` }),
        }
      },
    },
    /answers REFUND .* otherwise when asked again/,
  ],
  [
    'echoes another amount',
    {
      instance: asks((outcome) =>
        outcome.type === 'DONE'
          ? { ...outcome, echo: { ...outcome.echo, amountCents: 1 as ProviderAsk['amountCents'] } }
          : outcome,
      ),
    },
    /answers CAPTURE .* with another amount/,
  ],
  [
    'moves another amount than it says',
    {
      instance: ({ instance }) => ({
        ask: async (ask) => {
          const { amountCents } = ask
          const outcome = await instance.ask({ ...ask, amountCents: (amountCents + 1) as typeof amountCents })
          return outcome.type === 'DONE' ? { ...outcome, echo: { ...outcome.echo, amountCents } } : outcome
        },
      }),
    },
    /moved 10001 of 10000/,
  ],
  [
    'pays another one',
    {
      instance: asks((outcome) =>
        outcome.type === 'DONE' && outcome.echo.payee !== null
          ? { ...outcome, echo: { ...outcome.echo, payee: '11144477735' } }
          : outcome,
      ),
    },
    /answers PAY_OUT .* with another payee/,
  ],
  [
    'forgets a reference on inquiry',
    { instance: () => ({ inquire: async () => ({ type: 'NOT_FOUND' }) }) },
    /does not find AUTHORIZE .*, which it did: NOT_FOUND/,
  ],
  [
    'acts when it is inquired',
    { instance: ({ instance }) => ({ inquire: instance.ask }) },
    /was inquired after, and moved/,
  ],
  [
    'says done of what it never heard of',
    {
      instance: ({ instance }) => ({
        inquire: async (ask) => {
          const found = await instance.inquire(ask)
          const { reference, amountCents } = ask
          return found.type === 'NOT_FOUND'
            ? { type: 'DONE', echo: { reference, amountCents, payee: null }, evidence: null }
            : found
        },
      }),
    },
    /says DONE of PAY_OUT .*, which was never asked/,
  ],
  [
    'says refused of what it never heard of',
    {
      instance: ({ instance }) => ({
        inquire: async (ask) => {
          const found = await instance.inquire(ask)
          return found.type === 'NOT_FOUND' ? refusal : found
        },
      }),
    },
    /never says that it did CAPTURE .*: REFUSED/,
  ],
  [
    'cannot name what it authorized',
    { instance: asks((outcome) => (outcome.type === 'DONE' ? { ...outcome, evidence: null } : outcome)) },
    /does not say what it authorized/,
  ],
  [
    'guesses what is not decided',
    {
      instance: ({ instance }) => ({
        ask: (ask) => instance.ask({ ...ask, nowMs: ask.openedAtMs + 1 }),
      }),
    },
    /does not leave REFUND .* open: DONE/,
  ],
  [
    'does not take back what it left open',
    {
      instance: ({ instance }) => ({
        ask: (ask) =>
          ask.operation === 'REVERSE' ? doneAnyway(ask) : instance.ask({ ...ask, nowMs: ask.nowMs + 1 }),
      }),
    },
    /was taken back, and stands/,
  ],
  [
    'keeps to itself what it took back',
    {
      instance: ({ instance }) => {
        const done = new Map<string, ProviderOutcome>()
        return {
          ask: async (ask) => {
            const outcome = await instance.ask(ask)
            done.set(ask.reference, outcome)
            return outcome
          },
          inquire: async (ask) => {
            const found = await instance.inquire(ask)
            return found.type === 'UNDONE' ? done.get(ask.reference)! : found
          },
        }
      },
    },
    /says DONE of AUTHORIZE .*, which it took back by itself/,
  ],
  [
    'gives no reason for a refusal',
    {
      instance: asks((outcome) =>
        outcome.type === 'REFUSED' ? { ...outcome, refusal: { ...outcome.refusal, message: '' } } : outcome,
      ),
    },
    /refuses PAY_OUT .* without a reason/,
  ],
  [
    'authorizes what it cannot take back',
    { module: { repeat: { AUTHORIZE: 'NEVER' } } },
    /authorizes what it cannot take back/,
  ],
]

const refusal: ProviderOutcome & { readonly type: 'REFUSED' } = {
  type: 'REFUSED',
  refusal: {
    reason: 'PROVIDER_ERROR',
    message: 'not understood',
    network: null,
    provider: null,
    retryOn: 'NONE',
    stepUp: false,
    attempt: null,
  },
}

const doneAnyway = async ({ reference, amountCents }: ProviderAsk): Promise<ProviderOutcome> => ({
  type: 'DONE',
  echo: { reference, amountCents, payee: null },
  evidence: null,
})

for (const [title, flaw, complaint] of flaws) {
  t.test(`a provider that ${title} does not pass`, async (t) => {
    const complaints = await complaintsAbout(keepingBooks(flaw))
    t.match(complaints.filter((line) => complaint.test(line)).slice(0, 1), [complaint], complaints.join('\n'))
  })
}

const byPix = async (world: World): Promise<Transaction> => {
  const { id } = await world.accepted(aCharge())
  return world.accepted(aPayment(id))
}
const byCard = (world: World): Promise<Transaction> => world.accepted(aCardPayment())

for (const [title, pays] of [
  ['PIX', byPix],
  ['card', byCard],
] as const) {
  t.test(
    `of ${title} no more is asked back than came in, and what is lost on the way is asked for again`,
    async (t) => {
      const moved = new Map<string, number>()
      let isLost = true
      const world = await opened(async (request) => {
        const { instance } = providers.SANDBOX[request.rail]!
        const answer = (await askDirectly(instance, request)) as never
        if (request.operation === 'REFUND') moved.set(request.reference, request.amountCents)
        if (request.operation !== 'REFUND' || !isLost) return answer
        isLost = false
        return { type: 'SILENT' }
      })
      const { id, paidCents } = await pays(world)
      for (const cents of [600, 600, null, 1]) await world.execute(aRefund(id, cents))
      await world.advance('PT1H')
      t.equal(
        [...moved.values()].reduce((sum, cents) => sum + cents, 0),
        paidCents,
      )
      t.match(world.transaction(id), { status: 'REFUNDED', calls: [] })
    },
  )
}
