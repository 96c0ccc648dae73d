import type { Conversion } from '../../../engine/crypto/conversion.ts'
import type { CryptoDeposit } from '../../../engine/crypto/deposit.ts'
import type { ConversionQuote } from '../../../engine/crypto/quote.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Withdrawal } from '../../../engine/money-out/money-out.ts'
import { isPlanned, type Transfer } from '../../../engine/money-out/money-out.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { familyOf } from '../../../engine/payments/methods/index.ts'
import { heldCents } from '../../../engine/payments/transaction/amounts.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { addDays, dateIn } from '../../../engine/shared/calendar.ts'
import type {
  AccountId,
  ConversionId,
  QuoteId,
  RefundId,
  SplitRuleId,
  TransactionId,
  TransferId,
  WithdrawalId,
} from '../../../engine/shared/ids.ts'
import type { Currency } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aPayer, dayMs, key } from '../world.ts'
import type { Chain } from './chain.ts'
import { decisionOn, resolutionOf } from './decisions.ts'
import { nowhere, payee, sender } from './payees.ts'
import { stablecoinCommandOf } from './stablecoin-commands.ts'
import type { Division, Part, Step } from './steps.ts'

/** What a step finds when it comes. */
export type Scene = {
  readonly account: AccountId
  readonly transactions: () => readonly Transaction[]
  /** Environment time. */
  readonly nowMs: () => number
  /** The rule of a division; null for a payment that is the company's. */
  readonly ruleOf: (division: Division | undefined) => SplitRuleId | null
  readonly newId: <Id extends NewId>(prefix: 'txn' | 'rfd' | 'trf' | 'qte' | 'cnv' | 'wdr') => Id
  /** What of a currency can leave now. */
  readonly spendable: (currency: Currency) => bigint
  /** The newest first, here and below. */
  readonly outgoing: () => readonly Transfer[]
  readonly deposits: () => readonly CryptoDeposit[]
  /** Those that were given and not used. */
  readonly quotes: () => readonly ConversionQuote[]
  /** Those that are not decided. */
  readonly conversions: () => readonly Conversion[]
  readonly withdrawals: () => readonly Withdrawal[]
  readonly chain: Chain
}

type NewId = TransactionId | RefundId | TransferId | QuoteId | ConversionId | WithdrawalId

export const zone = 'America/Sao_Paulo'
/** Steps that are a command. */
export type Telling = Exclude<Step, { do: 'pass' | 'arrive' | 'crash' | 'read' | 'again' }>

/**
 * How to make the command of a step, as often as it is sent: every time it has new ids, as from the gateway. Undefined
 * where there is nothing that it could be about.
 */
