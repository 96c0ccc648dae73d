import Type, { type Static } from 'typebox'
import type { Payer } from '../../../../engine/payments/methods/pix/pix.ts'
import { testPayer } from '../../../../engine/sandbox/forced-outcomes.ts'
import { readDocument } from '../../../../engine/shared/documents.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { sandboxPsp } from '../../../providers/sandbox-psp/adapter.ts'
import { pixCharge } from '../../../resources/payments/pix-charge.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { described, namedObject } from '../../../schema/named-schema.ts'
import { amount, choice, textUpTo } from '../../../schema/schema.ts'
import { transactionResponse } from '../../charge-input.ts'
import { deliverNotice, sandboxRoute, unspecifiedPayment } from './sandbox-route.ts'

const payer = namedObject('PayerInput', 'Who pays. By default the customer of the charge.', {
  name: Type.Optional(textUpTo(bounds.nameCharsMax, 'Who pays.')),
  document: Type.Optional(Type.String({ format: 'cpf-cnpj', description: 'CPF or CNPJ of who pays.' })),
  ispb: Type.Optional(
    described(
      choice('00000000', '60746948', '60701190', '18236120'),
      'ISPB of the payer’s bank. Default 00000000, Banco do Brasil.',
    ),
  ),
})

export const paySandboxChargeRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/pix/charges/:id/pay',
  operationId: 'paySandboxPixCharge',
  summary: 'Pay a PIX charge',
  description:
    'Pays a PIX charge or deposit. A second payment, or one that comes too late, is returned: see the list of received PIX.',
  refusals: [403, 404, 409, 422],
  body: Type.Object({
    payer: Type.Optional(payer),
    amount: Type.Optional(
      amount(bounds.amountCentsMax, 'By default the amount of the charge, less the tax that is withheld.'),
    ),
    taxesWithheldAmount: Type.Optional(
      amount(
        bounds.amountCentsMax,
        'Withheld as tax on the way: less than the amount of the charge arrives, and it is paid all the same.',
      ),
    ),
  }),
  answer: pixCharge.schema,
  read: (body) => ({
    payer: readPayer(body.payer),
    amountCents: body.amount === undefined ? null : toCents(Number(body.amount)),
    ...(body.taxesWithheldAmount !== undefined && {
      taxWithheldCents: toCents(Number(body.taxesWithheldAmount)),
    }),
  }),
  command: (input, request) => {
    const pays = { kind: 'CHARGE', id: request.id as TransactionId } as const
    const { accountId } = request
    return deliverNotice(
      sandboxPsp,
      { kind: 'PIX_IN', accountId, pays, ...unspecifiedPayment, ...input },
      request,
    )
  },
  view: (reply, _, request) => transactionResponse(pixCharge.view, reply, request),
})

export const receiveSandboxPixRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/pix/received',
  operationId: 'receiveSandboxPix',
  summary: 'Receive a PIX',
  description:
    'Receives a PIX that was sent to the company’s key without a charge. It becomes a transaction of its own, which is APPROVED at once.',
  status: 201,
  body: Type.Object({ amount: amount(bounds.amountCentsMax, 'What arrives.'), payer: Type.Optional(payer) }),
  answer: transaction.schema,
  read: (body) => ({ payer: readPayer(body.payer), amountCents: toCents(Number(body.amount)) }),
  command: (input, request) => {
    const { accountId } = request
    return deliverNotice(
      sandboxPsp,
      { kind: 'PIX_IN', accountId, pays: null, ...unspecifiedPayment, ...input },
      request,
    )
  },
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request, '/v1/transactions'),
})

const banks: Readonly<Record<string, string>> = {
  '00000000': 'Banco do Brasil S.A.',
  '60746948': 'Banco Bradesco S.A.',
  '60701190': 'Itaú Unibanco S.A.',
  '18236120': 'Nu Pagamentos - IP',
}

const readPayer = (body: Static<typeof payer> | undefined): Payer | null => {
  if (body === undefined) return null
  const { document, documentType } = body.document === undefined ? testPayer : readDocument(body.document)!
  const ispb = body.ispb ?? testPayer.ispb
  return {
    name: body.name?.trim() ?? testPayer.name,
    document,
    documentType,
    ispb,
    bankName: banks[ispb]!,
  }
}
