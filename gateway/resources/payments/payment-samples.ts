import { type Boleto, plainTerms, unissuedBoleto } from '../../../engine/payments/methods/boleto/boleto.ts'
import { boletoNumbers } from '../../../engine/payments/methods/boleto/numbers.ts'
import { reasonCodes } from '../../../engine/payments/methods/card/chargeback.ts'
import { withPix } from '../../../engine/payments/methods/pix/pix.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import { evolveTransaction } from '../../../engine/payments/transaction/evolve.ts'
import type { ChargeCreated } from '../../../engine/payments/transaction/facts.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { testPayer } from '../../../engine/sandbox/forced-outcomes.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { Sample } from '../sample.ts'

/** Invented charges for sample events, rendered by the views that render real ones. */

const none = toCents(0)
const amountCents = toCents(1000)
export const txidSample = '01KTRE5Y000000000000000000pix123'
export const endToEndIdSample = 'E00000000202606091430abcdefghijk'

const created = ({ id, atMs }: Sample): ChargeCreated => ({
  actor: 'transaction',
  type: 'ChargeCreated',
  id: id('txn'),
  by: { kind: 'KEY', id: id('key') },
  atMs,
  charge: {
    accountId: accountIdOf(id('cmp'), 'SANDBOX'),
    method: 'PIX',
    origin: 'API',
    currency: 'BRL',
    amountCents,
    feeTerms: { percentBps: 99, fixedCents: none },
    details: { ...noDetails, externalId: 'order-1001' },
    customer: null,
    customerId: null,
    subscriptionId: null,
    invoiceId: null,
    attempt: null,
    split: null,
    providerId: 'sandbox-psp',
    connectionId: null,
    means: {
      pix: {
        txid: txidSample,
        copyPaste: null,
        keyId: id('pxk'),
        bankKey: null,
        mandateId: null,
        type: 'IMMEDIATE',
        dueDate: null,
        expiresInSeconds: 3600,
        payment: null,
      },
    },
  },
})

/** A PIX that can be paid now. */
export const pendingSample = (sample: Sample): Transaction => ({
  ...evolveTransaction(undefined, created(sample)),
  version: 2,
  status: 'PENDING',
  expiresAtMs: sample.afterMs(1),
})

const approved = (sample: Sample, feeCents: number): Transaction => ({
  ...pendingSample(sample),
  status: 'APPROVED',
  version: 3,
  paidCents: amountCents,
  feeCents: toCents(feeCents),
  approvedAtMs: sample.atMs,
})

/** A PIX that was paid. */
export const paidSample = (sample: Sample): Transaction => {
  const paid = approved(sample, 10)
  const payment = {
    receivedPixId: sample.id('rpx'),
    endToEndId: endToEndIdSample,
    payer: testPayer,
    payerMatchesCustomer: null,
    paidAtMs: sample.atMs,
  }
  return { ...paid, means: withPix(paid, { payment }) }
}

/** A PIX that was paid and refunded in full. */
export const refundedSample = (sample: Sample): Transaction => ({
  ...paidSample(sample),
  status: 'REFUNDED',
  version: 6,
  reversals: {
    refunds: [
      {
        id: sample.id('rfd'),
        amountCents,
        status: 'COMPLETED',
        origin: 'API',
        reason: null,
        failureReason: null,
        feeReversedCents: none,
        split: null,
        returnId: `D${endToEndIdSample.slice(1)}`,
        createdAtMs: sample.atMs,
        completedAtMs: sample.atMs,
        failedAtMs: null,
      },
    ],
    chargebacks: [],
    meds: [],
  },
})

/** The same PIX after its refund was refused. */
export const refusedRefundSample = (sample: Sample): Transaction => {
  const { reversals } = refundedSample(sample)
  return {
    ...paidSample(sample),
    version: 6,
    reversals: {
      ...reversals,
      refunds: reversals.refunds.map((refund) => ({
        ...refund,
        status: 'FAILED',
        failureReason: 'REFUSED_BY_PROVIDER',
        returnId: null,
        completedAtMs: null,
        failedAtMs: sample.atMs,
      })),
    },
  }
}

/** A card payment that its holder disputes. */
export const disputedSample = (sample: Sample): Transaction => ({
  ...approved(sample, 32),
  method: 'CREDIT_CARD',
  status: 'CHARGEBACK',
  version: 4,
  means: {
    card: {
      token: '',
      tokenFingerprint: '',
      brand: 'VISA',
      last4: '4242',
      bin: null,
      holderName: null,
      installments: 1,
      captures: true,
      acquirer: {
        nsu: '000001',
        tid: '10069930690000000001',
        authorizationCode: '000001',
        returnCode: '00',
        message: 'Approved',
      },
      authorizedAtMs: sample.atMs,
      capturedAtMs: sample.atMs,
      capturedCents: amountCents,
      threeDSecure: null,
    },
  },
  reversals: {
    refunds: [],
    chargebacks: [
      {
        id: sample.id('cbk'),
        amountCents,
        reasonCode: reasonCodes.FRAUD,
        reason: 'FRAUD',
        status: 'OPEN',
        lostReason: null,
        statusBefore: 'APPROVED',
        feeCents: none,
        defense: null,
        openedAtMs: sample.atMs,
        defenseDueAtMs: sample.afterMs(10 * 24),
        resolvedAtMs: null,
        updatedAtMs: sample.atMs,
      },
    ],
    meds: [],
  },
})

/** A boleto that was paid. */
export const paidBoletoSample = (sample: Sample): Transaction => {
  const { atMs } = sample
  const dueDate = sample.day(1)
  const boleto: Boleto = {
    ...unissuedBoleto({ dueDate, ...plainTerms }),
    numbers: boletoNumbers(1, amountCents, dueDate),
    lateAtMs: sample.afterMs(48),
    payment: {
      paidAtMs: atMs,
      paidCents: amountCents,
      fineCents: none,
      interestCents: none,
      discountCents: none,
      clearsAtMs: atMs,
    },
  }
  return { ...approved(sample, 299), method: 'BOLETO', means: { boleto, pix: null } }
}
