import type { MandateRequest } from '../../engine/billing/mandate/mandate-request.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { ProviderRequest } from '../../engine/payments/provider.ts'
import {
  conversionScenarioOf,
  scenarioOf,
  transferScenarioOf,
  withdrawalScenarioOf,
} from '../../engine/sandbox/scenarios.ts'
import { assert, unreachable } from '../../engine/shared/assert.ts'
import { toCents } from '../../engine/shared/money.ts'
import type {
  CardRefund,
  CardSale,
  NewMandate,
  PixCharge,
  PixReturn,
  ProviderAsk,
  Registered,
  Sale,
} from './port.ts'
import { referenceOf, referenceOfCall } from './references.ts'

/** What a call asks of its connection: the engine's request in the words of the port. */
export const askOf = (
  request: ProviderCallRequest,
  connectionId: string,
  answerWithinMs: number,
): ProviderAsk => {
  const head = headOf(request, connectionId, answerWithinMs)
  switch (request.operation) {
    case 'AUTHORIZE': {
      const { operation, amountCents } = request
      return { operation, ...head, amountCents, scenario: scenarioOf(request), data: cardSaleIn(request) }
    }
    case 'CAPTURE':
    case 'VOID':
    case 'REVERSE': {
      const { operation, amountCents } = request
      return { operation, ...head, amountCents, scenario: scenarioOf(request), data: saleIn(request) }
    }
    case 'REFUND': {
      const { operation, amountCents, rail } = request
      const data = rail === 'CARD' ? cardRefundIn(request) : pixReturnIn(request)
      return { operation, ...head, amountCents, scenario: scenarioOf(request), data }
    }
    case 'REGISTER': {
      const { operation, amountCents } = request
      return { operation, ...head, amountCents, scenario: null, data: pixChargeIn(request) }
    }
    case 'CANCEL':
    case 'READ_CHARGE': {
      const { operation, amountCents } = request
      return { operation, ...head, amountCents, scenario: null, data: registeredIn(request) }
    }
    case 'RETURN': {
      const { operation, amountCents, pixReturn } = request
      assert(pixReturn !== null, 'a PIX that came in goes back')
      const data = { rail: 'PIX', endToEndId: pixReturn.endToEndId, description: null } as const
      return { operation, ...head, amountCents, scenario: null, data }
    }
    case 'DEFEND_MED': {
      const { operation, amountCents, defense } = request
      assert(defense !== undefined, 'a MED is defended')
      const data = { disputeId: defense.medId, text: defense.text }
      return { operation, ...head, amountCents, scenario: null, data }
    }
    case 'RETURN_SUSPENSE': {
      const { amountCents, endToEndId } = request
      const data = { rail: 'PIX', endToEndId, description: null } as const
      return { operation: 'RETURN', ...head, amountCents, scenario: null, data }
    }
    case 'OPEN_ADDRESS': {
      const { operation, amountCents, crypto } = request
      assert(crypto !== null, 'an address is opened for a charge in a stablecoin')
      return { operation, ...head, amountCents, scenario: scenarioOf(request), data: crypto }
    }
    case 'PAY_OUT': {
      const { operation, amountCents, bank, beneficiary, bankNumber } = request
      const payee = { ...beneficiary, ...bank, pixKey: null, ispb: null }
      const data = { by: null, payee, endToEndId: null, bankNumber, description: null }
      return { operation, ...head, amountCents, scenario: null, data }
    }
    case 'SEND_TRANSFER': {
      const { amountCents, kind: by, payee, endToEndId, bankNumber, description } = request
      const data = { by, payee, endToEndId, bankNumber, description }
      return { operation: 'PAY_OUT', ...head, amountCents, scenario: transferScenarioOf(request), data }
    }
    case 'FIND_KEY': {
      const { pixKey } = request
      return { operation: 'LOOKUP_KEY', ...head, amountCents: toCents(0), scenario: null, data: { pixKey } }
    }
    case 'QUOTE': {
      const { operation, fromCurrency, toCurrency, midRateMicros } = request
      const data = { fromCurrency, toCurrency, midRateMicros }
      return { operation, ...head, amountCents: toCents(0), scenario: null, data }
    }
    case 'CONVERT': {
      const { operation, fromCurrency, toCurrency, fromCents, rateMicros } = request
      const data = { fromCurrency, toCurrency, fromCents, toCents: request.toCents, rateMicros }
      const scenario = conversionScenarioOf(request)
      return { operation, ...head, amountCents: fromCents, scenario, data }
    }
    case 'SEND': {
      const { operation, asset, network, units, address } = request
      const data = { asset, network, units, address }
      return { operation, ...head, amountCents: units, scenario: withdrawalScenarioOf(request), data }
    }
    case 'MANDATE_CREATE': {
      const { operation, amountCents } = request
      return { operation, ...head, amountCents, scenario: null, data: newMandateIn(request) }
    }
    case 'MANDATE_CANCEL': {
      const { operation, amountCents } = request
      return { operation, ...head, amountCents, scenario: null, data: { mandateId: idRecOf(request) } }
    }
    case 'SCHEDULE': {
      const { operation, amountCents, charge, offer } = request
      assert(charge !== null, 'a charge is scheduled')
      const { customer, object: description } = offer
      const data = { mandateId: idRecOf(request), dueDate: charge.on, customer, description }
      return { operation, ...head, amountCents, scenario: null, data }
    }
    case 'RESCHEDULE':
    case 'UNSCHEDULE': {
      const { operation, amountCents, charge } = request
      assert(charge !== null, 'a charge that was scheduled is tried once more or called off')
      const data = { txid: charge.txid, dueDate: charge.on }
      return { operation, ...head, amountCents, scenario: null, data }
    }
    default:
      return unreachable(request)
  }
}

