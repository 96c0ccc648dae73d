import Type from 'typebox'
import { isActive } from '../../../../engine/companies/company.ts'
import { barCodeCentsMax } from '../../../../engine/payments/methods/boleto/bar-code.ts'
import { readDate } from '../../../../engine/shared/calendar.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { boleto } from '../../../resources/payments/boleto.ts'
import { customerInput } from '../../../resources/payments/customer.ts'
import { namedObject } from '../../../schema/named-schema.ts'
import { amount, documentField, textUpTo, wholeNumber } from '../../../schema/schema.ts'
import {
  alsoNeeds,
  type ChargeInput,
  chargeFields,
  createChargeCommand,
  exactlyOneCustomer,
  readCharge,
  refusedField,
  scannableResponse,
  splitField,
} from '../../charge-input.ts'
import { boletoWrites } from '../../groups.ts'

/** Boletos are only registered with the payer's document. */
const payer = namedObject('BoletoCustomerInput', 'The payer.', {
  ...customerInput.properties,
  document: documentField,
})

const bps = (description: string) =>
  Type.Optional(wholeNumber(0, bounds.boletoBpsMax, `${description} 100 is 1 %.`))

export const createBoletoRoute = commandRoute({
  ...boletoWrites,
  path: '/v1/boletos',
  operationId: 'createBoleto',
  isAudited: false,
  summary: 'Create a boleto',
  description:
    'Registers a boleto that can be paid at any bank and, where the company has PIX, by its QR code, whose image is in the answer. A boleto that the bank refuses to register is answered with 201 and the status REJECTED.',
  alsoNeeds,
  status: 201,
  body: Type.Object({
    amount: amount(barCodeCentsMax, 'What the payer pays in time.'),
    ...chargeFields,
    customer: Type.Optional(payer),
    ...splitField,
    dueDate: Type.String({ format: 'date', description: 'Today or later, at most five years ahead.' }),
    interestBps: bps('Interest a month of 30 days after the due date, in basis points.'),
    fineBps: bps('Fine after the due date, in basis points.'),
    discountAmount: Type.Optional(
      amount(barCodeCentsMax, 'Taken off until the due date; less than `amount`.', { min: 0 }),
    ),
    instructions: Type.Optional(
      textUpTo(bounds.instructionsCharsMax, 'Printed on the boleto.', { multiline: true }),
    ),
  }),
  rules: exactlyOneCustomer,
  answer: boleto.schema,
  read: (body) => {
    if (body.customer === undefined && body.customerId === undefined)
      return refusedField('customer', 'REQUIRED', (say) => say.oneOfTwo('customer', 'customerId'))
    const discountCents = toCents(Number(body.discountAmount ?? 0))
    if (discountCents >= Number(body.amount))
      return refusedField('discountAmount', 'OUT_OF_RANGE', (say) => say.lessThan('discountAmount', 'amount'))
    return readCharge(body, {
      method: 'BOLETO',
      dueDate: readDate(body.dueDate)!,
      interestBps: body.interestBps ?? 0,
      fineBps: body.fineBps ?? 0,
      discountCents,
      instructions: body.instructions?.trim() ?? null,
      withPix: false,
    })
  },
  command: (input, request) => createChargeCommand(withPix(input, request), request.origin, request),
  view: (reply, _, request) => scannableResponse(boleto.view, reply, request, '/v1/boletos'),
})

const withPix = (input: ChargeInput, { company, environment }: Parameters<typeof createChargeCommand>[2]) => {
  const { terms } = input
  if (terms.method !== 'BOLETO' || !isActive(company, environment, 'PIX')) return input
  return { ...input, terms: { ...terms, withPix: true } }
}
