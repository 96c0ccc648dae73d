import type { MandateRequest } from '../../engine/billing/mandate/mandate-request.ts'
import { type ChainRequest, isChainRequest } from '../../engine/crypto/chain-request.ts'
import { type InstitutionSettings, openShard, providerRequestsOf, replay } from '../../engine/engine.ts'
import { publicEventsOf } from '../../engine/events/events-of-entry.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { Command } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import type { Shard } from '../../engine/kernel/shard.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import type { Account } from '../../engine/ledger/account.ts'
import { isPayout, type PayoutRequest } from '../../engine/marketplace/payout-request.ts'
import type { FindKeyRequest } from '../../engine/money-out/lookups/key-lookup.ts'
import type { TransferRequest } from '../../engine/money-out/methods/bank-request.ts'
import type { BoletoTerms } from '../../engine/payments/methods/boleto/terms.ts'
import type { ProviderAnswer, ProviderRequest } from '../../engine/payments/provider.ts'
import type { SuspenseReturnRequest } from '../../engine/payments/suspense/suspense.ts'
import type { CreateCharge, RequestRefund } from '../../engine/payments/transaction/commands.ts'
import type { ChargeDetails } from '../../engine/payments/transaction/details.ts'
import { anyTransaction } from '../../engine/payments/transaction/filters.ts'
import type { ListTransactions } from '../../engine/payments/transaction/queries.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { Customer } from '../../engine/shared/customer.ts'
import {
  type AccountId,
  accountIdOf,
  type CompanyId,
  type RefundId,
  type TransactionId,
} from '../../engine/shared/ids.ts'
import { toCents } from '../../engine/shared/money.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import { type AnyAnswer, answerOf } from '../../gateway/providers/answers.ts'
import { askOf } from '../../gateway/providers/asks.ts'
import { recordOf } from '../../gateway/providers/driver.ts'
import { namesOf, offersOf, pricesOf, providers } from '../../gateway/providers/index.ts'
import type { ProviderInstance } from '../../gateway/providers/port.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { openMemory } from '../../persistence/shard/memory.ts'
import { emptyStore } from '../../persistence/snapshot/store.ts'
import { memoryJournal } from '../persistence/journal/memory-journal.ts'
import { plainProfile } from './profile.ts'

export const institution: InstitutionSettings = {
  ispb: '99999999',
  pixLocation: 'pix.example.com/qr/v2',
  sendsMail: true,
  hasPages: true,
  providers: namesOf(providers),
  offers: offersOf(providers),
  unreachableSeconds: () => null,
  crypto: {
    toleranceBps: 50,
    confirmations: { TRON: 20, ETHEREUM: 64, POLYGON: 128, BASE: 64, SOLANA: 32 },
    ...pricesOf(providers),
  },
}

/** An institution that has a connection in Production for each of these rails, and for no other. */
export const connectedTo = (...rails: readonly Rail[]): InstitutionSettings => ({
  ...institution,
  providers: {
    ...institution.providers,
    PRODUCTION: Object.fromEntries(rails.map((rail) => [rail, `simulated-${rail.toLowerCase()}`])),
  },
})

/** What the Sandbox's providers answer, also in the place of simulated ones. */
export const askSandbox = (request: ProviderRequest | PayoutRequest): Promise<ProviderAnswer> =>
  askSandboxAny(request) as Promise<ProviderAnswer>

/** The same for what is no payment. */
export const askSandboxAny = (request: ProviderCallRequest): Promise<AnyAnswer> =>
  askDirectly(providers.SANDBOX[request.rail]!.instance, request)

/** Asks a provider once, without what the driver does around it. */
export const askDirectly = async (
  { ask }: Pick<ProviderInstance, 'ask'>,
  request: ProviderCallRequest,
): Promise<AnyAnswer> => answerOf(request, await ask(askOf(request, 'connection', 8_000)))

