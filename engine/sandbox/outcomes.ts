import type { Payer } from '../payments/methods/pix/pix.ts'
import type { Outcomes } from '../payments/outcomes.ts'
import type { Customer } from '../shared/customer.ts'
import { readDocument } from '../shared/documents.ts'
import { environmentOf } from '../shared/ids.ts'
import { scenarioIn, scenarioOf, triggerDocuments } from './scenarios.ts'

/** Outcomes for both environments: in Production none is ever forced. */
export const outcomes: Outcomes = {
  // A scenario in the metadata takes precedence over the document's trigger (decisions, section 29).
  refusesRegistration: ({ accountId, metadata, customer, method }) => {
    const scenario = scenarioOf({ accountId, metadata, card: null })
    if (scenario !== null) return scenario === 'provider_error'
    const isTrigger = method === 'BOLETO' && customer?.document === triggerDocuments.boletoRefused
    return isTrigger && environmentOf(accountId) === 'SANDBOX'
  },
  refusesPayment: (transaction) => scenarioIn(transaction) === 'never_paid',
  refusesRefund: (transaction) => scenarioIn(transaction) === 'insufficient_balance',
  needsFunds: (accountId) => environmentOf(accountId) === 'PRODUCTION',
  payerOf: (customer) => payerOf(customer),
}

/** The payer of Sandbox payments is the customer, unless the request or a trigger document says otherwise. */
const payerOf = (customer: Customer | null): Payer => {
  const bank = { ispb: '00000000', bankName: 'Banco do Brasil S.A.' }
  const isThirdParty = customer?.document === triggerDocuments.paidByThirdParty
  if (customer?.document && !isThirdParty) {
    return { name: customer.name, document: customer.document, documentType: customer.documentType, ...bank }
  }
  const { document, documentType } = readDocument('12345678909')!
  return {
    name: customer && !isThirdParty ? customer.name : 'Pagador de Teste',
    document,
    documentType,
    ...bank,
  }
}
