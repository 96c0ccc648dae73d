import t from 'tap'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { PayoutRequest } from '../../../engine/marketplace/payout-request.ts'
import type { FindKeyRequest } from '../../../engine/money-out/lookups/key-lookup.ts'
import type { TransferRequest } from '../../../engine/money-out/methods/bank-request.ts'
import type { BankPayee } from '../../../engine/money-out/payees/payee.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { everyProvider, providers } from '../../../gateway/providers/index.ts'
import type { Provider } from '../../../gateway/providers/provider.ts'
import { sandboxAcquirer } from '../../../gateway/providers/sandbox-acquirer/adapter.ts'
import { sandboxBank } from '../../../gateway/providers/sandbox-bank/adapter.ts'
import { sandboxChain } from '../../../gateway/providers/sandbox-chain/adapter.ts'
import { sandboxDirectory } from '../../../gateway/providers/sandbox-directory/adapter.ts'
import { sandboxPsp } from '../../../gateway/providers/sandbox-psp/adapter.ts'
import { aCardPayment, aCharge, account, aPayment, aRefund, opened, type World } from '../../engine/world.ts'
import { type ContractRequest, complaintsAbout, providerContract, type Subject } from './contract.ts'

let references = 0
const newReference = (): string => `txn_00000000000000000000000001.${++references}`

const aQuestion = (change: Partial<ProviderRequest> = {}): ProviderRequest => ({
  reference: newReference(),
  operation: 'AUTHORIZE',
  asked: 0,
  accountId: account,
  transactionId: 'txn_00000000000000000000000001' as ProviderRequest['transactionId'],
  rail: 'CARD',
  providerId: 'sandbox-acquirer',
  amountCents: toCents(10_000),
  crypto: null,
  card: { token: 'tok_x', brand: 'VISA', last4: '4242', holderName: null, installments: 1, captures: true },
  tid: null,
  customerDocument: null,
  metadata: {},
  attempt: null,
  openedAtMs: 1_000_000,
  nowMs: 1_000_000,
  ...change,
})

const scenario = (sandboxScenario: string, change: Partial<ProviderRequest> = {}): ProviderRequest =>
  aQuestion({ ...change, metadata: { sandboxScenario } })

const aPayout = (bankCode = '001'): PayoutRequest => ({
  reference: newReference(),
  operation: 'PAY_OUT',
  rail: 'PAYOUT',
  accountId: account,
  splitTransferId: 'spt_1' as PayoutRequest['splitTransferId'],
  amountCents: toCents(8000),
  bank: { bankCode } as PayoutRequest['bank'],
  beneficiary: { name: 'Ana', document: '12345678909' } as PayoutRequest['beneficiary'],
  openedAtMs: 1_000_000,
  nowMs: 1_000_000,
})

const nothing = { does: [], refuses: [], leavesOpen: [], takesBack: [], done: null }

const operations = ['CAPTURE', 'VOID', 'REFUND', 'REVERSE'] as const
const taken = ['timeout', 'processing'] as const

const acquirer = (): Subject => ({
  ...nothing,
  provider: sandboxAcquirer,
  does: [aQuestion(), aQuestion(), ...operations.map((operation) => aQuestion({ operation }))],
  refuses: [
    ...['declined_51', 'antifraud', 'provider_error'].map((name) => scenario(name)),
    scenario('capture_fails', { operation: 'CAPTURE' }),
  ],
  leavesOpen: [
    ...taken.map((name) => scenario(name)),
    scenario('refund_slow', { operation: 'REFUND' }),
    scenario('refund_fails', { operation: 'REFUND' }),
  ],
  takesBack: taken.map((name) => ({
    left: scenario(name),
    reversal: scenario(name, { operation: 'REVERSE' }),
  })),
})

const psp = (): Subject => {
  const pix = { rail: 'PIX', providerId: 'sandbox-psp', card: null, operation: 'REFUND' } as const
  return {
    ...nothing,
    provider: sandboxPsp,
    does: [aQuestion(pix), aQuestion(pix)],
    refuses: [aQuestion({ ...pix, operation: 'AUTHORIZE' })],
    leavesOpen: [scenario('refund_slow', pix), scenario('refund_fails', pix)],
  }
}

const aTransfer = (
  payee: Partial<BankPayee> = {},
  sandboxScenario: string | null = null,
): TransferRequest => ({
  reference: newReference(),
  operation: 'SEND_TRANSFER',
  rail: 'PAYOUT',
  accountId: account,
  transferId: 'trf_1' as TransferRequest['transferId'],
  kind: 'PIX',
  amountCents: toCents(8000),
  payee: { name: 'Ana', document: '12345678909', pixKey: null, bankCode: '341', ...payee } as BankPayee,
  endToEndId: null,
  description: null,
  metadata: sandboxScenario === null ? {} : { sandboxScenario },
  openedAtMs: 1_000_000,
  nowMs: 1_000_000,
})