const newMandateIn = ({ offer }: MandateRequest): NewMandate => {
  const { journey, contract, object, customer, periodicity, startOn, endOn } = offer
  const { amountCents: fixedCents, minCents, allowsRetries, txid, payerAccount } = offer
  return {
    journey,
    contract,
    object,
    customer,
    periodicity,
    startOn,
    endOn,
    fixedCents,
    minCents,
    allowsRetries,
    txid,
    payerAccount,
  }
}

const idRecOf = ({ idRec }: MandateRequest): string => {
  assert(idRec !== null, 'the bank has given the mandate an id')
  return idRec
}

const headOf = (request: ProviderCallRequest, connectionId: string, answerWithinMs: number) => ({
  rail: request.rail,
  callId: request.reference,
  reference: referenceOf(request),
  asked: request.asked + (request.isResumed ? 1 : 0),
  connectionId,
  accountId: request.accountId,
  openedAtMs: request.openedAtMs,
  nowMs: request.nowMs,
  answerWithinMs,
})

const cardSaleIn = ({ card, customer, attempt }: ProviderRequest): CardSale => {
  assert(card !== null, 'a card is authorized')
  const { token, brand, last4, holderName, installments, captures } = card
  return {
    card: { token, brand, last4, holderName },
    customer,
    installments,
    captures,
    attempt,
    // The holder is there for the first charge of a subscription, and for every other payment by card.
    merchantInitiated: attempt === null || attempt === 1 ? null : 'RECURRING',
    networkReference: null,
    authentication: null,
    acceptsPart: false,
  }
}

const saleIn = ({ authorization }: ProviderRequest): Sale => {
  assert(authorization !== null, 'a sale by card is captured, voided, reversed or refunded')
  return { saleReference: referenceOfCall(authorization.reference), tid: authorization.tid }
}

const pixChargeIn = ({ pix, customer, description, merchantReference }: ProviderRequest): PixCharge => {
  assert(pix !== null, 'a PIX charge is registered')
  const { pixKey, expiresInSeconds, due } = pix
  return { rail: 'PIX', pixKey, expiresInSeconds, due, customer, description, merchantReference }
}

const registeredIn = ({ pix }: ProviderRequest): Registered => {
  assert(pix !== null, 'a PIX charge is cancelled or read')
  return { reference: pix.txid, registeredAtMs: pix.createdAtMs }
}

const cardRefundIn = (request: ProviderRequest): CardRefund => ({
  rail: 'CARD',
  ...saleIn(request),
  refundedBeforeCents: request.refundedCents,
})

const pixReturnIn = ({ endToEndId }: ProviderRequest): PixReturn => {
  assert(endToEndId !== null, 'a PIX that came in is refunded')
  return { rail: 'PIX', endToEndId, description: null }
}
