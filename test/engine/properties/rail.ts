import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import { isPayout, type PayoutRequest } from '../../../engine/marketplace/payout-request.ts'
import type { FindKeyRequest } from '../../../engine/money-out/lookups/key-lookup.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import type { AnyAnswer } from '../../../gateway/providers/answers.ts'
import { askSandbox, askSandboxAny } from '../world.ts'
import type { Answer } from './arbitraries.ts'
import { type Chain, newChain } from './chain.ts'

/**
 * The acquirer and the PIX rail behind the service, with books of their own. They do what the Sandbox's do, unless the
 * story has something else in store for a charge, and never do a thing twice for one reference.
 */
export type Rail = {
  /** How the next questions about a charge, a transfer, a deposit, a quote or a conversion fare. */
  readonly plan: (id: string, answers: readonly Answer[]) => void
  /** From here on every question is heard and answered. */
  readonly calm: () => void
  readonly ask: (request: ProviderCallRequest) => Promise<Heard>
  /** What the bank has paid to recipients, by reference. */
  readonly payouts: ReadonlyMap<string, number>
  /** What the bank has sent for people, by reference. */
  readonly sent: ReadonlyMap<string, number>
  /** What the chain has sent, and what it has converted, by reference. */
  readonly sentUnits: ReadonlyMap<string, number>
  readonly converted: ReadonlyMap<string, Converted>
  readonly chain: Chain
  /** What the Sandbox decided in its place, and seeds, are as if it had done them. */
  readonly observe: (entry: FlushedEntry) => void
  readonly bookOf: (id: TransactionId) => Book
  /** Questions that no rail should ever hear. */
  readonly complaints: readonly string[]
}

/** What comes back, and when. */
export type Heard = {
  readonly answer: AnyAnswer
  readonly when: 'now' | 'later' | 'thrice'
}

export type Converted = { readonly fromCents: number; readonly toCents: number }

/** Everything but what is paid to recipients, whose bank has whims of its own. */
type Decided = Exclude<ProviderCallRequest, PayoutRequest | FindKeyRequest>

export type Book = {
  authorizedCents: number
  capturedCents: number
  isVoided: boolean
  isReversed: boolean
  /** References that authorized it. */
  readonly authorizations: Set<string>
  /** Sent back, by reference. */
  readonly refunds: Map<string, number>
}

