import fc from 'fast-check'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import {
  type MedResult,
  type TransactionStatus,
  transactionStatuses,
} from '../../../engine/payments/transaction/transaction.ts'
import type { Environment } from '../../../engine/shared/ids.ts'
import type { Method } from '../../../engine/shared/method.ts'
import {
  type Answer,
  type At,
  at,
  cents,
  hold,
  nthOne,
  of,
  often,
  one,
  type Sent,
  seldom,
  sent,
  step,
  yes,
} from './arbitraries.ts'
import { type DecisionOnMoneyOut, decisionsOnMoneyOut } from './decisions.ts'
import { kindsOfStablecoins, livesOfStablecoins, type StablecoinStep } from './stablecoin-steps.ts'

/**
 * What happens to the service, in order. Plain data with as little in it as possible: what is not said has its default,
 * so that a list that fails is short, and can be pasted as a regression.
 */
export type Step =
  | (Pick<Sent, 'key' | 'hold'> & {
      readonly do: 'pix'
      readonly cents: number
      readonly split?: Division
      readonly seconds?: number
      readonly days?: number
      readonly scenario?: string
      readonly deposit?: true
      readonly answers?: readonly Answer[]
    })
  | { readonly do: 'unrequested'; readonly cents: number; readonly hold?: true }
  | (Pick<Sent, 'key' | 'hold'> & {
      readonly do: 'boleto'
      readonly cents: number
      /** Of the due date, from today. */
      readonly days: number
      readonly split?: Division
      readonly interest?: number
      readonly fine?: number
      readonly discount?: number
      readonly pix?: true
      readonly scenario?: string
    })
  | (Sent & {
      readonly do: 'card'
      readonly cents: number
      readonly split?: Division
      readonly installments?: number
      readonly authorize?: true
      readonly token?: string
      readonly brand?: 'AMEX'
    })
  | {
      readonly do: 'seed'
      readonly method: Method
      readonly status: TransactionStatus
      readonly cents: number
      readonly installments?: number
      readonly deposit?: true
      readonly daysAgo?: number
      readonly scenario?: string
      readonly hold?: true
    }
  | (At & {
      readonly do: 'pay'
      readonly off?: number
      /** What is withheld as tax, of a thousand. */
      readonly withheld?: number
      readonly hold?: true
    })
  | (At & {
      readonly do: 'payBoleto'
      readonly off?: number
      readonly daysAgo?: number
      readonly clears?: 'later'
      /** By its QR code. */
      readonly pix?: true
      readonly hold?: true
    })
  | (At & Sent & { readonly do: 'cancel' })
  | (At & Sent & { readonly do: 'cancelCard' })
  | (At & Sent & { readonly do: 'capture'; readonly part?: Part })
  | (At & Sent & { readonly do: 'refund'; readonly part?: Part })
  | (At & { readonly do: 'resolveRefund'; readonly result: 'COMPLETED' | 'FAILED'; readonly hold?: true })
  | (At & {
      readonly do: 'resolveCard'
      readonly result: 'APPROVED' | 'DECLINED' | 'FAILED'
      readonly hold?: true
    })
  | (At & { readonly do: 'chargeback'; readonly part?: Part; readonly hold?: true })
  | (At & {
      readonly do: 'dispute'
      readonly says?: 'winning_evidence' | 'losing_evidence'
      readonly hold?: true
    })
  | (At & { readonly do: 'resolveChargeback'; readonly result: 'WON' | 'LOST'; readonly hold?: true })
  | (At & { readonly do: 'med'; readonly part?: Part; readonly hold?: true })
  | (At & {
      readonly do: 'closeMed'
      readonly result: MedResult
      readonly part?: Part | 'none'
      readonly hold?: true
    })
  | (At & {
      readonly do: 'defendMed' | 'contestMed'
      readonly says?: 'winning_evidence' | 'losing_evidence'
      readonly hold?: true
    })
  | (At & { readonly do: 'resolveContest'; readonly result: 'WON' | 'LOST'; readonly hold?: true })
  | (At & { readonly do: 'settle'; readonly hold?: true })
  | StablecoinStep
  /** A person sends this many thousandths of what is there. */
  | (Sent & {
      readonly do: 'send'
      readonly part: number
      readonly ted?: true
      /** To an account that is not there. */
      readonly nowhere?: true
      /** From today. */
      readonly days?: number
      readonly scenario?: string
    })
  | (At & {
      readonly do: 'decideSend'
      readonly says: DecisionOnMoneyOut
      readonly hold?: true
    })
  | (At & { readonly do: 'resolveSend'; readonly result: 'COMPLETED' | 'FAILED'; readonly hold?: true })
  | (At & { readonly do: 'expire'; readonly hold?: true })
  | (At & { readonly do: 'read' })
  /** A command with a key is sent once more: the nth, counted from the newest. */
  | { readonly do: 'again'; readonly n?: number; readonly changed?: true; readonly hold?: true }
  | { readonly do: 'advance'; readonly by: string; readonly hold?: true }
  | { readonly do: 'resetClock'; readonly hold?: true }
  /** Real time passes; `tick` lets the service look at its clock afterwards. */
  | { readonly do: 'pass'; readonly ms: number; readonly tick?: true }
  /** The answers of providers that are late arrive, the newest first where `reversed`. */
  | { readonly do: 'arrive'; readonly reversed?: true }
  /** The process ends. Of what was not on disk, so many entries were. */
  | { readonly do: 'crash'; readonly kept?: number }
  | { readonly do: 'clear'; readonly hold?: true }

