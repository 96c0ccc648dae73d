import type { ProviderAnswer, ProviderRequest } from '../../../../../engine/payments/provider.ts'
import type { Transaction } from '../../../../../engine/payments/transaction/transaction.ts'
import { differenceKinds, reconciliationIdOf } from '../../../../../engine/reconciliation/reconciliation.ts'
import { movementKinds } from '../../../../../engine/reconciliation/statement.ts'
import type { CalendarDate } from '../../../../../engine/shared/calendar.ts'
import type { SuspenseId } from '../../../../../engine/shared/ids.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { aConnect, live, openLive } from '../../../connections/live.ts'
import { aRefund, newTransactionId, type World } from '../../../world.ts'
import { aLiveCancellation, aLiveCharge, anArrival, aPixAtBank, registered, silence } from './at-bank.ts'

/** What a bank says, by what the description of a charge asks for; it is not one that the Sandbox knows. */
export const everyBankAnswer = (request: ProviderRequest): ProviderAnswer => {
  const { operation, description } = request
  const isSilent = description === 'silent'
  const refused = { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'não' } } as const
  switch (operation) {
    case 'REGISTER':
      if (description === 'refused')
        return { type: 'REFUSED', refusal: { reason: 'REGISTRATION_REJECTED', code: 'c', message: 'não' } }
      return isSilent ? silence : registered(request)
    case 'CANCEL':
      return description === 'kept' || isSilent ? refused : { type: 'DONE', evidence: null }
    case 'READ_CHARGE':
      return { type: 'CHARGE_STATE', status: 'ACTIVE', payments: [] }
    case 'RETURN':
      // Money in suspense goes back on the second day, by a bank that is silent at first.
      if ('suspenseId' in request) {
        if (request.asked === 0) return silence
        return request.pixReturn!.id.length === 26 ? refused : { type: 'RETURNED', returnId: 'D2' }
      }
      return description === 'back' ? { type: 'RETURNED', returnId: 'D1' } : refused
    default:
      return refused
  }
}

const aBankPayer = {
  name: 'Zoë 🦜 Müller',
  document: '12345678909',
  documentType: 'CPF',
  ispb: '00000000',
  bankName: null,
} as const

/** Everything that happens to PIX charges over a bank. */
export const everyBankFact = async (world: World): Promise<void> => {
  await openLive(world)
  // A provider that the service has: lists show no other.
  await world.execute(aConnect({ provider: 'efi', offers: ['REFUND', 'DEFEND_MED'] }))
  const create = (description: string): Promise<Transaction> => world.accepted(aLiveCharge({ description }))
  await create('refused')
  await create('silent')
  await world.execute(aLiveCancellation((await create('kept')).id))
  await world.execute(aLiveCancellation((await create('gone')).id))
  await create('left')
  for (const description of ['back', 'refused back']) {
    const paid = await create(description)
    await world.execute(anArrival(paid))
    const second = anArrival(paid)
    await world.execute(second)
    await world.execute({ ...aRefund(paid.id, 100), ...live })
    const part = {
      id: 'app1',
      returnId: null,
      amountCents: toCents(1),
      nature: 'ORIGINAL',
      reason: null,
    } as const
    await world.execute({
      type: 'ReportReturn',
      ...live,
      endToEndId: second.endToEndId,
      returned: { ...part, status: 'DONE' },
    })
  }
  const contested = await create('contested')
  const arrival = anArrival(contested)
  await world.execute(arrival)
  const med = {
    bankMedId: 'infraction-1',
    state: 'OPEN',
    amountCents: toCents(100),
    reason: null,
    details: null,
    hasReturn: null,
  } as const
  await world.execute({ type: 'ReportMed', ...live, endToEndId: arrival.endToEndId, med })
  const [opened] = world.transaction(contested.id).reversals.meds
  await world.execute({ type: 'DefendMed', ...live, reversalId: opened!.id, text: 'não', files: [] })
  await world.execute({
    type: 'SetFiscalDocuments',
    ...live,
    transactionId: (await create('left')).id,
    documents: ['35261212345678000195550010000001231123456781'],
  })
  const taxed = await create('taxed')
  await world.execute(
    anArrival(taxed, { amountCents: toCents(taxed.amountCents - 1), taxWithheldCents: toCents(1) }),
  )
  const wrong = await create('back')
  await world.execute(anArrival(wrong, { componentsCents: toCents(1) }))
  for (const [n, chargeId] of [wrong.id, null, null, null].entries()) {
    const suspenseId = `ssp_${String(n).padStart(26, '0')}` as SuspenseId
    const from = {
      connectionId: aConnect().connection.connectionId,
      providerId: 'efi',
      txid: null,
      pixKey: 'k',
    }
    await world.execute({
      type: 'ReceiveUnmatchedPix',
      ...live,
      suspenseId,
      ...from,
      ...aPixAtBank({ payer: aBankPayer }),
    })
    if (n < 2)
      await world.execute({
        type: 'AssignSuspense',
        ...live,
        suspenseId,
        chargeId,
        depositId: newTransactionId(),
      })
    else if (n === 2)
      for (const id of ['per_1', 'per_2'])
        await world.execute({
          type: 'WriteOffSuspense',
          accountId: live.accountId,
          by: { kind: 'PERSON', id },
          suspenseId,
          reason: 'não está lá',
          standing: { sinceMs: 0, isConfirmed: true },
        })
    else
      await world.execute({
        type: 'ReturnSuspense',
        accountId: live.accountId,
        by: { kind: 'PERSON', id: 'per_1' },
        suspenseId,
      })
  }
  await compareBooks(world)
  for (const minutes of [11, 60, 24 * 60, 24 * 60, 24 * 60]) {
    world.pass(minutes * 60_000)
    world.shard.tick()
    await world.settle()
  }
}

