import { ledgerSum } from '../../../../../engine/ledger/postings.ts'
import type { ReceivePixAtBank } from '../../../../../engine/payments/methods/pix/commands.ts'
import { type PixAtBank, pixOf } from '../../../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../../../engine/payments/provider.ts'
import type { ReceivedPix } from '../../../../../engine/payments/received/received.ts'
import type {
  ProviderOperation,
  Transaction,
} from '../../../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../../../engine/shared/ids.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { aConnect, live, liveAccount, liveState, openLive } from '../../../connections/live.ts'
import { aCancellation, aCharge, type ChargeChange, newWorld, type World } from '../../../world.ts'

/** A bank whose answers a test writes down. It is silent about everything else. */
export type WrittenBank = {
  /** What it was asked, in order. */
  readonly asked: ProviderRequest[]
  answers: Readonly<Partial<Record<ProviderOperation, Answering>>>
}
type Answering = ProviderAnswer | ((request: ProviderRequest) => ProviderAnswer)

export const silence: ProviderAnswer = { type: 'SILENT' }
export const location = 'pix.bank.example/qr/v2/9d36b84fc70b478fb95c12729b90ca25'

/** What a bank says that registers a charge a second after it was asked. */
export const registered = ({ nowMs }: ProviderRequest): ProviderAnswer => ({
  type: 'REGISTERED',
  copyPaste: null,
  location,
  createdAtMs: nowMs,
})

/** The state of a charge, as a bank says it. */
export const stateAtBank = (
  status: Extract<ProviderAnswer, { type: 'CHARGE_STATE' }>['status'],
  ...payments: readonly PixAtBank[]
): ProviderAnswer => ({ type: 'CHARGE_STATE', status, payments })

export const isRefused = (message: string): ProviderAnswer => ({
  type: 'REFUSED',
  refusal: { reason: 'ERROR', message },
})

/** A shop in Production with a connection, whose bank answers as written; it registers charges until a test says otherwise. */
export const newShop = async (answers: WrittenBank['answers'] = { REGISTER: registered }) => {
  const bank: WrittenBank = { asked: [], answers }
  const world = newWorld(async (request) => {
    bank.asked.push(request)
    const answer = bank.answers[request.operation] ?? silence
    return typeof answer === 'function' ? answer(request) : answer
  })
  await openLive(world)
  await world.execute(aConnect())
  return {
    world,
    bank,
    /** Lets time pass, with what becomes due. */
    pass: (ms: number) => passTime(world, ms),
    operations: () => bank.asked.map(({ operation }) => operation),
    transaction: ({ id }: Pick<Transaction, 'id'>) => world.transaction(id),
    received: (): readonly ReceivedPix[] =>
      world.memory.list(liveAccount, 'received', { offset: 0, limit: 100 }).states,
    balances: () => liveState(world).balances,
    /** Nothing is lost and nothing is made. */
    sum: () => ledgerSum(liveState(world).balances),
  }
}

const passTime = async (world: World, ms: number): Promise<void> => {
  world.pass(ms)
  do {
    world.shard.tick()
    await world.settle()
  } while (world.shard.timerBacklog() === 'NOW')
}

export const aLiveCharge = (change: ChargeChange = {}) =>
  aCharge({ ...live, amountCents: toCents(10_000), ...change })

export const aLiveCancellation = (transactionId: TransactionId) => ({
  ...aCancellation(transactionId),
  ...live,
})

let payments = 0
/** A payment of 10,000 centavos, as the bank has it. */
export const aPixAtBank = (change: Partial<PixAtBank> = {}): PixAtBank => ({
  endToEndId: `E00000000202611201200${String(++payments).padStart(11, '0')}`,
  amountCents: toCents(10_000),
  componentsCents: null,
  paidAtMs: Date.UTC(2026, 10, 20, 12, 0, 30),
  payer: null,
  ...change,
})

/** The bank reports a payment of a charge. */
export const anArrival = (charge: Transaction, change: Partial<PixAtBank> = {}): ReceivePixAtBank => ({
  type: 'ReceivePixAtBank',
  accountId: liveAccount,
  by: { kind: 'PROVIDER', id: null },
  txid: pixOf(charge)!.txid!,
  ...aPixAtBank(change),
})