export const newRail = (): Rail => {
  const plans = new Map<string, Answer[]>()
  const books = new Map<string, Book>()
  const decided = new Map<string, AnyAnswer>()
  const asked = new Map<string, string>()
  const complaints: string[] = []
  const payouts = new Map<string, number>()
  const sent = new Map<string, number>()
  const sentUnits = new Map<string, number>()
  const converted = new Map<string, Converted>()
  const chain = newChain()
  const payoutsAsked = new Map<string, number>()
  let isCalm = false

  const bookOf = (id: string): Book => {
    let book = books.get(id)
    if (book === undefined) {
      book = {
        authorizedCents: 0,
        capturedCents: 0,
        isVoided: false,
        isReversed: false,
        authorizations: new Set(),
        refunds: new Map(),
      }
      books.set(id, book)
    }
    return book
  }

  /** Now and then it says nothing, or says it late, by the amount and how often it was asked; what it did it did once. */
  const payOut = async (request: PayoutRequest): Promise<Heard> => {
    const { reference, amountCents } = request
    if ((payouts.get(reference) ?? amountCents) !== amountCents || amountCents <= 0)
      complaints.push(`${reference} pays ${amountCents} after ${payouts.get(reference)}`)
    const times = (payoutsAsked.get(reference) ?? 0) + 1
    payoutsAsked.set(reference, times)
    const whim = isCalm || times > 1 ? 0 : amountCents % 7
    if (whim === 3) return { answer: { type: 'SILENT' }, when: 'now' }
    const answer = await askSandbox(request)
    if (answer.type === 'DONE') payouts.set(reference, amountCents)
    if (whim === 4) return { answer: { type: 'SILENT' }, when: 'now' }
    return { answer, when: whim === 5 ? 'later' : whim === 6 ? 'thrice' : 'now' }
  }

  const ask = async (request: ProviderCallRequest): Promise<Heard> => {
    if (isPayout(request)) return payOut(request)
    if (request.operation === 'FIND_KEY') throw new Error('no story looks a key up')
    const { reference } = request
    const question = questionOf(request)
    if ((asked.get(reference) ?? question) !== question)
      complaints.push(`${reference} was ${asked.get(reference)}, and is ${question}`)
    asked.set(reference, question)
    const planned = isCalm ? undefined : plans.get(subjectOf(reference))?.shift()
    if (planned === 'lost') return { answer: silent, when: 'now' }
    if ('onlyInquires' in request && !decided.has(reference)) decided.set(reference, refusalOf(request))
    if (planned === 'pending' && !decided.has(reference)) return { answer: { type: 'PENDING' }, when: 'now' }
    const answer = decided.get(reference) ?? (await decide(request, planned === 'refused'))
    switch (planned) {
      case 'silent':
        return { answer: silent, when: 'now' }
      case 'late silent':
        return { answer: silent, when: 'later' }
      case 'late':
        return { answer, when: 'later' }
      case 'thrice':
        return { answer, when: 'thrice' }
      default:
        return { answer, when: 'now' }
    }
  }

  const decide = async (request: Decided, isRefused: boolean): Promise<AnyAnswer> => {
    const { operation, reference } = request
    // Taking back what is not there is done: an acquirer has no reason to refuse it.
    const mayRefuse = operation !== 'REVERSE'
    const answer =
      mayRefuse && (isRefused || !isPossible(request)) ? refusalOf(request) : await askSandboxAny(request)
    if (answer.type === 'DONE' || answer.type === 'SENT' || answer.type === 'CONFIRMED') carryOut(request)
    // A network drops what it has not confirmed.
    if (answer.type === 'REFUSED') sentUnits.delete(reference)
    if (isDecisive(answer)) decided.set(reference, answer)
    return answer
  }

  /** What an acquirer that keeps its own books refuses. */
  const isPossible = (request: Decided): boolean => {
    if (!isAboutCharge(request)) return true
    const { operation, transactionId, amountCents, rail } = request
    const book = bookOf(transactionId)
    switch (operation) {
      case 'AUTHORIZE':
        return !book.isReversed
      case 'REFUND':
        return rail === 'PIX' || refundedBy(book) + amountCents <= book.capturedCents
      default:
        return true
    }
  }

  const carryOut = (request: Decided): void => {
    switch (request.operation) {
      case 'SEND_TRANSFER':
        sent.set(request.reference, request.amountCents)
        return
      case 'CONVERT': {
        const { fromCents, toCents } = request
        converted.set(request.reference, { fromCents, toCents })
        return
      }
      case 'SEND':
        sentUnits.set(request.reference, request.units)
        return
      case 'QUOTE':
        return
      default:
        if ('transactionId' in request) carryOutOf(request)
    }
  }

  const carryOutOf = ({
    operation,
    transactionId,
    amountCents,
    card,
    reference,
  }: Pick<ProviderRequest, 'operation' | 'transactionId' | 'amountCents' | 'card' | 'reference'>): void => {
    const book = bookOf(transactionId)
    switch (operation) {
      case 'AUTHORIZE':
        book.authorizations.add(reference)
        book.authorizedCents = amountCents
        if (card!.captures) book.capturedCents = amountCents
        return
      case 'CAPTURE':
        if (book.isVoided || book.capturedCents > 0 || amountCents > book.authorizedCents)
          complaints.push(`${reference} captures ${amountCents} of ${bookText(book)}`)
        book.capturedCents = amountCents
        return
      case 'VOID':
        if (book.capturedCents > 0) complaints.push(`${reference} voids ${bookText(book)}`)
        book.isVoided = true
        return
      case 'REFUND':
        book.refunds.set(reference, amountCents)
        return
      case 'REVERSE':
        book.isReversed = true
        book.capturedCents = 0
        return
    }
  }

  const observe = (entry: FlushedEntry): void => {
    const { steps } = entry
    chain.observe(entry)
    for (const { event, after } of steps) {
      if (event.actor !== 'transaction') continue
      if (event.type === 'TransactionSeeded') {
        const { amountCents, paidCents } = after as Transaction
        const card = cardOf(after as Transaction)
        const book = bookOf(event.id)
        book.authorizedCents = card?.authorizedAtMs == null ? 0 : amountCents
        book.capturedCents = card === null ? 0 : paidCents
        continue
      }
      if (event.by.kind !== 'SANDBOX' || !('callId' in event) || event.callId === null) continue
      const { callId: reference, id: transactionId } = event
      const { amountCents } = after as Transaction
      const card = cardOf(after as Transaction)
      const book = bookOf(transactionId)
      switch (event.type) {
        case 'CardApproved':
        case 'CardAuthorized':
          decided.set(reference, done)
          carryOutOf({ operation: 'AUTHORIZE', transactionId, amountCents, card, reference })
          break
        case 'CardDeclined':
        case 'ChargeRefused':
          decided.set(reference, silent)
          book.authorizedCents = 0
          book.capturedCents = 0
          break
        case 'RefundCompleted':
          decided.set(reference, done)
          book.refunds.set(reference, event.reversal.amountCents)
          break
        case 'RefundFailed':
          decided.set(reference, silent)
          book.refunds.delete(reference)
          break
        default:
      }
    }
  }

  return {
    plan: (id, answers) => {
      plans.set(id, [...(plans.get(id) ?? []), ...answers])
    },
    calm: () => {
      isCalm = true
    },
    ask,
    payouts,
    sent,
    sentUnits,
    converted,
    chain,
    observe,
    bookOf,
    complaints,
  }
}

