import Type, { type Static } from 'typebox'
import type { CreateCharge } from '../../engine/payments/transaction/commands.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { dateIn } from '../../engine/shared/calendar.ts'
import { type CustomerId, newId, type SplitRuleId } from '../../engine/shared/ids.ts'
import type { ChargeOrigin } from '../../engine/shared/method.ts'
import { toCents } from '../../engine/shared/money.ts'
import type { Product } from '../../engine/shared/product.ts'
import type { Accepted, JsonView, Read, RequestContext } from '../api/route.ts'
import type { Text } from '../problems/messages/text.ts'
import type { FieldError } from '../problems/problem.ts'
import { type DetailsBody, detailsInput, readDetails } from '../resources/payments/charge-details.ts'
import { customerInput, readCustomer } from '../resources/payments/customer.ts'
import { fiscalDocumentsInput, fiscalPayeeOf } from '../resources/payments/fiscal.ts'
import { qrCodeView } from '../resources/payments/pix-charge.ts'
import type { Today } from '../resources/payments/transaction.ts'
import { exactlyOneOf, onlyOneOf } from '../schema/rules.ts'
import { idParameter } from '../schema/schema.ts'

/** A charge as read from its body. The order of keys is fixed, because the idempotency fingerprint covers them. */
export type ChargeInput = Pick<
  CreateCharge,
  'amountCents' | 'details' | 'customer' | 'customerId' | 'splitRuleId' | 'terms' | 'fiscalDocuments'
>

/** The field of charges that can be divided, which are all but deposits. */
export const splitField = {
  splitRuleId: Type.Optional(
    idParameter('Divides the payment by this rule, as it is now. Needs the product SPLIT.'),
  ),
}

/** The products that a charge needs in addition to its own. */
export const alsoNeeds = ({ splitRuleId }: ChargeInput): readonly Product[] =>
  splitRuleId === null ? none : splits

const none: readonly Product[] = []
const splits: readonly Product[] = ['SPLIT']

/** The fields that charges of every method take. */
export const chargeFields = {
  ...detailsInput,
  customer: Type.Optional(customerInput),
  customerId: Type.Optional(idParameter('A registered customer, instead of `customer`.')),
  fiscalDocuments: Type.Optional(fiscalDocumentsInput),
}

/** Rules between fields for the document (`Route.rules`). */
export const eitherCustomer = onlyOneOf('customerId', 'customer')
export const exactlyOneCustomer = exactlyOneOf('customerId', 'customer')

export type ChargeBody = DetailsBody & {
  readonly amount: number | string
  readonly customer?: Static<typeof customerInput>
  readonly customerId?: string
  readonly splitRuleId?: string
  readonly fiscalDocuments?: readonly string[]
}

/** Reads what charges of every method share. The schema has already accepted every field. */
export const readCharge = (body: ChargeBody, terms: CreateCharge['terms']): Read<ChargeInput> => {
  if (body.customer !== undefined && body.customerId !== undefined)
    return refusedField('customerId', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('customer', 'customerId'))
  return {
    ok: true,
    input: {
      amountCents: toCents(Number(body.amount)),
      details: readDetails(body),
      customer: body.customer ? readCustomer(body.customer) : null,
      customerId: (body.customerId as CustomerId | undefined) ?? null,
      terms,
      splitRuleId: (body.splitRuleId as SplitRuleId | undefined) ?? null,
      // Left out where there are none: fingerprints of before they could be sent stay as they were.
      ...(body.fiscalDocuments?.length && { fiscalDocuments: body.fiscalDocuments }),
    },
  }
}

/** The command that creates a charge, under a new id. */
export const createChargeCommand = (
  input: ChargeInput,
  origin: ChargeOrigin,
  request: RequestContext,
): CreateCharge => ({
  type: 'CreateCharge',
  accountId: request.accountId,
  by: request.by,
  transactionId: newId('txn', request.atMs, request.entropy),
  origin,
  amountCents: input.amountCents,
  details: input.details,
  customer: input.customer,
  customerId: input.customerId,
  collects: null,
  splitRuleId: input.splitRuleId,
  fiscalDocuments: input.fiscalDocuments,
  terms: input.terms,
})

/** Refuses one field of a body or query. */
export const refusedField = (field: string, code: FieldError['code'], message: Text) =>
  ({ ok: false, errors: [{ field, code, message }] }) as const

/** Today's date in the company's time zone, at an instant of its environment, and who takes its money. */
export const todayOf = (
  { company, directory }: RequestContext,
  { nowMs }: { readonly nowMs: number },
): Today => ({
  date: dateIn(company.timeZone, nowMs),
  nowMs,
  payee: fiscalPayeeOf(directory, company.id),
})

/** Answers with the transaction after a command; `path` is for the `Location` of a new one. */
export const transactionResponse = (
  view: (transaction: Transaction, today: Today) => object,
  reply: Accepted<Transaction>,
  request: RequestContext,
  path?: string,
): JsonView => {
  const body = view(reply.state, todayOf(request, reply))
  return path === undefined ? { body } : { location: `${path}/${reply.state.id}`, body }
}

/** Answers with a new charge and the image of its QR code, which a minimal answer does not hold. */
export const scannableResponse = (
  view: (transaction: Transaction, today: Today) => object,
  reply: Accepted<Transaction>,
  request: RequestContext,
  path: string,
): JsonView => {
  const response = transactionResponse(view, reply, request, path)
  if (!request.prefersMinimal) Object.assign(response.body, qrCodeView(reply.state))
  return response
}