const bank = (): Subject => ({
  ...nothing,
  provider: sandboxBank,
  does: [aPayout(), aPayout(), aTransfer(), aTransfer({ pixKey: 'maria@example.com' })],
  refuses: [
    aPayout('000'),
    aQuestion({ rail: 'BOLETO', providerId: 'sandbox-bank' }),
    aTransfer({ bankCode: '000' }),
    aTransfer({ pixKey: 'bloqueada@sandbox.test' }),
    aTransfer({ pixKey: 'trocou@sandbox.test' }),
    aTransfer({}, 'transfer_fails'),
  ],
  leavesOpen: [
    aTransfer({}, 'transfer_slow'),
    aTransfer({}, 'transfer_silent'),
    aTransfer({ pixKey: 'lenta@sandbox.test' }),
  ],
})

const aKey = (pixKey: string): FindKeyRequest => ({
  reference: newReference(),
  operation: 'FIND_KEY',
  rail: 'KEYS',
  accountId: account,
  keyLookupId: 'lkp_1' as FindKeyRequest['keyLookupId'],
  pixKey,
  openedAtMs: 1_000_000,
  nowMs: 1_000_000,
})

const directory = (): Subject => ({
  ...nothing,
  provider: sandboxDirectory,
  does: ['maria@example.com', '+5511987654321', '12345678909', 'trocou@sandbox.test'].map(aKey),
  refuses: [aKey('naoexiste@sandbox.test')],
  leavesOpen: [aKey('instavel@sandbox.test')],
})

const chain = (): Subject => ({
  ...nothing,
  provider: sandboxChain,
  refuses: [aQuestion({ rail: 'CRYPTO', providerId: 'sandbox-chain' })],
})

const subjects = [acquirer, psp, bank, chain, directory]
for (const make of subjects) providerContract(t, make)

t.test('every provider that is connected is a subject of the contract', async (t) => {
  const tried = new Set(subjects.map((make) => make().provider))
  t.strictSame(
    [...everyProvider(providers)].filter((provider) => !tried.has(provider)),
    [],
  )
})

/** A bank of its own, with books, in which each of these can be wrong. */
const keepingBooks = (
  flaw: Partial<{
    readonly rejects: boolean
    readonly forgets: boolean
    readonly overpays: boolean
    readonly refusesAndPays: boolean
    readonly guesses: boolean
    readonly anonymous: boolean
  }> = {},
): (() => Subject) => {
  return () => {
    const books = new Map<string, number>()
    const decide = (request: ProviderCallRequest): ProviderAnswer => {
      if (!('amountCents' in request)) throw new Error('nothing but payments is asked')
      const isRefused = request.amountCents === 66
      if (flaw.rejects) throw new Error('connection reset')
      if (request.amountCents === 77 && request.nowMs === request.openedAtMs && !flaw.guesses)
        return { type: 'SILENT' }
      if (isRefused && !flaw.refusesAndPays)
        return { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'no' } }
      const before = books.get(request.reference) ?? 0
      const cents = request.amountCents + (flaw.overpays ? 1 : 0)
      books.set(request.reference, flaw.forgets ? before + cents : cents)
      if (isRefused) return { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'no' } }
      const tid = flaw.anonymous ? null : flaw.forgets ? `${request.reference} ${before}` : request.reference
      return {
        type: 'DONE',
        evidence: { nsu: null, tid, authorizationCode: null, returnCode: '00', message: 'ok' },
      }
    }
    const provider: Provider = {
      name: 'a-bank',
      label: 'A bank',
      rails: ['CARD'],
      request: async (request) => decide(request as ContractRequest),
    }
    return {
      provider,
      does: [aQuestion(), aQuestion({ amountCents: toCents(61) })],
      refuses: [aQuestion({ amountCents: toCents(66) })],
      leavesOpen: [aQuestion({ amountCents: toCents(77) })],
      takesBack: [
        {
          left: aQuestion({ amountCents: toCents(77) }),
          reversal: aQuestion({ operation: 'REVERSE', amountCents: toCents(77), nowMs: 2_000_000 }),
        },
      ],
      done: () => books,
    }
  }
}

providerContract(t, keepingBooks())

for (const [title, flaw, complaint] of [
  ['rejects instead of being silent', 'rejects', /^rejects AUTHORIZE/],
  ['does again what it was asked before', 'forgets', /otherwise when asked again/],
  ['moves another amount', 'overpays', /moved 10001 of 10000/],
  ['does what it says it refused', 'refusesAndPays', /was refused, and moved/],
  ['says done where it does not know', 'guesses', /does not leave AUTHORIZE .* open: DONE/],
  ['cannot name what it authorized', 'anonymous', /does not say what it authorized/],
] as const) {
  t.test(`a provider that ${title} does not pass`, async (t) => {
    t.match(
      (await complaintsAbout(keepingBooks({ [flaw]: true })())).filter((line) => complaint.test(line)),
      [complaint],
    )
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
        const provider = request.rail === 'PIX' ? sandboxPsp : sandboxAcquirer
        const answer = await provider.request(request)
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
