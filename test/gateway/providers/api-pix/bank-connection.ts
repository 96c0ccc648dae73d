import type { Customer } from '../../../../engine/shared/customer.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { openProviderHttp } from '../../../../gateway/providers/http/http.ts'
import { modules } from '../../../../gateway/providers/modules.ts'
import type {
  ProviderAsk,
  ProviderInstance,
  ProviderIo,
  ProviderModule,
} from '../../../../gateway/providers/port.ts'
import { account } from '../../../engine/world.ts'
import { type BankForTest, bankFor } from '../../../rails/api-pix/bank-for-test.ts'
import type { SimulatedProfile } from '../../../rails/api-pix/profiles/profile.ts'
import type { StartOptions } from '../../../rails/api-pix/start.ts'

/** The adapter, connected over TLS to a simulated bank. */
export type BankConnection = {
  readonly bank: BankForTest
  readonly module: ProviderModule
  readonly instance: ProviderInstance
  readonly settings: Readonly<Record<string, unknown>>
  /** What was reported to `onFault`. */
  readonly faults: readonly unknown[]
  /** Lets the time that is waited for pass: deadlines of what is under way. */
  readonly expire: () => void
  /** An ask as the engine makes it, with a reference that no other has. */
  readonly asks: Asks
  /** Opens another connection to the same bank. */
  readonly open: (change?: Readonly<Record<string, unknown>>) => ProviderInstance
}

type Tested = {
  readonly teardown: (end: () => unknown) => void
  readonly fail: (what: string) => unknown
}

/** The names of the banks that are in the table of modules. */
export const bankNames: readonly string[] = Object.keys(modules)

/** Connects to a bank of the table, or to one of a test's own. */
export const connectedBank = async (
  t: Tested,
  of: string | { readonly module: ProviderModule; readonly profile: SimulatedProfile },
  { settings: more = {}, ...options }: StartOptions & { readonly settings?: object } = {},
): Promise<BankConnection> => {
  const profile = typeof of === 'string' ? of : of.profile
  const bank = await bankFor(t, { ...options, profile })
  const module = typeof of === 'string' ? modules[of]! : of.module
  const faults: unknown[] = []
  let waiting: (() => void)[] = []
  const io: ProviderIo = {
    realNow: () => bank.clock.nowMs(),
    timeout: (_, callback) => {
      waiting.push(callback)
      return () => {
        waiting = waiting.filter((one) => one !== callback)
      }
    },
    openHttp: openProviderHttp,
    onFault: (error) => faults.push(error),
  }
  const settings = { ...settingsFor(bank, module), ...more }
  const open = (change: object = {}): ProviderInstance => {
    const opened = module.open(
      { id: 'con_0', environment: 'PRODUCTION', settings: { ...settings, ...change } },
      io,
    )
    t.teardown(opened.close)
    return opened
  }
  return {
    bank,
    module,
    instance: open(),
    settings,
    faults,
    expire: () => {
      for (const callback of waiting) callback()
      waiting = []
    },
    asks: asksAt(() => bank.clock.nowMs()),
    open,
  }
}

/** The settings of a connection to a simulated bank: only those that the module's schema knows. */
export const settingsFor = (
  { client, clientIdentity, authority, server, bank, receiver }: BankForTest,
  { settings }: Pick<ProviderModule, 'settings'>,
): Readonly<Record<string, unknown>> => {
  const { profile } = bank.context
  const all = {
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    appKey: client.appKey,
    account: receiver.conta,
    pixKey: receiver.chaves[0],
    merchantName: 'Loja das Figueiras',
    merchantCity: 'São Paulo',
    certificate: clientIdentity.cert,
    privateKey: clientIdentity.key,
    serverAuthority: authority.cert,
    apiAddress: server.url,
    tokenAddress: server.url + profile.tokenPath,
    pixAutomatic: true,
    receiverBranch: receiver.agencia,
    receiverAccount: receiver.conta,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in settings.properties))
}

type AskOf<Name extends ProviderAsk['operation']> = Extract<ProviderAsk, { readonly operation: Name }>

export type Asks = ReturnType<typeof asksAt>

let made = 0

const customer: Customer = {
  name: 'Maria da Silva',
  document: '52998224725',
  documentType: 'CPF',
  email: null,
  phone: null,
  address: null,
}