export const commandOf = (step: Telling, scene: Scene): (() => Command) | undefined => {
  const by = { accountId: scene.account, by: key } as const
  switch (step.do) {
    case 'pix': {
      const due = step.days === undefined ? null : { date: addDays(dateIn(zone, scene.nowMs()), step.days) }
      const terms = { method: 'PIX', expiresInSeconds: step.seconds ?? null, due } as const
      const origin = step.deposit ? 'DEPOSIT' : 'API'
      return () => ({
        ...by,
        ...charge(step, scene),
        type: 'CreateCharge',
        origin,
        customerId: null,
        collects: null,
        splitRuleId: scene.ruleOf(step.split),
        terms,
      })
    }
    case 'unrequested':
      return () => ({
        ...by,
        type: 'ReceiveUnrequestedPix',
        transactionId: scene.newId('txn'),
        amountCents: toCents(step.cents),
        payer: null,
        providerId: 'sandbox-psp',
      })
    case 'boleto': {
      const terms = {
        method: 'BOLETO',
        dueDate: addDays(dateIn(zone, scene.nowMs()), step.days),
        interestBps: step.interest ?? 0,
        fineBps: step.fine ?? 0,
        discountCents: toCents(Math.floor((step.cents * (step.discount ?? 0)) / 1000)),
        instructions: null,
        withPix: step.pix ?? false,
      } as const
      return () => ({
        ...by,
        ...charge(step, scene),
        type: 'CreateCharge',
        origin: 'API',
        customer: aPayer,
        customerId: null,
        collects: null,
        splitRuleId: scene.ruleOf(step.split),
        terms,
      })
    }
    case 'card': {
      const token = `tok_test_${step.token ?? 'approved'}`
      const terms = {
        method: 'CREDIT_CARD',
        installments: step.installments ?? 1,
        captures: !step.authorize,
        card: {
          token,
          tokenFingerprint: token,
          brand: step.brand ?? 'VISA',
          last4: '4242',
          bin: null,
          holderName: null,
        },
      } as const
      return () => ({
        ...by,
        ...charge(step, scene),
        type: 'CreateCharge',
        origin: 'API',
        customerId: null,
        collects: null,
        splitRuleId: scene.ruleOf(step.split),
        terms,
      })
    }
    case 'seed': {
      const createdAtMs = step.daysAgo === undefined ? null : scene.nowMs() - step.daysAgo * dayMs
      return () => ({
        ...by,
        ...charge(step, scene),
        type: 'SeedTransaction',
        method: step.method,
        status: step.status,
        origin: step.deposit ? 'DEPOSIT' : 'API',
        currency: step.method === 'CRYPTO' ? 'USDT' : 'BRL',
        installments: step.installments ?? 1,
        createdAtMs,
      })
    }
    case 'pay': {
      const one = nth(scene.transactions(), step, isPix, isPending)
      if (one === undefined) return undefined
      const amountCents = step.off === undefined ? null : toCents(one.amountCents + step.off)
      const tax = toCents(Math.floor((one.amountCents * (step.withheld ?? 0)) / 1000))
      const taxWithheldCents = tax === 0 ? null : tax
      return () => ({
        ...by,
        type: 'ReceivePix',
        transactionId: one.id,
        amountCents,
        payer: null,
        taxWithheldCents,
      })
    }
    case 'payBoleto': {
      const one = nth(scene.transactions(), step, isBoleto, isPending)
      if (one === undefined) return undefined
      const amountCents = step.off === undefined ? null : toCents(one.amountCents + step.off)
      if (step.pix) return () => ({ ...by, type: 'PayBoletoByPix', transactionId: one.id, amountCents })
      const paidAtMs = step.daysAgo === undefined ? null : scene.nowMs() - step.daysAgo * dayMs
      const clearing = step.clears === 'later' ? 'NEXT_BUSINESS_DAY' : 'IMMEDIATE'
      return () => ({ ...by, type: 'PayBoleto', transactionId: one.id, amountCents, paidAtMs, clearing })
    }
    case 'cancel': {
      const one = nth(scene.transactions(), step, always, isPendingOrAuthorized)
      if (one === undefined) return undefined
      const family = familyOf(one)
      return () => ({
        ...by,
        type: 'CancelCharge',
        transactionId: one.id,
        family,
        reason: 'changed my mind',
      })
    }
    case 'cancelCard': {
      const one = nth(scene.transactions(), step, isCard, isAlive)
      if (one === undefined) return undefined
      return () => ({
        ...by,
        type: 'CancelCardPayment',
        transactionId: one.id,
        refundId: scene.newId('rfd'),
        address: null,
        mayRefund: true,
      })
    }
    case 'capture': {
      const one = nth(scene.transactions(), step, isCard, isAuthorized)
      if (one === undefined) return undefined
      const amountCents = partOf(step.part, one.amountCents)
      return () => ({ ...by, type: 'CaptureCharge', transactionId: one.id, amountCents })
    }
    case 'refund': {
      const one = nth(scene.transactions(), step, always, isPaid)
      if (one === undefined) return undefined
      const amountCents = partOf(step.part, heldCents(one))
      return () => ({
        ...by,
        type: 'RequestRefund',
        transactionId: one.id,
        refundId: scene.newId('rfd'),
        amountCents,
        reason: null,
        address: null,
      })
    }
    case 'resolveRefund': {
      const one = nth(scene.transactions(), step, hasRefunds, isRefunding)
      const refunds = one?.reversals.refunds ?? []
      const refund = refunds.find(({ status }) => status === 'PROCESSING') ?? refunds[0]
      if (refund === undefined) return undefined
      return () => ({ ...by, ...sandbox, type: 'ResolveRefund', reversalId: refund.id, result: step.result })
    }
    case 'resolveCard': {
      const one = nth(scene.transactions(), step, isCard, isProcessing)
      if (one === undefined) return undefined
      const { result } = step
      return () => ({
        ...by,
        ...sandbox,
        type: 'ResolveAuthorization',
        transactionId: one.id,
        result,
        providerCode: '57',
      })
    }
    case 'chargeback': {
      const one = nth(scene.transactions(), step, isCard, isPaid)
      if (one === undefined) return undefined
      const amountCents = partOf(step.part, heldCents(one))
      return () => ({
        ...by,
        ...sandbox,
        type: 'OpenChargeback',
        transactionId: one.id,
        amountCents,
        reason: null,
      })
    }
    case 'dispute':
    case 'resolveChargeback': {
      const [chargeback] =
        nth(
          scene.transactions(),
          step,
          hasChargeback,
          step.do === 'dispute' ? hasOpenChargeback : isUnderReview,
        )?.reversals.chargebacks ?? []
      if (chargeback === undefined) return undefined
      const reversalId = chargeback.id
      if (step.do === 'dispute')
        return () => ({
          ...by,
          type: 'DisputeChargeback',
          reversalId,
          text: `the goods were delivered ${step.says ?? ''}`,
        })
      return () => ({ ...by, ...sandbox, type: 'ResolveChargeback', reversalId, result: step.result })
    }
    case 'med': {
      const one = nth(scene.transactions(), step, isPix, isPaid)
      if (one === undefined) return undefined
      const amountCents = partOf(step.part, heldCents(one))
      return () => ({
        ...by,
        ...sandbox,
        type: 'OpenMed',
        transactionId: one.id,
        amountCents,
        reason: null,
      })
    }
    case 'closeMed': {
      const med = nth(scene.transactions(), step, hasMed, hasOpenMed)?.reversals.meds.at(-1)
      if (med === undefined) return undefined
      const returnedCents = step.part === 'none' ? toCents(0) : partOf(step.part, med.blockedCents)
      return () => ({
        ...by,
        ...sandbox,
        type: 'CloseMed',
        reversalId: med.id,
        result: step.result,
        returnedCents,
      })
    }
    case 'defendMed':
    case 'contestMed': {
      const med = nth(
        scene.transactions(),
        step,
        hasMed,
        step.do === 'defendMed' ? hasOpenMed : hasReturned,
      )?.reversals.meds.at(-1)
      if (med === undefined) return undefined
      const text = `it was collected ${step.says ?? ''}`
      const type = step.do === 'defendMed' ? 'DefendMed' : 'ContestMed'
      return () => ({ ...by, type, reversalId: med.id, text, files: [] })
    }
    case 'resolveContest': {
      const med = nth(scene.transactions(), step, hasMed, isContested)?.reversals.meds.at(-1)
      if (med === undefined) return undefined
      return () => ({
        ...by,
        ...sandbox,
        type: 'ResolveMedContest',
        reversalId: med.id,
        result: step.result,
      })
    }
    case 'send': {
      const amountCents = toCents(Number((scene.spendable('BRL') * BigInt(step.part)) / 1000n))
      if (amountCents === 0) return undefined
      const today = dateIn(zone, scene.nowMs())
      return () => ({
        accountId: scene.account,
        by: sender,
        type: 'CreateTransfer',
        transferId: scene.newId('trf'),
        kind: step.ted ? 'TED' : 'PIX',
        amountCents,
        to: { beneficiaryId: step.nowhere ? nowhere : payee },
        scheduledFor: step.days === undefined ? null : addDays(today, step.days),
        description: null,
        externalId: null,
        metadata: step.scenario === undefined ? {} : { sandboxScenario: step.scenario },
        allowDuplicate: true,
        othersCount: 1,
        ownDocument: '00000000000191',
      })
    }
    case 'decideSend': {
      const one = scene.outgoing().filter(isPlanned)[step.n ?? 0]
      if (one === undefined) return undefined
      return () => decisionOn(one, step.says)
    }
    case 'resolveSend': {
      const one = scene.outgoing().filter(({ status }) => status === 'PROCESSING')[step.n ?? 0]
      if (one === undefined) return undefined
      const failureReason = step.result === 'COMPLETED' ? null : 'ACCOUNT_CLOSED'
      return () => resolutionOf(one, failureReason)
    }
    case 'settle': {
      const one = nth(scene.transactions(), step, isCard, hasScheduled)
      if (one === undefined) return undefined
      return () => ({ ...by, ...sandbox, type: 'SettleTransaction', transactionId: one.id })
    }
    case 'expire': {
      const one = nth(scene.transactions(), step, (one) => isPix(one) || isBoleto(one), isPending)
      if (one === undefined) return undefined
      const { method } = one
      return () => ({ ...by, ...sandbox, type: 'ExpireCharge', transactionId: one.id, method })
    }
    case 'advance':
      return () => ({ ...by, type: 'AdvanceClock', step: { by: step.by } })
    case 'resetClock':
      return () => ({ ...by, type: 'ResetClock' })
    case 'clear':
      return () => ({ ...by, type: 'ClearSandbox' })
    default:
      return stablecoinCommandOf(step, scene, by)
  }
}

