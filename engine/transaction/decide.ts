import type { Account } from '../account/account.ts'
import { unreachable } from '../assert.ts'
import type {
  CancelCharge,
  CreateCharge,
  ExpireCharge,
  ReceivePix,
  ReceiveUnrequestedPix,
} from '../commands.ts'
import { type Context, contextId } from '../context.ts'
import { accept, type Decision, reject } from '../decision.ts'
import { readDocument } from '../documents.ts'
import { randomAlphanumerics, type TransactionId } from '../ids.ts'
import { issuePix, pixFee, pixValidity, settledReceivable } from '../methods/pix/charge.ts'
import { endToEndId } from '../methods/pix/end-to-end-id.ts'
import type { Cents } from '../money.ts'
import type { ChargeCreated, TransactionEvent } from './events.ts'
import type {
  Actor,
  Customer,
  Origin,
  Payer,
  PixPayment,
  ReturnReason,
  Transaction,
  TransactionStatus,
} from './transaction.ts'

export type TransactionCommand =
  | CreateCharge
  | ReceivePix
  | ReceiveUnrequestedPix
  | CancelCharge
  | ExpireCharge
type TransactionDecision = Decision<TransactionEvent>

/** What a transaction answers to a command: refusals first, in order of precedence. */
export const decideTransaction = (
  transaction: Transaction | undefined,
  command: TransactionCommand,
  account: Account,
  context: Context,
): TransactionDecision => {
  switch (command.type) {
    case 'CreateCharge':
      return createCharge(command, account, context)
    case 'ReceivePix':
      return receivePix(transaction, command, account, context)
    case 'ReceiveUnrequestedPix':
      return receiveUnrequestedPix(command, account, context)
    case 'CancelCharge':
      return cancelCharge(transaction, command, context)
    case 'ExpireCharge':
      return expireCharge(transaction, command, context)
    default:
      return unreachable(command)
  }
}

const createCharge = (command: CreateCharge, account: Account, context: Context): TransactionDecision => {
  const validity = pixValidity(command.terms, context.nowMs, account.profile.timeZone)
  if (!validity.ok) return reject({ reason: validity.reason })
  const { type, dueDate, expiresInSeconds } = validity.pix
  const created: ChargeCreated = {
    actor: 'transaction',
    type: 'ChargeCreated',
    id: command.transactionId,
    by: command.by,
    atMs: context.nowMs,
    charge: {
      accountId: account.id,
      method: 'PIX',
      origin: command.origin,
      amountCents: command.amountCents,
      description: command.description,
      reference: command.reference,
      externalId: command.externalId,
      customer: command.customer,
      metadata: command.metadata,
      pix: {
        txid: null,
        copyPaste: null,
        keyId: account.pixKey.id,
        type,
        dueDate,
        expiresInSeconds,
        payment: null,
      },
    },
  }
  const { actor, id, by, atMs } = created
  if (scenarioOf(command, account) === 'provider_error') {
    const failureReason = 'REGISTRATION_REJECTED'
    return accept<TransactionEvent>(created, { actor, type: 'ChargeRefused', id, by, atMs, failureReason })
  }
  const { txid, copyPaste } = issuePix(type, command.amountCents, account, context)
  const { expiresAtMs } = validity
  return accept<TransactionEvent>(created, {
    actor,
    type: 'ChargeIssued',
    id,
    by,
    atMs,
    txid,
    copyPaste,
    expiresAtMs,
  })
}

const receivePix = (
  transaction: Transaction | undefined,
  command: ReceivePix,
  account: Account,
  context: Context,
): TransactionDecision => {
  if (transaction === undefined) return notFound()
  if (scenarioOf(transaction, account) === 'never_paid')
    return reject({ reason: 'PAYMENT_REFUSED_BY_SCENARIO' })
  if (command.amountCents !== null && command.amountCents !== transaction.amountCents) {
    return reject({ reason: 'AMOUNT_MISMATCH', payableCents: transaction.amountCents })
  }
  const fact = factOf(transaction.id, command.by, context)
  const payment = pixPayment(transaction.customer, command.payer, context)
  if (transaction.status !== 'PENDING') {
    return accept<TransactionEvent>({
      ...fact,
      type: 'PaymentReturned',
      returnReason: returnReasonFor(transaction.status),
      amountCents: transaction.amountCents,
      payment,
    })
  }
  return accept<TransactionEvent>(
    paid(fact, transaction.amountCents, transaction.origin, payment, account, context),
  )
}

