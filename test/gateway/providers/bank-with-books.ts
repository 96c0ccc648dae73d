import Type from 'typebox'
import { toCents } from '../../../engine/shared/money.ts'
import { connect } from '../../../gateway/providers/connected.ts'
import { openProviderHttp } from '../../../gateway/providers/http/http.ts'
import type {
  AskedOperation,
  InquiryOutcome,
  ProviderAsk,
  ProviderInstance,
  ProviderLimits,
  ProviderModule,
  ProviderOutcome,
  Repeat,
} from '../../../gateway/providers/port.ts'

/**
 * An acquirer and bank with books of its own, for tests: each effect is a row by its reference, and the wire to it can be cut before or
 * after an effect, or carry rubbish. It is what an adapter together with a provider looks like from the port.
 */
export type BankWithBooks = {
  readonly module: ProviderModule
  readonly instance: ProviderInstance
  /** What was done and stands, in centavos by reference. */
  readonly books: ReadonlyMap<string, number>
  /** What was sent to it, in its order: the operation and the reference. */
  readonly sent: readonly string[]
  /** How the next exchanges fare. */
  readonly plan: (...faults: readonly Fault[]) => void
  /** The provider takes back by itself what was done by this reference. */
  readonly undo: (reference: string) => void
}

/** Where the wire is cut: before anything is done, or after it; or what comes back cannot be read. */
export type Fault = 'NONE' | 'CUT_BEFORE' | 'CUT_AFTER' | 'UNREADABLE'

/** Amounts that it does not carry out: one is refused, and one is decided a while later. */
export const refusedCents = toCents(66)
export const slowCents = toCents(77)

const everyRepeat: Readonly<Partial<Record<AskedOperation, Repeat>>> = {
  AUTHORIZE: 'NEVER',
  CAPTURE: 'INQUIRE_FIRST',
  VOID: 'INQUIRE_FIRST',
  REVERSE: 'SAFE',
  REFUND: 'SAFE',
  PAY_OUT: 'INQUIRE_FIRST',
}

/** Opens its books. An operation that is not keyed by our reference acts again when it is sent again. */
export const openBankWithBooks = (
  repeat: Readonly<Partial<Record<AskedOperation, Repeat>>> = everyRepeat,
  limits: ProviderLimits | null = null,
): BankWithBooks => {
  const books = new Map<string, number>()
  const known = new Map<string, ProviderOutcome>()
  const undone = new Set<string>()
  const sent: string[] = []
  const faults: Fault[] = []

  const decide = (ask: ProviderAsk): ProviderOutcome => {
    const { operation, reference, amountCents } = ask
    const before = known.get(reference)
    if (before !== undefined && repeat[operation] === 'SAFE') return before
    if (amountCents === refusedCents) return refused
    if (amountCents === slowCents && ask.nowMs === ask.openedAtMs)
      return { type: 'PENDING', againInMs: 5_000, evidence: null }
    if (operation === 'REVERSE' || operation === 'VOID') books.delete(ask.data.saleReference)
    else books.set(reference, (books.get(reference) ?? 0) + amountCents)
    return {
      type: 'DONE',
      echo: { reference, amountCents, payee: operation === 'PAY_OUT' ? ask.data.payee.document : null },
      evidence:
        operation === 'AUTHORIZE'
          ? {
              kind: 'CARD',
              nsu: '1',
              tid: `tid-${reference}`,
              authorizationCode: '2',
              returnCode: '00',
              message: 'approved',
              networkReference: null,
            }
          : null,
    }
  }

  const instance: ProviderInstance = {
    ask: async (ask) => {
      const fault = faults.shift() ?? 'NONE'
      sent.push(`${ask.operation} ${ask.reference}`)
      if (fault === 'CUT_BEFORE') return silent
      const outcome = decide(ask)
      if (outcome.type === 'DONE' || outcome.type === 'REFUSED') known.set(ask.reference, outcome)
      return fault === 'NONE' ? outcome : silent
    },
    inquire: async (ask): Promise<InquiryOutcome> => {
      const fault = faults.shift() ?? 'NONE'
      sent.push(`INQUIRE ${ask.reference}`)
      if (fault !== 'NONE') return silent
      if (undone.has(ask.reference))
        return { type: 'UNDONE', how: 'AUTO_REFUNDED', message: 'refunded by us' }
      return known.get(ask.reference) ?? { type: 'NOT_FOUND' }
    },
    health: async () => ({ works: true, detail: null, certificateEndsAtMs: null }),
    close: () => undefined,
  }

  const module: ProviderModule = {
    name: 'bank-with-books',
    label: 'Bank with books',
    rails: ['CARD', 'PAYOUT'],
    settings: Type.Object({}),
    repeat,
    capabilities: { payOutBy: ['PIX'], duplicateSales: 'TAKEN' },
    limits,
    open: () => instance,
  }
  return {
    module,
    instance: connect(
      module,
      { id: 'a-connection', environment: 'SANDBOX', settings: {} },
      {
        realNow: () => 0,
        timeout: () => () => undefined,
        openHttp: openProviderHttp,
        onFault: () => undefined,
      },
    ).instance,
    books,
    sent,
    plan: (...planned) => faults.push(...planned),
    undo: (reference) => {
      books.delete(reference)
      undone.add(reference)
    },
  }
}

const silent: ProviderOutcome = { type: 'SILENT' }

const refused: ProviderOutcome = {
  type: 'REFUSED',
  refusal: {
    reason: 'INSUFFICIENT_FUNDS',
    message: 'not enough',
    network: { code: '51', advice: null },
    provider: { code: '3', message: 'Denied' },
    retryOn: 'SAME',
    stepUp: false,
    attempt: null,
  },
}