/**
 * How a payment is divided, by rules that every story begins with (see `division.ts`): one that does not fit the amount
 * is refused.
 */
export const divisions = ['shares', 'fixed', 'many', 'unpaid'] as const
export type Division = (typeof divisions)[number]

/** Of an amount: thousandths, or one centavo more than there is. Without it the command names none. */
export type Part = number | 'more'

/** Ten digits of the bar code. */
const boletoCents = cents.map((cents) => Math.min(cents, 9_999_999_999))
const part = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 999 }) },
  { weight: 1, arbitrary: fc.constant('more' as const) },
)

const divided = fc.constantFrom(...divisions)
const split = often(divided)

const pixScenarios = [
  'paid',
  'paid_twice',
  'paid_late',
  'never_paid',
  'provider_error',
  'med',
  'refund_fails',
  'refund_slow',
  'insufficient_balance',
]
const boletoScenarios = ['paid', 'paid_overdue', 'never_paid', 'provider_error']
const tokens = [
  'declined_51',
  'antifraud',
  'processing',
  'processing_declined',
  'timeout',
  'capture_fails',
  'refund_fails',
  'refund_slow',
  'chargeback',
  'chargeback',
]
const seedScenarios = ['paid', 'paid_twice', 'paid_late', 'med', 'chargeback', 'paid_overdue']
const durations = [
  'PT1S',
  'PT2S',
  'PT5S',
  'PT1M',
  'PT15M',
  'PT1H',
  'P1D',
  'P1D',
  'P3D',
  'P7D',
  'P10D',
  'P11D',
  'P29D',
  'P30D',
  'P31D',
  'P60D',
]
const day = 86_400_000
const passes = [1, 2000, 5000, 15 * 60_000, 3_600_000, 23 * 3_600_000, 25 * 3_600_000, 7 * day, 100 * day]