/** A day whose books differ in two payments, which a person accepts. */
const compareBooks = async (world: World): Promise<void> => {
  const { connectionId } = aConnect().connection
  const date = '2026-11-19' as CalendarDate
  const reconciliationId = reconciliationIdOf(live.accountId, connectionId, date)
  const book = { count: 2, amountCents: toCents(300), returnedCents: toCents(100) }
  const of = { endToEndId: aPixAtBank().endToEndId, txid: 'x'.repeat(32) }
  await world.execute({
    type: 'RecordComparedDay',
    ...live,
    reconciliationId,
    compared: {
      connectionId,
      providerId: 'efi',
      date,
      bank: book,
      ours: { ...book, count: 1 },
      statement: book,
      differences: [
        { kind: 'MISSING_HERE', ...of, bankCents: toCents(200), oursCents: null },
        { kind: 'STATEMENT', endToEndId: null, txid: null, bankCents: toCents(1), oursCents: toCents(2) },
      ],
      differencesCount: 2,
      differenceCents: toCents(201),
    },
  })
  await world.execute({ type: 'AcceptDifference', ...live, reconciliationId, reason: 'é de outra loja' })
  await world.execute({
    type: 'GiveStatement',
    ...live,
    reconciliationId,
    given: {
      why: null,
      digest: 'a digest',
      movements: movementKinds.map((kind, n) => ({
        kind,
        cents: toCents(n - 2),
        endToEndId: n === 0 ? of.endToEndId : null,
        atMs: n === 1 ? 1_700_000_000_000 : null,
      })),
    },
  })
  await world.execute({
    type: 'RecordComparedDay',
    ...live,
    reconciliationId,
    compared: {
      ...{ connectionId, providerId: 'efi', date, bank: book, ours: book, statement: book },
      differences: differenceKinds.map((kind) => ({
        ...{ kind, endToEndId: null, txid: null },
        bankCents: toCents(2),
        oursCents: toCents(1),
      })),
      differencesCount: differenceKinds.length,
      differenceCents: toCents(differenceKinds.length),
    },
    strange: [
      { endToEndId: null, amountCents: toCents(3) },
      { endToEndId: `E${'7'.repeat(31)}`, amountCents: toCents(4) },
    ],
    third: {
      source: 'FILE',
      digest: 'a digest',
      tariffCents: toCents(-1),
      termsCents: toCents(2),
      othersCount: 3,
    },
  })
}
