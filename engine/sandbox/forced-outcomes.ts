import type { Outcomes } from '../payments/forced-outcomes.ts'
import type { Payer } from '../payments/methods/pix/pix.ts'
import { environmentOf } from '../shared/ids.ts'
import { scenarioIn, scenarioOf, transferScenarioOf, triggerDocuments } from './scenarios.ts'

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
  lacksFunds: (transfer) => transferScenarioOf(transfer) === 'transfer_insufficient',
  needsFunds: (accountId) => environmentOf(accountId) === 'PRODUCTION',
  payerOf: (charge) => payerOf(charge),
}

/** The payer of a Sandbox payment that names none. */
export const testPayer: Payer = {
  name: 'Pagador de Teste',
  document: '12345678909',
  documentType: 'CPF',
  ispb: '00000000',
  bankName: 'Banco do Brasil S.A.',
}

/** The payer of Sandbox payments is the customer, unless the request or a trigger document says otherwise. */
const payerOf: Outcomes['payerOf'] = (charge) => {
  const customer = charge?.customer ?? null
  if (charge === null || customer === null) return testPayer
  const { accountId, details } = charge
  const scenario = scenarioOf({ accountId, metadata: details.metadata, card: null })
  if (scenario === null && customer.document === triggerDocuments.paidByThirdParty) return testPayer
  const { name, document, documentType } = customer
  return document ? { ...testPayer, name, document, documentType } : { ...testPayer, name }
}