const pix = step(
  { do: of('pix'), cents },
  {
    seconds: seldom(fc.constantFrom(60, 86_400)),
    scenario: often(fc.constantFrom(...pixScenarios)),
    split,
    deposit: seldom(yes),
    ...sent,
  },
)
const plainPix = step({ do: of('pix'), cents }, { split })
/** Enough that something of it can leave. */
const richPix = step(
  { do: of('pix'), cents: fc.integer({ min: 5000, max: 200_000 }) },
  { split: seldom(divided) },
)
const boleto = step(
  { do: of('boleto'), cents: boletoCents, days: fc.integer({ min: 0, max: 90 }) },
  {
    interest: often(fc.integer({ min: 1, max: 1000 })),
    fine: often(fc.integer({ min: 1, max: 1000 })),
    discount: often(fc.integer({ min: 1, max: 999 })),
    pix: seldom(yes),
    split,
    scenario: seldom(fc.constantFrom(...boletoScenarios)),
    key: often(yes),
    ...hold,
  },
)
const installments = fc.integer({ min: 1, max: 12 })
const card = step(
  { do: of('card'), cents, installments },
  { authorize: one(25, yes), brand: seldom(of('AMEX')), split, ...sent },
)
const authorized = step({ do: of('card'), cents, installments, authorize: yes }, { split })
const captured = step({ do: of('card'), cents, installments }, { split })
const cardWithToken = step(
  { do: of('card'), cents, token: fc.constantFrom(...tokens) },
  { installments: often(installments), authorize: one(25, yes), split, ...sent },
)
const seed = step(
  {
    do: of('seed'),
    method: fc.constantFrom(...methodNames),
    status: fc.constantFrom(...transactionStatuses),
    cents: boletoCents,
  },
  {
    installments: often(installments),
    deposit: seldom(yes),
    daysAgo: often(fc.constantFrom(1, 30, 79, 100, 200)),
    scenario: often(fc.constantFrom(...seedScenarios)),
    ...hold,
  },
)
const pay = step({ do: of('pay') }, { ...at, ...hold, withheld: seldom(fc.integer({ min: 1, max: 1000 })) })
const payBoleto = step(
  { do: of('payBoleto') },
  {
    ...at,
    daysAgo: seldom(fc.integer({ min: 1, max: 9 })),
    clears: often(of('later')),
    pix: one(25, yes),
    ...hold,
  },
)
const cancel = step({ do: of('cancel') }, { ...at, ...sent })
const cancelCard = step({ do: of('cancelCard') }, { ...at, ...sent })
const capture = step({ do: of('capture') }, { ...at, part: often(part), ...sent })
const refund = step({ do: of('refund') }, { ...at, part: one(80, part), ...sent })
const resolveRefund = step(
  { do: of('resolveRefund'), result: fc.constantFrom('COMPLETED', 'FAILED') },
  { ...at, ...hold },
)
const resolveCard = step(
  { do: of('resolveCard'), result: fc.constantFrom('APPROVED', 'DECLINED', 'FAILED') },
  { ...at, ...hold },
)
const chargeback = step({ do: of('chargeback') }, { ...at, part: often(part), ...hold })
const dispute = step(
  { do: of('dispute') },
  { ...at, says: seldom(fc.constantFrom('winning_evidence', 'losing_evidence')), ...hold },
)
const resolveChargeback = step(
  { do: of('resolveChargeback'), result: fc.constantFrom('WON', 'WON', 'LOST') },
  { ...at, ...hold },
)
const med = step({ do: of('med') }, { ...at, part: often(part), ...hold })
const closeMed = step(
  { do: of('closeMed'), result: fc.constantFrom('ACCEPTED', 'ACCEPTED', 'REJECTED', 'CANCELLED') },
  { ...at, part: often(fc.oneof(part, of('none'))), ...hold },
)
const answerMed = step(
  { do: fc.constantFrom('defendMed', 'contestMed', 'contestMed') },
  { ...at, says: seldom(fc.constantFrom('winning_evidence', 'losing_evidence')), ...hold },
)
const contestMed = step({ do: of('contestMed') }, { ...at, ...hold })
const resolveContest = step(
  { do: of('resolveContest'), result: fc.constantFrom('WON', 'WON', 'LOST') },
  { ...at, ...hold },
)
const settle = step({ do: of('settle') }, { ...at, ...hold })
const send = step(
  { do: of('send'), part: fc.integer({ min: 1, max: 1000 }) },
  {
    ted: often(yes),
    nowhere: seldom(yes),
    days: often(fc.integer({ min: 0, max: 40 })),
    scenario: seldom(
      fc.constantFrom('transfer_fails', 'transfer_slow', 'transfer_silent', 'transfer_insufficient'),
    ),
    ...sent,
  },
)
const decideSend = step(
  { do: of('decideSend'), says: fc.constantFrom('approve', ...decisionsOnMoneyOut) },
  { ...nthOne, ...hold },
)
const resolveSend = step(
  { do: of('resolveSend'), result: fc.constantFrom('COMPLETED', 'FAILED') },
  { ...nthOne, ...hold },
)
const again = step({ do: of('again') }, { ...nthOne, ...hold })
const advance = step({ do: of('advance'), by: fc.constantFrom(...durations) }, hold)
const wait = step({ do: of('advance'), by: fc.integer({ min: 1, max: 30 }).map((days) => `P${days}D`) })
const pass = step({ do: of('pass'), ms: fc.constantFrom(...passes) }, { tick: often(yes) })
const arrive = step({ do: of('arrive') }, { reversed: often(yes) })
const crash = step({ do: of('crash') }, { kept: often(fc.integer({ min: 1, max: 4 })) })

