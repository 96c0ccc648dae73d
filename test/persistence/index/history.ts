import type { Entry } from '../../../engine/kernel/entry.ts'
import type { AnyFact } from '../../../engine/kernel/registry.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import type { ReceivedPix } from '../../../engine/payments/received/received.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import type { Means, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { addDays, type CalendarDate } from '../../../engine/shared/calendar.ts'
import { type AccountId, accountIdOf, type CompanyId, newId } from '../../../engine/shared/ids.ts'
import { type Method, origins } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { Delivery } from '../../../engine/webhooks/delivery.ts'
import type { EntrySource } from '../../../persistence/journal/journal.ts'
import { plainProfile } from '../../engine/profile.ts'
import { anOutcome } from '../../engine/webhooks/outcome.ts'
import { seeded } from '../../engine/world.ts'

/** The first day on which receivables of these histories settle. */
export const firstDay = '2026-12-01' as CalendarDate

/** Random facts of some accounts, as entries, whatever the domain would say to them. */
export type History = {
  readonly entries: readonly Entry[]
  readonly append: (entry: Entry) => number
  readonly at: (sequence: number) => Entry
  readonly batchAt: EntrySource['batchAt']
  readonly appended: () => number
  readonly random: (below: number) => number
  readonly pick: <Value>(values: readonly Value[]) => Value
  readonly chance: (percent: number) => boolean
  readonly opening: (accountId: AccountId) => Entry
  readonly birth: (accountId: AccountId, atMs: number) => Entry
  readonly change: (transaction: Transaction, atMs: number) => Entry
  readonly receipt: (transaction: Transaction, atMs: number) => Entry
  readonly delivery: (transaction: Transaction, atMs: number) => Entry
  readonly attempt: (delivery: Delivery) => Entry
  readonly clearing: (accountId: AccountId) => Entry
}

export const accountNumber = (number: number): AccountId =>
  accountIdOf(`cmp_${String(number).padStart(26, '0')}` as CompanyId, 'SANDBOX')

export const words = ['Ana', 'João', 'Zoë', 'ANA MARIA', 'Conceição', 'Li', 'O’Neil', 'Ângela', 'ana', 'İbo']
/** Who processes a charge is text: a company may have changed its bank. */
export const providerNames = ['sandbox-psp', 'a-bank', 'another-bank'] as const
const idTimeMs = 1_700_000_000_000
const endpoints = ['whk_1', 'whk_2'] as const

export const newHistory = (seed: number): History => {
  const entropy = seeded(seed)
  const entries: Entry[] = []
  const random = (below: number): number => entropy() % below
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!
  const chance = (percent: number): boolean => random(100) < percent
  const by = { kind: 'KEY', id: 'key_1' } as const

  const entryOf = (accountId: AccountId, atMs: number, ...events: readonly AnyFact[]): Entry => ({
    accountId,
    atMs,
    events,
    ...(chance(50) && { idempotency: { key: `key-${entries.length}`, fingerprint: 'f' } }),
  })

  const amount = (): number => {
    if (chance(5)) return 999_999_999_999 - random(3)
    return chance(30) ? 1990 : 1 + random(100_000)
  }

  const meansOf = (method: Method): Means => {
    const key = (prefix: string): string | null => (chance(50) ? `${prefix}${random(40)}` : null)
    const pix = { txid: key('txid'), payment: null }
    const means = {
      PIX: () => ({ pix }),
      BOLETO: () => ({ boleto: { numbers: null, overdue: false }, pix }),
      CREDIT_CARD: () => ({ card: { token: 'tok', acquirer: { nsu: key('nsu'), tid: key('tid') } } }),
      DEBIT_CARD: () => ({ card: { token: 'tok', acquirer: null } }),
      CRYPTO: () => ({ crypto: { address: `0x${random(40)}`, txHash: key('0x'), transfers: [] } }),
    }
    return means[method]() as unknown as Means
  }

  const birth = (accountId: AccountId, atMs: number): Entry => {
    const id = newId('txn', idTimeMs + random(5), entropy)
    const name = `${pick(words)} ${pick(words)}`
    const method = pick(methodNames)
    const charge = {
      accountId,
      method,
      origin: pick(origins),
      currency: method === 'CRYPTO' ? pick(['USDT', 'USDC']) : 'BRL',
      amountCents: toCents(amount()),
      details: { ...noDetails, externalId: chance(50) ? `order-${random(50)}` : null },
      customer: chance(70)
        ? {
            name,
            document: chance(60) ? String(10_000_000_000 + random(40)) : null,
            documentType: 'CPF',
            email: chance(60) ? `${pick(['ana', 'Joao', 'zoe'])}.${random(30)}@exemplo.com` : null,
            phone: null,
            address: null,
          }
        : null,
      customerId: null,
      collects: null,
      splitRuleId: null,
      means: meansOf(method),
      providerId: pick(providerNames),
    }
    const created = { actor: 'transaction', type: 'ChargeCreated', id, by, atMs, charge }
    return entryOf(accountId, atMs, created as unknown as AnyFact)
  }

  const change = ({ id, accountId, amountCents, means }: Transaction, atMs: number): Entry => {
    const fact = { actor: 'transaction', id, by, atMs } as const
    const payment = { receivedPixId: 'rpx_1', endToEndId: `E${random(60)}`, payer, paidAtMs: atMs }
    const byPix = [
      {
        ...fact,
        type: 'ChargeIssued',
        txid: `txid${random(40)}`,
        copyPaste: 'x',
        expiresAtMs: atMs + random(50),
      },
      {
        ...fact,
        type: 'ChargePaid',
        paidCents: amountCents,
        feeCents: random(100),
        payment,
        receivables: Array.from({ length: random(5) }, () => receivable(atMs)),
      },
    ]
    const events = [
      ...('pix' in means ? byPix : []),
      { ...fact, type: 'ChargeExpired' },
      { ...fact, type: 'ChargeCancelled', reason: null },
      { ...fact, type: 'ChargeRefused', failureReason: 'REGISTRATION_REJECTED', callId: null },
    ]
    return entryOf(accountId, atMs, pick(events) as unknown as AnyFact)
  }

  const receivable = (atMs: number) => ({
    id: 'rcv_1',
    type: pick(['CREDIT', 'CREDIT', 'REFUND']),
    status: pick(['SCHEDULED', 'SCHEDULED', 'CANCELLED', 'SETTLED']),
    settledAtMs: pick([atMs, atMs + 60_000 * random(60_000)]),
    grossCents: random(100_000),
    feeCents: random(100),
    expectedOn: addDays(firstDay, random(40)),
  })

  const payer = { name: 'Ana', document: null, documentType: null, ispb: '00000000', bankName: null }

  const receipt = (transaction: Transaction, atMs: number): Entry => {
    const id = newId('rpx', idTimeMs, entropy)
    const received = {
      id,
      accountId: transaction.accountId,
      transactionId: transaction.id,
      endToEndId: `E${random(60)}`,
      txid: null,
      externalId: null,
      amountCents: toCents(amount()),
      returnReason: chance(30) ? 'DUPLICATE_PAYMENT' : null,
      pixKeyId: 'pxk_1',
      pixKey: 'k',
      payer,
      description: null,
      receivedAtMs: atMs,
    } as unknown as ReceivedPix
    return entryOf(transaction.accountId, atMs, { actor: 'received', type: 'PixReceived', id, received })
  }

  const delivery = ({ id: objectId, accountId }: Transaction, atMs: number): Entry => {
    const id = newId('dlv', idTimeMs, entropy)
    const scheduled = {
      accountId,
      eventId: newId('evt', idTimeMs, entropy),
      eventType: 'payment.created',
      objectId,
      endpointId: pick(endpoints),
      resendOf: null,
      body: new Uint8Array(1),
    } as unknown as Delivery
    return entryOf(accountId, atMs, {
      actor: 'delivery',
      type: 'DeliveryScheduled',
      id,
      atMs,
      delivery: scheduled,
    })
  }

  const attempt = ({ id, accountId }: Delivery): Entry => {
    const outcome = anOutcome()
    const status = pick(['RETRYING', 'SUCCEEDED'] as const)
    const nextAttemptAtMs = status === 'SUCCEEDED' ? null : random(1000)
    return entryOf(accountId, 0, {
      actor: 'delivery',
      type: 'AttemptRecorded',
      id,
      outcome,
      status,
      nextAttemptAtMs,
    })
  }

  return {
    entries,
    append: (entry) => entries.push(entry),
    at: (sequence) => entries[sequence - 1]!,
    // Its facts lack members that questions never look at, and cannot be stored.
    batchAt: () => {
      throw new Error('nothing is packed')
    },
    appended: () => entries.length,
    random,
    pick,
    chance,
    opening: (accountId) =>
      entryOf(accountId, 0, {
        actor: 'account',
        type: 'AccountOpened',
        id: accountId,
        atMs: 0,
        profile: {
          companyId: 'x',
          environment: 'SANDBOX',
          name: 'A',
          city: 'B',
          timeZone: 'UTC',
          ...plainProfile,
        },
        pixKey: { id: 'pxk_1', type: 'EVP', key: 'k', createdAtMs: 0 },
      } as unknown as AnyFact),
    birth,
    change,
    receipt,
    delivery,
    attempt,
    clearing: (accountId) =>
      entryOf(accountId, 0, { actor: 'account', type: 'SandboxCleared', id: accountId, atMs: 0 }),
  }
}