/** What every charge says. */
export const charge = (
  { cents, scenario }: { readonly cents: number; readonly scenario?: string },
  { newId }: Scene,
) => ({
  transactionId: newId<TransactionId>('txn'),
  amountCents: toCents(cents),
  details: { ...noDetails, metadata: scenario === undefined ? {} : { sandboxScenario: scenario } },
  customer: null,
})

/** The nth, from the newest, of the charges that a step can be about and that are ready for it. */
export const nth = (
  transactions: readonly Transaction[],
  { n, any }: { readonly n?: number; readonly any?: true },
  fits: Test,
  isReady: Test = always,
): Transaction | undefined => {
  const these = transactions
    .filter((one) => fits(one) && (any || isReady(one)))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
  return these[(n ?? 0) % these.length]
}

export const sandbox = { by: { kind: 'SANDBOX', id: 'key_1' } } as const

type Test = (transaction: Transaction) => boolean

export const always: Test = () => true
const isPix: Test = ({ method }) => method === 'PIX'
const isBoleto: Test = ({ method }) => method === 'BOLETO'
const isCard: Test = (transaction) => cardOf(transaction) !== null
const is =
  (...statuses: readonly Transaction['status'][]): Test =>
  ({ status }) =>
    statuses.includes(status)
const isPending = is('PENDING')
const isProcessing = is('PROCESSING')
const isAuthorized = is('AUTHORIZED')
const isPendingOrAuthorized = is('PENDING', 'AUTHORIZED')
const isAlive = is('AUTHORIZED', 'APPROVED', 'PARTIALLY_REFUNDED')
const isPaid: Test = (one) =>
  one.method !== 'BOLETO' && one.method !== 'CRYPTO' && is('APPROVED', 'PARTIALLY_REFUNDED')(one)
