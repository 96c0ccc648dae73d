import Type from 'typebox'
import type { Cents } from '../../../engine/shared/money.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type {
  ChargeStatus,
  InquiryOutcome,
  PixReceived,
  PixReturnAtBank,
  ProviderAsk,
  ProviderInstance,
  ProviderModule,
  ProviderOutcome,
} from '../../../gateway/providers/port.ts'
import { refusedWith } from '../../../gateway/providers/sandbox/answers.ts'

/**
 * A bank for PIX with books of its own, for tests: charges by their txid, what was paid of them, and what went back. It is what an adapter
 * together with a bank looks like from the port.
 */
export type PixBankWithBooks = {
  readonly module: ProviderModule
  readonly instance: ProviderInstance
  readonly charges: ReadonlyMap<string, ChargeAtBank>
  readonly payments: readonly PixPaidAtBank[]
  /** Somebody pays a charge, if the bank takes that; null where it does not. */
  readonly pay: (txid: string, nowMs: number) => PixPaidAtBank | null
  /** What came in, less what went back. */
  readonly cents: () => number
}

export type ChargeAtBank = { readonly amountCents: Cents; status: ChargeStatus; readonly endsAtMs: number }
export type PixPaidAtBank = PixReceived & { readonly txid: string; readonly returns: PixReturnAtBank[] }

/** Opens its books. A forgetful bank does not know the ids of returns, and sends again what is asked again. */
export const openPixBank = ({ isForgetful = false } = {}): PixBankWithBooks => {
  const charges = new Map<string, ChargeAtBank>()
  const payments: PixPaidAtBank[] = []

  const register = (ask: Extract<ProviderAsk, { operation: 'REGISTER' }>): ProviderOutcome => {
    const { reference, amountCents, nowMs, data } = ask
    if (!charges.has(reference) && data.rail === 'PIX')
      charges.set(reference, {
        amountCents,
        status: 'ACTIVE',
        endsAtMs: nowMs + data.expiresInSeconds * 1000,
      })
    return registered(ask)
  }

  const registered = ({ reference, amountCents, openedAtMs }: ProviderAsk): ProviderOutcome => ({
    type: 'DONE',
    echo: { reference, amountCents, payee: null },
    evidence: {
      kind: 'PIX_CHARGE',
      copyPaste: null,
      location: `pix.bank.example/${reference}`,
      createdAtMs: openedAtMs,
    },
  })

  const stateOf = ({ reference }: ProviderAsk): ProviderOutcome => ({
    type: 'DONE',
    echo: { reference, amountCents: null, payee: null },
    evidence: {
      kind: 'CHARGE_STATE',
      status: charges.get(reference)!.status,
      payments: payments.filter(({ txid }) => txid === reference),
    },
  })

  const cancel = (ask: ProviderAsk): ProviderOutcome => {
    const charge = charges.get(ask.reference)
    if (charge === undefined) return refusedWith('unknown')
    if (charge.status === 'ACTIVE') charge.status = 'REMOVED_BY_RECEIVER'
    return stateOf(ask)
  }

  const giveBack = (ask: Extract<ProviderAsk, { operation: 'RETURN' | 'REFUND' }>): ProviderOutcome => {
    const { reference: id, amountCents, data, nowMs } = ask
    const payment =
      data.rail === 'PIX' ? payments.find((one) => one.endToEndId === data.endToEndId) : undefined
    if (payment === undefined) return refusedWith('unknown')
    const known = payment.returns.find((one) => one.id === id)
    if (known !== undefined && !isForgetful) return returned(ask)
    payment.returns.push({
      id,
      returnId: `D${id}`,
      amountCents,
      status: 'DONE',
      nature: 'ORIGINAL',
      askedAtMs: nowMs,
      doneAtMs: nowMs,
      reason: null,
    })
    return returned(ask)
  }

  const returned = ({ reference, amountCents }: ProviderAsk): ProviderOutcome => ({
    type: 'DONE',
    echo: { reference, amountCents, payee: null },
    evidence: { kind: 'PIX', endToEndId: null, returnId: `D${reference}` },
  })

  const instance: ProviderInstance = {
    ask: async (ask) => {
      switch (ask.operation) {
        case 'REGISTER':
          return register(ask)
        case 'CANCEL':
          return cancel(ask)
        case 'READ_CHARGE':
          return charges.has(ask.reference) ? stateOf(ask) : refusedWith('unknown')
        case 'RETURN':
        case 'REFUND':
          return giveBack(ask)
        default:
          return refusedWith('not offered')
      }
    },
    inquire: async (ask): Promise<InquiryOutcome> => {
      if (ask.operation === 'REGISTER')
        return charges.has(ask.reference) ? registered(ask) : { type: 'NOT_FOUND' }
      return { type: 'NOT_FOUND' }
    },
    health: async () => ({ works: true, detail: null, certificateEndsAtMs: null }),
    close: () => undefined,
  }

  return {
    module: {
      name: 'made-up-bank',
      label: 'Made-up bank',
      rails: ['PIX'],
      settings: Type.Object({}),
      repeat: { REGISTER: 'SAFE', CANCEL: 'SAFE', READ_CHARGE: 'SAFE', RETURN: 'SAFE', REFUND: 'SAFE' },
      capabilities: {},
      limits: { inFlightMax: 3, waitingMax: 2, rates: [] },
      open: () => instance,
    },
    instance,
    charges,
    payments,
    pay: (txid, nowMs) => {
      const charge = charges.get(txid)
      // Two payers that scan at once are both taken, as races are.
      const isPayable = charge?.status === 'ACTIVE' || charge?.status === 'PAID'
      if (charge === undefined || !isPayable || nowMs > charge.endsAtMs) return null
      charge.status = 'PAID'
      const payment: PixPaidAtBank = {
        endToEndId: `E00000000202611201200${String(payments.length + 1).padStart(11, '0')}`,
        txid,
        pixKey: null,
        amountCents: payments.length % 9 === 8 ? toCents(charge.amountCents + 1) : charge.amountCents,
        componentsCents: null,
        paidAtMs: nowMs,
        payer: null,
        returns: [],
      }
      payments.push(payment)
      return payment
    },
    cents: () =>
      payments.reduce(
        (sum, { amountCents, returns }) =>
          sum + amountCents - returns.reduce((back, one) => back + one.amountCents, 0),
        0,
      ),
  }
}