const receiveUnrequestedPix = (
  command: ReceiveUnrequestedPix,
  account: Account,
  context: Context,
): TransactionDecision => {
  const fact = factOf(command.transactionId, command.by, context)
  const pix = {
    txid: null,
    copyPaste: null,
    keyId: account.pixKey.id,
    type: 'IMMEDIATE',
    dueDate: null,
    expiresInSeconds: null,
    payment: null,
  } as const
  const created = {
    ...fact,
    type: 'ChargeCreated',
    charge: {
      accountId: account.id,
      method: 'PIX',
      origin: 'DEPOSIT',
      amountCents: command.amountCents,
      description: null,
      reference: null,
      externalId: null,
      customer: null,
      metadata: {},
      pix,
    },
  } as const
  const payment = pixPayment(null, command.payer, context)
  return accept<TransactionEvent>(
    created,
    paid(fact, command.amountCents, 'DEPOSIT', payment, account, context),
  )
}

const cancellable: readonly TransactionStatus[] = ['CREATED', 'PENDING', 'AUTHORIZED']

const cancelCharge = (
  transaction: Transaction | undefined,
  command: CancelCharge,
  context: Context,
): TransactionDecision => {
  if (transaction === undefined) return notFound()
  if (command.family !== null && transaction.origin !== command.family) return notFound()
  if (!cancellable.includes(transaction.status)) return invalidState(transaction, cancellable)
  const fact = factOf(transaction.id, command.by, context)
  return accept<TransactionEvent>({ ...fact, type: 'ChargeCancelled', reason: command.reason })
}

const expireCharge = (
  transaction: Transaction | undefined,
  command: ExpireCharge,
  context: Context,
): TransactionDecision => {
  if (transaction === undefined) return notFound()
  if (transaction.status !== 'PENDING') return invalidState(transaction, ['PENDING'])
  return accept<TransactionEvent>({ ...factOf(transaction.id, command.by, context), type: 'ChargeExpired' })
}

const factOf = (id: TransactionId, by: Actor, context: Context) =>
  ({ actor: 'transaction', id, by, atMs: context.nowMs }) as const

const paid = (
  fact: ReturnType<typeof factOf>,
  amountCents: Cents,
  origin: Origin,
  payment: PixPayment,
  account: Account,
  context: Context,
): TransactionEvent => {
  const feeCents = pixFee(amountCents, origin)
  const receivable = settledReceivable(amountCents, feeCents, account.profile.timeZone, context)
  return { ...fact, type: 'ChargePaid', paidCents: amountCents, feeCents, payment, receivables: [receivable] }
}

const pixPayment = (customer: Customer | null, payer: Payer | null, context: Context): PixPayment => {
  const who = payer ?? sandboxPayer(customer)
  return {
    receivedPixId: contextId(context, 'rpx'),
    endToEndId: endToEndId('E', who.ispb, context.nowMs, randomAlphanumerics(11, context.entropy)),
    payer: who,
    payerMatchesCustomer: customer?.document ? customer.document === who.document : null,
    paidAtMs: context.nowMs,
  }
}

/** Whoever pays in the Sandbox is the customer, unless the request or the customer's document says otherwise. */
const sandboxPayer = (customer: Customer | null): Payer => {
  const bank = { ispb: '00000000', bankName: 'Banco do Brasil S.A.' }
  const somebodyElse = customer?.document === paidBySomebodyElseDocument
  if (customer?.document && !somebodyElse) {
    return { name: customer.name, document: customer.document, documentType: customer.documentType, ...bank }
  }
  const { document, documentType } = readDocument('12345678909')!
  return {
    name: customer && !somebodyElse ? customer.name : 'Pagador de Teste',
    document,
    documentType,
    ...bank,
  }
}

/** A Sandbox customer whose charges somebody else pays (decisions, section 29). */
const paidBySomebodyElseDocument = '00000000353'

const returnReasonFor = (status: TransactionStatus): ReturnReason => {
  if (status === 'EXPIRED') return 'PAID_AFTER_EXPIRY'
  if (status === 'CANCELLED' || status === 'FAILED') return 'PAID_AFTER_CANCELLATION'
  return 'DUPLICATE_PAYMENT'
}

const scenarioOf = (charge: { metadata: Transaction['metadata'] }, account: Account): unknown =>
  account.profile.environment === 'SANDBOX' ? charge.metadata.sandboxScenario : undefined

const notFound = (): TransactionDecision => reject({ reason: 'NOT_FOUND', resource: 'transaction' })

const invalidState = (
  transaction: Transaction,
  allowedStatuses: readonly TransactionStatus[],
): TransactionDecision =>
  reject({ reason: 'INVALID_STATE', currentStatus: transaction.status, allowedStatuses })