/** A shard with a clock, a disk and randomness that the test holds in its hands. Events pass through the codec. */
export const newWorld = (
  askProvider: (request: ProviderRequest) => Promise<ProviderAnswer> = askSandbox,
  payOut: (request: PayoutRequest) => Promise<ProviderAnswer> = askSandbox,
  /** What an earlier life left on its disk. */
  left: readonly Entry[] = [],
  of: InstitutionSettings = institution,
  /** What banks, directories and chains answer about everything else. */
  askOthers: (request: TransferRequest | FindKeyRequest | ChainRequest) => Promise<AnyAnswer> = askSandboxAny,
  /** What the bank answers about mandates and their charges. */
  askMandates: (request: MandateRequest) => Promise<AnyAnswer> = askSandboxAny,
) => {
  const journal = memoryJournal(entryLayout)
  for (const entry of left) journal.append(entry)
  journal.flush()
  const memory = openMemory(emptyStore(), journal)
  for (const _ of replay(memory, journal, 0));
  const told: FlushedEntry[] = []
  const calls: ProviderCallRequest[] = []
  let nowMs = Date.UTC(2026, 10, 20, 12, 0, 0)
  let answersWait = false
  let mayGoOn = left.length > 0
  const shard: Shard = openShard({
    number: 0,
    journal,
    memory,
    realNow: () => nowMs,
    stopwatch: () => nowMs,
    entropy: seeded(1 + left.length),
    institution: of,
    pause: async () => undefined,
    onFlushed: (entry) => {
      told.push(entry)
      calls.push(...providerRequestsOf(entry))
    },
    onDue: () => {
      mayGoOn = true
    },
    hasWaitingAnswers: () => answersWait,
  })
  calls.push(...shard.unansweredCalls())

  /** Flushes, carries calls to their provider and answers back, and lets a clock advance, until nothing moves. */
  const settle = async (): Promise<void> => {
    for (;;) {
      journal.flush()
      const request = calls.shift()
      if (request === undefined) {
        if (!mayGoOn) return
        shard.tick()
        mayGoOn = isAdvancing() && shard.timerBacklog() === 'NOW'
        continue
      }
      shard.execute(recordOf(request, await answerTo(request))).catch(() => undefined)
    }
  }

  const answerTo = (request: ProviderCallRequest): Promise<AnyAnswer> => {
    if (isPayout(request)) return payOut(request)
    if (isAboutMandate(request)) return askMandates(request)
    if (request.operation === 'RETURN_SUSPENSE') return askProvider(asReturn(request))
    return isAboutMoneyOut(request) || isChainRequest(request) ? askOthers(request) : askProvider(request)
  }

  const isAdvancing = (): boolean => memory.find('account', account)!.state.advance !== null

  /** Tells, settles, and answers. */
  const execute = async (command: Command): Promise<Reply> => {
    let isAnswered = false
    const reply = shard.execute(command).finally(() => {
      isAnswered = true
    })
    reply.catch(() => undefined)
    for (let turns = 0; !isAnswered; turns++) {
      if (turns > 1_000_000) throw new Error(`${command.type} is never answered`)
      await settle()
    }
    return reply
  }

  return {
    shard,
    journal,
    memory,
    told,
    execute,
    settle,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Says whether answers of providers wait for their turn. */
    letAnswersWait: (wait: boolean) => {
      answersWait = wait
    },
    open: (timeZone = 'America/Sao_Paulo') =>
      execute({
        type: 'OpenAccount',
        accountId: account,
        by: key,
        profile: {
          companyId,
          environment: 'SANDBOX',
          name: 'Loja Demo',
          city: 'Sao Paulo',
          timeZone,
          ...plainProfile,
        },
      }),
    /** The transaction of an accepted reply. */
    accepted: async (command: Command): Promise<Transaction> => {
      const reply = await execute(command)
      if (!reply.accepted) throw new Error(`refused: ${reply.rejection.reason}`)
      return reply.state as Transaction
    },
    /** The account as it is. */
    account: (): Account => memory.find('account', account)!.state,
    transaction: (id: TransactionId): Transaction => memory.find('transaction', id)!.state,
    /** Moves the environment clock, with everything that becomes due. */
    advance: (by: string): Promise<Reply> =>
      execute({ type: 'AdvanceClock', accountId: account, by: key, step: { by } }),
    /** The types of the public events of an entry, from the newest backwards. */
    events: (back = 1): readonly string[] => publicEventsOf(told.at(-back)!, 0).map(({ type }) => type),
    refused: async (command: Command): Promise<string> => {
      const reply = await execute(command)
      return reply.accepted ? 'accepted' : reply.rejection.reason
    },
  }
}

const isAboutMoneyOut = (request: ProviderCallRequest): request is TransferRequest | FindKeyRequest =>
  request.operation === 'SEND_TRANSFER' || request.operation === 'FIND_KEY'

const isAboutMandate = (request: ProviderCallRequest): request is MandateRequest => 'mandateId' in request

export type World = ReturnType<typeof newWorld>

/** A world whose account is open. */
export const opened = async (...of: Parameters<typeof newWorld>): Promise<World> => {
  const world = newWorld(...of)
  await world.open()
  return world
}

/** Why a command is refused; `accepted` where it is not. */
export const refusalOf = async (world: Pick<World, 'execute'>, command: Command): Promise<any> => {
  const reply = await world.execute(command)
  return reply.accepted ? 'accepted' : reply.rejection
}

export const companyId = 'cmp_00000000000000000000000001' as CompanyId
export const account: AccountId = accountIdOf(companyId, 'SANDBOX')
export const key = { kind: 'KEY', id: 'key_1' } as const
export const ours = { accountId: account, by: key } as const