/** How often each kind of step comes, beside the others. */
const kinds: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Step>])[] = [
  [5, pix],
  [1, step({ do: of('pix'), cents, days: fc.integer({ min: 0, max: 40 }) }, sent)],
  [1, step({ do: of('unrequested'), cents }, hold)],
  [3, boleto],
  [7, card],
  [3, cardWithToken],
  [2, seed],
  [6, pay],
  [1, step({ do: of('pay'), off: fc.constantFrom(-1, 1) }, at)],
  [4, payBoleto],
  [1, step({ do: of('payBoleto'), off: fc.constantFrom(-1, 1) }, at)],
  [3, cancel],
  [3, cancelCard],
  [5, capture],
  [12, refund],
  [2, resolveRefund],
  [2, resolveCard],
  [5, chargeback],
  [6, dispute],
  [6, resolveChargeback],
  [4, med],
  [4, closeMed],
  [3, answerMed],
  [2, resolveContest],
  [2, settle],
  [8, send],
  [4, decideSend],
  [1, resolveSend],
  ...kindsOfStablecoins,
  [1, step({ do: of('expire') }, { ...at, ...hold })],
  [2, step({ do: of('read') }, at)],
  [5, again],
  [1, step({ do: of('again'), changed: yes }, nthOne)],
  [9, advance],
  [1, step({ do: of('advance'), by: fc.constantFrom('P180D', 'P1Y') })],
  [0.5, step({ do: of('resetClock') }, hold)],
  [2, pass],
  [4, arrive],
  [3, crash],
  [0.2, step({ do: of('clear') }, hold)],
]

const anyStep = fc.oneof(
  ...kinds.map(([weight, arbitrary]) => ({ weight: Math.round(weight * 10), arbitrary })),
)

/** Lives that chance alone seldom leads a charge through. */
const life = fc.oneof(
  fc.tuple(captured, wait, chargeback, wait, dispute, wait, resolveChargeback),
  fc.tuple(captured, wait, refund, chargeback, dispute, wait, resolveChargeback, refund, refund),
  fc.tuple(captured, advance, settle, refund, chargeback, dispute, resolveChargeback, refund),
  fc.tuple(captured, refund, refund, refund, again, refund),
  fc.tuple(authorized, capture, again, advance, refund, again, crash, again),
  fc.tuple(card, pass, again, pass, again),
  fc.tuple(authorized, cancel, again, advance),
  fc.tuple(cardWithToken, advance, resolveCard, refund, arrive),
  fc.tuple(plainPix, pay, refund, refund, med, advance, closeMed, refund),
  fc.tuple(richPix, pay, send, med, plainPix, pay, send, closeMed, contestMed, resolveContest),
  fc.tuple(captured, plainPix, pay, refund, med, wait, plainPix, pay, med, send, closeMed, wait),
  fc.tuple(plainPix, pay, refund, resolveRefund, again, refund),
  fc.tuple(boleto, advance, payBoleto, advance),
  fc.tuple(richPix, pay, send, send, again, crash, again, decideSend, arrive),
  fc.tuple(captured, wait, wait, send, refund, chargeback, send, decideSend, wait),
  fc.tuple(richPix, pay, wait, send, decideSend, crash, again, arrive),
  ...livesOfStablecoins(richPix, pay, advance, crash, again, arrive),
)

/** The day that the service starts on, counted from the first, and what happens to it. */
export const anyStory: fc.Arbitrary<Story> = fc.record({
  environment: fc.oneof({ weight: 9, arbitrary: of('SANDBOX') }, { weight: 1, arbitrary: of('PRODUCTION') }),
  day: fc.nat({ max: 800 }),
  steps: fc
    .array(fc.oneof({ weight: 8, arbitrary: fc.tuple(anyStep) }, { weight: 2, arbitrary: life }), {
      minLength: 1,
      maxLength: 40,
      size: 'max',
    })
    .map((parts) => parts.flat()),
})

export type Story = {
  readonly environment: Environment
  readonly day: number
  readonly steps: readonly Step[]
}

/** As it would stand in the source, one step a line. */
export const storyText = ({ environment, day, steps }: Story): string =>
  `environment: '${environment}',\nday: ${day},\nsteps: [\n${steps.map((step) => `  ${stepText(step)},\n`).join('')}]`

export const stepText = (step: Step): string =>
  `{ ${Object.entries(step)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ')} }`

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : String(value)
}
