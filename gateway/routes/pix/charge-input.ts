import type { Static } from 'typebox'
import { readDate, readInstant } from '../../../engine/calendar.ts'
import type { CreateCharge } from '../../../engine/commands.ts'
import { readDocument, readEmail, readPhone } from '../../../engine/documents.ts'
import { newId } from '../../../engine/ids.ts'
import { toCents } from '../../../engine/money.ts'
import type { Customer, Metadata, Origin } from '../../../engine/transaction/transaction.ts'
import type { RequestContext } from '../../http/route.ts'
import type { customer } from '../../http/schema.ts'

/** A charge as its body means it. Its keys always stand in this order: the idempotency fingerprint is over them. */
export type ChargeInput = Pick<
  CreateCharge,
  'amountCents' | 'description' | 'reference' | 'externalId' | 'customer' | 'metadata' | 'terms'
>

/** What charges and deposits have in common; the schema has already said yes to every field. */
export const readCharge = (body: {
  amount: number | string
  description?: string
  reference?: string
  externalId?: string
  customer?: Static<typeof customer>
  metadata?: Metadata
  expiresInSeconds?: number
  dueDate?: string
}): ChargeInput => ({
  amountCents: toCents(Number(body.amount)),
  description: body.description?.trim() ?? null,
  reference: body.reference?.trim() ?? null,
  externalId: body.externalId?.trim() ?? null,
  customer: body.customer ? readCustomer(body.customer) : null,
  metadata: sorted(body.metadata ?? {}),
  terms: {
    method: 'PIX',
    // The default is the engine's to know; here it only has to read the same whether given or left out.
    expiresInSeconds: body.expiresInSeconds ?? (body.dueDate === undefined ? defaultExpirySeconds : null),
    due: body.dueDate === undefined ? null : readDue(body.dueDate),
  },
})

export const createChargeCommand = (
  input: ChargeInput,
  origin: Origin,
  request: RequestContext,
): CreateCharge => ({
  type: 'CreateCharge',
  accountId: request.accountId,
  by: request.by,
  transactionId: newId('txn', request.atMs, request.entropy),
  origin,
  amountCents: input.amountCents,
  description: input.description,
  reference: input.reference,
  externalId: input.externalId,
  customer: input.customer,
  metadata: input.metadata,
  terms: input.terms,
})

const defaultExpirySeconds = 3600

const readCustomer = (body: Static<typeof customer>): Customer => {
  const document = body.document === undefined ? null : readDocument(body.document)
  return {
    name: body.name.trim(),
    document: document?.document ?? null,
    documentType: document?.documentType ?? null,
    email: body.email === undefined ? null : readEmail(body.email),
    phone: body.phone === undefined ? null : readPhone(body.phone),
  }
}

const readDue = (text: string): CreateCharge['terms']['due'] => {
  const date = readDate(text)
  return date === null ? { instantMs: readInstant(text)! } : { date }
}

const sorted = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)))