/** Opens the account of a shop in Recife. */
export const opening = {
  type: 'OpenAccount',
  ...ours,
  profile: {
    companyId,
    environment: 'SANDBOX',
    name: 'Loja',
    city: 'Recife',
    timeZone: 'America/Sao_Paulo',
    ...plainProfile,
  },
} as const

export const dayMs = 86_400_000

let charges = 0
export const newTransactionId = (): TransactionId =>
  `txn_${String(++charges).padStart(26, '0')}` as TransactionId

/** What a test wants of a charge, its details beside everything else. */
export type ChargeChange = Partial<CreateCharge> & Partial<ChargeDetails>

/** A change with its details where they belong. */
export const withDetails = <Change extends Partial<ChargeDetails>>({
  description = null,
  reference = null,
  externalId = null,
  metadata = {},
  checkout = null,
  ...change
}: Change) => ({ details: { description, reference, externalId, metadata, checkout }, ...change })

export const aCharge = (change: ChargeChange = {}): CreateCharge => ({
  type: 'CreateCharge',
  accountId: account,
  by: key,
  transactionId: newTransactionId(),
  origin: 'API',
  amountCents: toCents(1990),
  customer: null,
  customerId: null,
  collects: null,
  splitRuleId: null,
  terms: { method: 'PIX', expiresInSeconds: null, due: null },
  ...withDetails(change),
})

/** A card payment: by default of 10,000 centavos, captured at once. */
export const aCardPayment = (
  { token = 'tok_test_approved', installments = 1, captures = true } = {},
  change: ChargeChange = {},
): CreateCharge =>
  aCharge({
    amountCents: toCents(10_000),
    terms: {
      method: 'CREDIT_CARD',
      installments,
      captures,
      card: { token, tokenFingerprint: 'f', brand: 'VISA', last4: '4242', bin: null, holderName: null },
    },
    ...change,
  })

export const aPayer: Customer = {
  name: 'Ana Souza',
  document: '12345678909',
  documentType: 'CPF',
  email: 'ana@example.com',
  phone: null,
  address: null,
}

/** A boleto of 10,000 centavos, due on a Monday. */
export const aBoleto = (change: Partial<BoletoTerms> = {}, more: ChargeChange = {}): CreateCharge =>
  aCharge({
    amountCents: toCents(10_000),
    customer: aPayer,
    terms: {
      method: 'BOLETO',
      dueDate: '2026-11-30' as CalendarDate,
      interestBps: 100,
      fineBps: 200,
      discountCents: toCents(500),
      instructions: null,
      withPix: true,
      ...change,
    },
    ...more,
  })

let refunds = 0
export const newRefundId = (): RefundId => `rfd_${String(++refunds).padStart(26, '0')}` as RefundId

export const aRefund = (transactionId: TransactionId, amount: number | null = null): RequestRefund => ({
  type: 'RequestRefund',
  accountId: account,
  by: key,
  transactionId,
  refundId: newRefundId(),
  amountCents: amount === null ? null : toCents(amount),
  reason: null,
  address: '192.0.2.1',
})

/** The first page of a list of transactions. */
export const aList = (change: Partial<ListTransactions>): ListTransactions => ({
  type: 'ListTransactions',
  accountId: account,
  ...anyTransaction,
  order: { by: 'createdAt', isDescending: true },
  totals: false,
  page: 1,
  pageSize: 200,
  asOf: null,
  from: null,
  to: null,
  ...change,
})

export const aPayment = (transactionId: TransactionId): Command => ({
  type: 'ReceivePix',
  accountId: account,
  by: key,
  transactionId,
  amountCents: null,
  payer: null,
})

/** A PIX to the account's key that belongs to no charge. */
export const anUnrequestedPix = (): Command => ({
  type: 'ReceiveUnrequestedPix',
  accountId: account,
  by: key,
  transactionId: newTransactionId(),
  amountCents: toCents(5),
  payer: null,
  providerId: 'sandbox-psp',
})

export const aCancellation = (transactionId: TransactionId): Command => ({
  type: 'CancelCharge',
  accountId: account,
  by: key,
  transactionId,
  family: null,
  reason: null,
})

/** mulberry32: the same numbers for the same seed. */
export const seeded = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (bits ^ (bits >>> 14)) >>> 0
  }
}

/** A bank sends back what was in suspense like any other PIX. */
const asReturn = ({ returnReference: id, ...request }: SuspenseReturnRequest): ProviderRequest =>
  ({
    ...request,
    operation: 'RETURN',
    pixReturn: { endToEndId: request.endToEndId, id },
  }) as unknown as ProviderRequest