const asksAt = (nowMs: () => number) => {
  const head = (amount: number) => {
    const number = String(++made).padStart(26, '0')
    return {
      callId: `txn_${number}.2`,
      reference: `${number}02`,
      asked: 0,
      connectionId: 'con_0',
      accountId: account,
      amountCents: toCents(amount),
      openedAtMs: nowMs(),
      nowMs: nowMs(),
      answerWithinMs: 8_000,
      scenario: null,
    } as const
  }
  return {
    head,
    register: (change: Partial<AskOf<'REGISTER'>['data']> = {}, amount = 1_234): AskOf<'REGISTER'> => ({
      operation: 'REGISTER',
      rail: 'PIX',
      ...head(amount),
      data: {
        rail: 'PIX',
        pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
        expiresInSeconds: 3_600,
        due: null,
        customer,
        description: 'Pedido 77',
        merchantReference: 'pedido-77',
        ...change,
      } as AskOf<'REGISTER'>['data'],
    }),
    /** With a due date ten days ahead. */
    registerDue: (amount = 10_000): AskOf<'REGISTER'> => ({
      operation: 'REGISTER',
      rail: 'PIX',
      ...head(amount),
      data: {
        rail: 'PIX',
        pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
        expiresInSeconds: 864_000,
        due: { date: '2026-12-05' as never, payableForDays: 0 },
        customer,
        description: null,
        merchantReference: null,
      },
    }),
    /** About a charge that was registered. */
    after: <Name extends 'CANCEL' | 'READ_CHARGE'>(
      operation: Name,
      { reference }: Pick<ProviderAsk, 'reference'>,
    ): AskOf<Name> =>
      ({
        operation,
        rail: 'PIX',
        ...head(0),
        reference,
        data: { reference, registeredAtMs: nowMs() },
      }) as never,
    giveBack: <Name extends 'RETURN' | 'REFUND'>(
      operation: Name,
      endToEndId: string,
      amount = 1_234,
    ): AskOf<Name> =>
      ({
        operation,
        rail: 'PIX',
        ...head(amount),
        data: { rail: 'PIX', endToEndId, description: null },
      }) as never,
  }
}

/** The operations of Pix Automático. */
export const mandateAsks = ({ head }: Asks) => ({
  create: (change: Partial<AskOf<'MANDATE_CREATE'>['data']> = {}): AskOf<'MANDATE_CREATE'> => ({
    operation: 'MANDATE_CREATE',
    rail: 'PIX',
    ...head(0),
    data: {
      journey: 'QR',
      contract: `01J${String(made).padStart(23, '0')}`,
      object: 'Plano mensal',
      customer,
      periodicity: 'MENSAL',
      startOn: '2026-12-01' as never,
      endOn: null,
      fixedCents: toCents(4_990),
      minCents: null,
      allowsRetries: true,
      txid: null,
      ...change,
    },
  }),
  cancel: (mandateId: string): AskOf<'MANDATE_CANCEL'> => ({
    operation: 'MANDATE_CANCEL',
    rail: 'PIX',
    ...head(0),
    data: { mandateId },
  }),
  schedule: (mandateId: string, dueDate: string, amount = 4_990): AskOf<'SCHEDULE'> => ({
    operation: 'SCHEDULE',
    rail: 'PIX',
    ...head(amount),
    data: { mandateId, dueDate: dueDate as never, customer, description: 'Fatura de dezembro' },
  }),
  later: (operation: 'RESCHEDULE' | 'UNSCHEDULE', txid: string, dueDate: string): ProviderAsk => ({
    operation,
    rail: 'PIX',
    ...head(0),
    data: { txid, dueDate: dueDate as never },
  }),
})

/** A charge that is registered and paid, with the end-to-end id of its payment. */
export const paidCharge = async (
  { bank, instance, asks }: Pick<BankConnection, 'bank' | 'instance' | 'asks'>,
  amount = 1_234,
) => {
  const ask = asks.register({}, amount)
  const outcome = await instance.ask(ask)
  if (outcome.type !== 'DONE' || outcome.evidence?.kind !== 'PIX_CHARGE')
    throw new Error(`not registered: ${JSON.stringify(outcome)}`)
  const pix = bank.bank.pay({ code: outcome.evidence.copyPaste! })!
  return { ask, endToEndId: pix.endToEndId }
}