const hasRefunds: Test = ({ reversals }) => reversals.refunds.length > 0
const isRefunding: Test = ({ reversals }) => reversals.refunds.some(({ status }) => status === 'PROCESSING')
const hasChargeback: Test = ({ reversals }) => reversals.chargebacks.length > 0
const hasOpenChargeback: Test = ({ reversals }) =>
  reversals.chargebacks.some(({ status }) => status === 'OPEN')
const isUnderReview: Test = ({ reversals }) =>
  reversals.chargebacks.some(({ status }) => status === 'UNDER_REVIEW')
const hasMed: Test = ({ reversals }) => reversals.meds.length > 0
const hasOpenMed: Test = ({ reversals }) => reversals.meds.some(({ status }) => status === 'OPEN')
const hasReturned: Test = ({ reversals }) => reversals.meds.some(({ returnedCents }) => returnedCents > 0)
const isContested: Test = ({ reversals }) =>
  reversals.meds.some(({ contest }) => contest?.status === 'UNDER_REVIEW')
const hasScheduled: Test = ({ receivables }) => receivables.some(({ status }) => status === 'SCHEDULED')

const partOf = (part: Part | undefined, cents: number) => {
  if (part === undefined) return null
  return toCents(part === 'more' ? cents + 1 : Math.max(1, Math.floor((cents * part) / 1000)))
}
