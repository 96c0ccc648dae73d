import type { RailConnection } from '../../connections/rail-connection.ts'
import type { LinkedCustomer } from '../../customers/link.ts'
import type { Context } from '../../kernel/context.ts'
import { type Decision, reject } from '../../kernel/decision.ts'
import type { Account } from '../../ledger/account.ts'
import type { FeeTerms } from '../../ledger/fees.ts'
import type { SettledAt } from '../../ledger/receivables.ts'
import type { Split } from '../../ledger/split.ts'
import type { ConnectionId } from '../../shared/ids.ts'
import type { Currency, Method } from '../../shared/method.ts'
import type { CreateCharge, TransactionCommand } from './commands.ts'
import type { ChargeCreated, ChargeRefused, Fact, TransactionFact } from './facts.ts'
import type { Means, ProviderCall, ProviderOperation, Transaction, TransactionStatus } from './transaction.ts'

/** What a transaction's decider knows besides the transaction: its neighbours, time and randomness. */
export type ChargeContext = {
  /** The members that all facts of the turn share. */
  readonly fact: Omit<Fact<string>, 'type'>
  readonly account: Account
  readonly context: Context
  readonly settledAt: SettledAt
  /** The payer of a new charge and their entry in the register. */
  readonly payer: LinkedCustomer
  /** How a new charge is divided. */
  readonly split: Split | null
  /** The provider of a new charge; null when changing an existing one. */
  readonly providerId: string | null
  /** The account's connection that takes a new charge; null where the environment's own provider does, and when changing an existing one. */
  readonly connection: RailConnection | null
  /** The connection by which money came without a charge; null for every other charge. */
  readonly connectionId?: ConnectionId | null
  /** Whether a PIX is known, for a charge or without one. */
  readonly isReceived: (endToEndId: string) => boolean
}

export type TransactionDecision = Decision<TransactionFact>

/** Decides a command about a transaction, which may be missing, because ids come from outside. */
export type ChargeDecider<Decided> = (
  transaction: Transaction | undefined,
  command: Decided,
  chargeContext: ChargeContext,
) => TransactionDecision

/** Decides a command about a transaction that exists. */
export type ExistingChargeDecider<Decided> = (
  transaction: Transaction,
  command: Decided,
  chargeContext: ChargeContext,
) => TransactionDecision

/** A decider per command. */
export type ChargeDeciders<Commands extends TransactionCommand> = {
  readonly [Type in Commands['type']]: ChargeDecider<Extract<Commands, { readonly type: Type }>>
}

/** A decider for commands about an existing transaction; refuses with NOT_FOUND when there is none. */
export const onExisting =
  <Decided>(decide: ExistingChargeDecider<Decided>): ChargeDecider<Decided> =>
  (transaction, command, chargeContext) =>
    transaction === undefined ? rejectNotFound() : decide(transaction, command, chargeContext)

/** The first fact of a charge, whatever its method. Its members are listed, because spreading costs what deciding does. */
export const chargeCreated = (
  command: Pick<CreateCharge, 'origin' | 'amountCents' | 'details' | 'collects' | 'fiscalDocuments'> & {
    readonly terms: { readonly method: Method }
  },
  { fact, account, payer, split, providerId, connection, connectionId }: ChargeContext,
  means: Means,
  feeTerms: FeeTerms,
  currency: Currency = 'BRL',
): ChargeCreated => ({
  actor: fact.actor,
  type: 'ChargeCreated',
  id: fact.id,
  by: fact.by,
  atMs: fact.atMs,
  charge: {
    accountId: account.id,
    method: command.terms.method,
    origin: command.origin,
    currency,
    amountCents: command.amountCents,
    feeTerms,
    details: command.details,
    customer: payer.customer,
    customerId: payer.customerId,
    subscriptionId: command.collects?.subscriptionId ?? null,
    invoiceId: command.collects?.invoiceId ?? null,
    ...(command.fiscalDocuments && { fiscalDocuments: command.fiscalDocuments }),
    attempt: command.collects?.attempt ?? null,
    split,
    providerId: providerId!,
    connectionId: connection?.connectionId ?? connectionId ?? null,
    means,
  },
})

/** The fact that the institution refuses to register the new charge; null when it registers it. */
export const registrationRefused = (
  { accountId, details: { metadata } }: CreateCharge,
  method: 'PIX' | 'BOLETO',
  { fact, context, payer: { customer } }: ChargeContext,
): ChargeRefused | null =>
  context.institution.outcomes.refusesRegistration({ accountId, metadata, customer, method })
    ? {
        type: 'ChargeRefused',
        failureReason: 'REGISTRATION_REJECTED',
        failureDetail: null,
        callId: null,
        ...fact,
      }
    : null

/** A new intent. Its id follows from the next version, so that replaying gives the same. */
export const newCall = (
  version: number,
  call: Pick<ProviderCall, 'operation' | 'amountCents'> &
    Partial<Pick<ProviderCall, 'refundId' | 'receivedPixId' | 'reason' | 'idempotency'>>,
  { fact }: ChargeContext,
): ProviderCall => ({
  id: `${fact.id}.${version}`,
  refundId: null,
  receivedPixId: null,
  reason: null,
  idempotency: null,
  openedAtMs: fact.atMs,
  unanswered: 0,
  dueAtMs: null,
  ...call,
})

/** Refuses with NOT_FOUND for this resource. */
export const rejectNotFound = (resource = 'transaction'): TransactionDecision =>
  reject({ reason: 'NOT_FOUND', resource })

/** Refuses with INVALID_STATE, naming the current status and the allowed ones. */
export const invalidState = (
  { status }: { readonly status: string },
  allowedStatuses: readonly string[],
): TransactionDecision => reject({ reason: 'INVALID_STATE', currentStatus: status, allowedStatuses })

/** Refuses other changes while a call is under way whose answer decides about the charge; null otherwise. */
export const inProgress = (transaction: Transaction): TransactionDecision | null => {
  const call = transaction.calls.find(({ operation }) => !harmless.includes(operation))
  if (call === undefined) return null
  const { operation } = call
  return reject({ reason: 'OPERATION_IN_PROGRESS', currentStatus: transaction.status, operation })
}

/** What goes back leaves the charge as it is, and so does a look at it. */
const harmless: readonly ProviderOperation[] = ['REFUND', 'RETURN', 'READ_CHARGE', 'DEFEND_MED']

export const cancellable: readonly TransactionStatus[] = ['CREATED', 'PENDING', 'AUTHORIZED']
