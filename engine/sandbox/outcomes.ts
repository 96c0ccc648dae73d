import type { Payer } from '../payments/methods/pix/pix.ts'
import type { Outcomes } from '../payments/outcomes.ts'
import { readDocument } from '../shared/documents.ts'
import { environmentOf } from '../shared/ids.ts'
import type { Customer } from '../shared/party.ts'
import { scenarioIn, scenarioOf, triggerDocuments } from './scenarios.ts'

/** The outcomes of both environments: those of Production are never forced. */
export const outcomes: Outcomes = {
  // A scenario of the metadata comes before what the document would do (decisions, section 29).
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

/** Whoever pays in the Sandbox is the customer, unless the request or the customer's document says otherwise. */
const payerOf = (customer: Customer | null): Payer => {
  const bank = { ispb: '00000000', bankName: 'Banco do Brasil S.A.' }
  const isThirdParty = customer?.document === triggerDocuments.paidBySomebodyElse
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