export const refundedBy = ({ refunds }: Book): number =>
  [...refunds.values()].reduce((sum, cents) => sum + cents, 0)

const bookText = ({ authorizedCents, capturedCents, isVoided }: Book): string =>
  `${authorizedCents} authorized, ${capturedCents} captured${isVoided ? ', voided' : ''}`

const silent: ProviderAnswer = { type: 'SILENT' }

const done: ProviderAnswer = {
  type: 'DONE',
  evidence: {
    nsu: null,
    tid: null,
    authorizationCode: null,
    returnCode: '00',
    message: 'decided by the Sandbox',
  },
}

const isDecisive = ({ type }: AnyAnswer): boolean =>
  type === 'DONE' || type === 'CONFIRMED' || type === 'REFUSED'

/** The same for every try of a call. */
const questionOf = (request: Decided): string => {
  const { operation } = request
  switch (operation) {
    case 'SEND_TRANSFER':
      return `${operation} ${request.amountCents}`
    case 'CONVERT':
      return `${operation} ${request.fromCents} ${request.toCents}`
    case 'SEND':
      return `${operation} ${request.units} ${request.address}`
    case 'QUOTE':
      return `${operation} ${request.fromCurrency} ${request.toCurrency}`
    case 'MANDATE_CREATE':
    case 'MANDATE_CANCEL':
    case 'SCHEDULE':
    case 'RESCHEDULE':
    case 'UNSCHEDULE':
      return `${request.mandateId} ${operation} ${request.amountCents}`
    case 'RETURN_SUSPENSE':
      return `${request.suspenseId} ${operation} ${request.amountCents}`
    default:
      return `${request.transactionId} ${operation} ${request.amountCents}`
  }
}

/** What a call is about: its reference begins with it. */
const subjectOf = (reference: string): string => reference.slice(0, reference.indexOf('.'))

const isAboutCharge = (request: Decided): request is ProviderRequest => 'transactionId' in request

/** Each reason comes up, by the amount. */
const refusalOf = (request: Decided): AnyAnswer => {
  const error = { reason: 'ERROR', message: 'refused by the story' } as const
  if (request.operation === 'SEND_TRANSFER') return { type: 'REFUSED', code: 'AC07' }
  if (request.operation !== 'AUTHORIZE') return { type: 'REFUSED', refusal: error }
  const declined = {
    reason: 'DECLINED',
    failureReason: 'INSUFFICIENT_FUNDS',
    retryable: true,
    code: '51',
    message: 'declined',
    nsu: null,
    tid: null,
  } as const
  const antifraud = { reason: 'ANTIFRAUD', message: 'too good to be true' } as const
  return { type: 'REFUSED', refusal: [error, declined, antifraud][request.amountCents % 3]! }
}
