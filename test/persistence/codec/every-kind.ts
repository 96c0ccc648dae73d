import type { SetControls } from '../../../engine/approval-and-limits/commands.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import { toRateMicros } from '../../../engine/shared/asset.ts'
import type { AuditAsker } from '../../../engine/shared/audit.ts'
import type { ChangeId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import {
  aCoupon,
  aCouponEdit,
  aCouponRemoval,
  anEdit,
  aPlan,
  aPlanRemoval,
  aPolicySet,
  aSubscriptionId,
  happened,
} from '../../engine/billing/catalog.ts'
import { everyFact } from '../../engine/billing/subscription/every-fact.ts'
import { everyMandateFact, hesitantBank } from '../../engine/billing/subscription/every-mandate-fact.ts'
import { everyCheckoutFact } from '../../engine/checkout/every-fact.ts'
import { everyConnectionFact } from '../../engine/connections/every-fact.ts'
import { aChargeOf, aConversion, aQuoteRequest, aTransfer, deposits } from '../../engine/crypto/crypto.ts'
import { everyInboxFact } from '../../engine/inbox/every-fact.ts'
import { everySplitFact, slowBank } from '../../engine/marketplace/every-fact.ts'
import { everyTransferFact } from '../../engine/money-out/every-transfer-fact.ts'
import { everyWithdrawalFact } from '../../engine/money-out/withdrawal-story.ts'
import { aBrokenPayment } from '../../engine/payments/broken-payment.ts'
import { aChargeback, aNo, aRefundResolution } from '../../engine/payments/card/commands.ts'
import { everyBankAnswer, everyBankFact } from '../../engine/payments/pix/bank/every-fact.ts'
import { longStanding } from '../../engine/standing.ts'
import { aMed, aMedDecision } from '../../engine/story.ts'
import { aClosing, anAnswer, aTicket } from '../../engine/support/tickets.ts'
import {
  aBoleto,
  aCancellation,
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayment,
  aRefund,
  askSandbox,
  askSandboxAny,
  institution,
  key,
  newTransactionId,
  newWorld,
} from '../../engine/world.ts'

/** Entries that hold every kind of fact, from a shard that lived through them. */
export const everyKind = async (): Promise<Entry[]> => {
  const world = newWorld(unwillingAcquirer, slowBank(), [], institution, askSandboxAny, hesitantBank())
  await world.open()
  const profile = { ...world.account().profile, name: 'Loja São João', address: anAddress, revision: 2 }
  await world.execute({ type: 'OpenAccount', accountId: account, by: key, profile })
  const customer = {
    name: 'Zoë 🦜 Müller',
    document: '12345678909',
    documentType: 'CPF',
    email: 'zoe@example.com',
    phone: null,
    address: null,
  } as const
  const idempotency = { key: 'k', fingerprint: 'f' }
  const metadata = { a: 1.5, b: true, ção: '\u0000"\\' }
  const a = await world.accepted(aCharge({ customer, metadata, idempotency, description: 'x'.repeat(300) }))
  await world.accepted(aPayment(a.id))
  await world.accepted(aPayment(a.id))
  const b = await world.accepted(aCharge())
  await world.execute(aCancellation(b.id))
  await world.accepted(aCharge({ metadata: { sandboxScenario: 'provider_error' } }))
  await world.accepted(aCharge({ terms: { method: 'PIX', expiresInSeconds: 60, due: null } }))
  await world.execute(anUnrequestedPix())
  await world.execute({ type: 'AdvanceClock', accountId: account, by: key, step: { by: 'PT1H' } })
  await world.execute({ type: 'RequestSampleEvent', accountId: account, by: key, eventType: 'boleto.paid' })
  const target = { accountId: account, by: key } as const
  const event = { eventId: `evt_${'0'.repeat(26)}` as never, eventType: 'payment.created', objectId: a.id }
  const body = new Uint8Array([0, 255, 1])
  const endpointIds = ['whk_1', 'whk_2'] as never
  await world.execute({ type: 'ScheduleDeliveries', ...target, events: [{ ...event, body, endpointIds }] })
  const [first, second] = world.memory.list(account, 'delivery', { offset: 0, limit: 2 }).states
  const outcome = {
    url: 'https://example.com/ção',
    startedAtMs: 1.25,
    latencyMs: 3,
    statusCode: null,
    error: 'DNS',
    responseSnippet: '',
    signature: 't=1,v1=ab',
  } as const
  await world.execute({ type: 'RecordAttempts', ...target, attempts: [{ deliveryId: first!.id, outcome }] })
  await world.execute({ type: 'CancelDelivery', ...target, deliveryId: second!.id })
  await world.execute({ type: 'ResendDelivery', ...target, deliveryId: second!.id, firstAttemptAtMs: 1.5 })
  const late = { ...outcome, startedAtMs: world.now() }
  const { id: third } = world.memory.list(account, 'delivery', { offset: 0, limit: 1 }).states[0]!
  await world.execute({ type: 'RecordAttempts', ...target, attempts: [{ deliveryId: third, outcome: late }] })
  await world.execute({ type: 'AttemptNow', ...target, deliveryId: third })
  await everyAct(world)
  await everyTransferFact(world)
  await everyControl(world)
  await everyMethod(world)
  await everyOffer(world)
  await everyTicket(world)
  await everyPayerMail(world)
  await everyNote(world)
  await everyInboxFact(world)
  await everyCryptoFact(world)
  await everyCheckoutFact(world)
  await everySplitFact(world)
  await everyFact(world)
  await everyMedFact(world)
  await anOvertakenRefund(world)
  await aBrokenPayment(world)
  await everyBankFact(world)
  await everyConnectionFact(world)
  await everyMandateFact(world)
  await world.advance('P8D')
  await world.execute({ type: 'ClearSandbox', ...target })
  return [...world.journal.replay(0)].map(({ record }) => record)
}

const anAddress = {
  street: 'Rua da Conceição',
  number: 'S/N',
  complement: null,
  district: 'Boa Vista',
  city: 'Recife',
  state: 'PE',
  zip: '50060100',
} as const

/** Looser limits: superseded, rejected, approved. */
const everyControl = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const set = (wanted: SetControls['wanted'], n: number) =>
    world.execute({
      type: 'SetControls',
      accountId: account,
      by: key,
      wanted,
      idOfChange: `chg_${String(n).padStart(26, '0')}` as ChangeId,
      hasApprover: true,
    })
  const decide = (isApproved: boolean, n: number) =>
    world.execute({
      type: 'DecideControlChange',
      accountId: account,
      by: { kind: 'PERSON', id: 'per_2' },
      changeId: `chg_${String(n).padStart(26, '0')}` as ChangeId,
      isApproved,
      standing: longStanding,
    })
  await set({ pixDayCents: toCents(20_000_000), required: 2 }, 1)
  await set({ pixDayCents: toCents(1) }, 2)
  await set({ nightStartsAt: '22:00' }, 3)
  await decide(false, 3)
  await set({ enabled: false }, 4)
  await decide(true, 4)
}

/** Acts that are in the audit log. */
const everyAct = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const { sessionId, keyId, ...asker } = anAsker
  const plan = aPlan()
  await world.execute({ ...plan, audit: { ...asker, sessionId: null, keyId: null } })
  await world.execute({ ...anEdit(plan.planId, { name: 'Ção' }), audit: anAsker })
  for (const source of [
    { log: 'DIRECTORY', sequence: 7 } as const,
    { log: 'SESSIONS', sequence: 1.5e12 } as const,
  ])
    await world.execute({
      type: 'RecordAudit',
      accountId: account,
      by: key,
      source,
      draft: {
        ...anAsker,
        atMs: 1.5e12,
        object: null,
        changes: [],
        result: 'REFUSED',
        code: 'FACTOR_FROZEN',
      },
    })
}

const anAsker: AuditAsker = {
  actor: { kind: 'PERSON', id: 'per_1', name: 'João' },
  sessionId: 'ses_1',
  keyId: 'key_1',
  ip: '::1',
  userAgent: 'Mozilla/5.0 🦜',
  action: 'updatePlan',
  requestId: 'req_1',
}

/** Plans, coupons and dunning policies. */
const everyOffer = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const [plan, other] = [aPlan({}, { metadata: { ção: true } }), aPlan()]
  const [coupon, unused] = [aCoupon({ planIds: [plan.planId], name: 'São João' }), aCoupon()]
  for (const command of [plan, other, coupon, unused]) await world.execute(command)
  await world.execute(anEdit(plan.planId, { interval: 'CUSTOM', intervalCount: 10 }))
  await world.execute(aCouponEdit(coupon.couponId, { minAmountCents: toCents(1) }))
  for (const forPlan of [null, plan.planId, other.planId]) await world.execute(aPolicySet(forPlan))
  await world.execute(aPlanRemoval(other.planId))
  await world.execute(aCouponRemoval(unused.couponId))
  const atMs = world.now()
  const redemption = { actor: 'coupon', id: coupon.couponId, atMs, redeemedBy: aSubscriptionId } as const
  happened(
    world,
    { actor: 'plan', type: 'PlanUsed', id: plan.planId, atMs },
    { ...redemption, type: 'CouponRedeemed' },
    { ...redemption, type: 'RedemptionReleased' },
  )
}

/** A note, which its author removes. */
const everyNote = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const target = { accountId: account, by: key } as const
  const { id: objectId } = await world.accepted(aCharge())
  const personId = `per_${'0'.repeat(26)}` as never
  const noteId = `nte_${'0'.repeat(26)}` as never
  const note = { objectId, personId, name: 'Zoë', text: 'ligou às 9\n🦜' }
  await world.execute({ type: 'AddNote', ...target, noteId, note })
  await world.execute({ type: 'RemoveNote', ...target, noteId, personId, mayRemoveAny: false })
}

/** A charge that is sent, reminders, and a payer who wants none. */
const everyPayerMail = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const target = { accountId: account, by: key } as const
  const plan = { days: [-1, 0], language: 'en' } as const
  await world.execute({ type: 'SetReminders', ...target, plan })
  const boleto = await world.accepted(aBoleto({ dueDate: '2027-11-30' as never }))
  await world.execute({ type: 'SendCharge', ...target, transactionId: boleto.id, language: 'pt' })
  const payerMailId = world.memory.lookup('payerMail', account, boleto.id)[0]!.state.id
  await world.execute({ type: 'RecordPayerMail', ...target, payerMailId, number: 1, outcome: 'QUEUED' })
  await world.execute({ type: 'RemindPayer', ...target, payerMailId })
  await world.execute({ type: 'Unsubscribe', ...target, addressHash: 'ção' })
}

const everyTicket = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const ticket = aTicket()
  await world.execute(ticket)
  await world.execute(anAnswer(ticket.ticketId))
  await world.execute(aClosing(ticket.ticketId))
  const target = { accountId: account, by: key } as const
  const personId = 'per_1' as never
  const notice = {
    kind: 'KEY_CREATED',
    personId: null,
    objectId: null,
    details: { name: 'ção', many: 1.5 },
  } as const
  const noticeId = `ntf_${'0'.repeat(26)}` as never
  await world.execute({ type: 'RaiseNotice', ...target, noticeId, notice })
  const reading = { type: 'ReadNotices', ...target, personId, kinds: ['KEY_CREATED'] } as const
  await world.execute({ ...reading, noticeIds: [noticeId] })
  await world.execute({ ...reading, noticeIds: null })
  await world.execute({ type: 'ChooseNoticeMail', ...target, personId, mail: { MED_OPENED: true } })
  const viewId = `vew_${'0'.repeat(26)}` as never
  const view = { personId, page: 'transacoes', name: 'ção', query: 'status=PENDING' } as const
  await world.execute({ type: 'SaveView', ...target, viewId, view })
  await world.execute({ type: 'SaveView', ...target, viewId, view: { ...view, query: '' } })
  await world.execute({ type: 'RemoveView', ...target, viewId, personId })
  await world.execute({ type: 'RecordNoticesMailed', ...target, noticeIds: [noticeId] })
  happened(
    world,
    { actor: 'notice', type: 'NoticeRepeated', id: noticeId, atMs: world.now(), details: { name: null } },
    { actor: 'notice', type: 'NoticeReminded', id: noticeId, atMs: world.now() },
  )
}

/** Boletos, cards, and everything that takes a payment back. */
const everyMethod = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const target = { accountId: account, by: key } as const
  const late = { metadata: { sandboxScenario: 'paid_overdue' } }
  await world.accepted(aBoleto({ instructions: 'não receber\nem cheque' }, late))
  const boleto = await world.accepted(aBoleto())
  await world.execute({
    type: 'PayBoleto',
    ...target,
    transactionId: boleto.id,
    amountCents: null,
    paidAtMs: null,
    clearing: 'NEXT_BUSINESS_DAY',
  })
  await world.execute(aCardPayment({ token: 'tok_test_declined_51' }))
  await world.execute(aCardPayment({}, { metadata: { sandboxScenario: 'provider_error' } }))
  await world.execute(aCardPayment({ token: 'tok_test_processing' }))
  await world.execute(aCardPayment({ token: 'tok_test_timeout' }))
  const kept = await world.accepted(aCardPayment({ token: 'tok_test_capture_fails', captures: false }))
  const capture = { type: 'CaptureCharge', ...target, amountCents: toCents(4000) } as const
  await world.execute({ ...capture, transactionId: kept.id })
  await world.execute(aCancellation(kept.id))
  const held = await world.accepted(aCardPayment({ captures: false }, { metadata: { isHeld: true } }))
  await world.execute(aCancellation(held.id))
  const captured = await world.accepted(aCardPayment({ captures: false, installments: 3 }))
  await world.execute({ ...capture, transactionId: captured.id })
  await world.execute(aRefund(captured.id, 1000))
  const dispute = { type: 'OpenChargeback', ...target, amountCents: null, reason: null } as const
  for (const [result, text] of [
    ['WON', 'a'.repeat(20)],
    ['LOST', 'b'.repeat(20)],
  ] as const) {
    const payment = await world.accepted(aCardPayment({ installments: 2 }))
    await world.execute({ ...dispute, transactionId: payment.id })
    const reversalId = world.transaction(payment.id).reversals.chargebacks[0]!.id
    await world.execute({ type: 'DisputeChargeback', ...target, reversalId, text })
    await world.execute({ type: 'ResolveChargeback', ...target, reversalId, result })
  }
  await world.execute({ type: 'SettleTransaction', ...target, transactionId: captured.id })
  const slow = await world.accepted(aCharge({ metadata: { sandboxScenario: 'refund_fails' } }))
  await world.execute(aPayment(slow.id))
  await world.execute(aRefund(slow.id))
  const contested = await world.accepted(aCharge())
  await world.execute(aPayment(contested.id))
  const med = { type: 'OpenMed', ...target, amountCents: null, reason: null } as const
  await world.execute({ ...med, transactionId: contested.id })
  const reversalId = world.transaction(contested.id).reversals.meds[0]!.id
  await world.execute({ type: 'CloseMed', ...target, reversalId, result: 'ACCEPTED', returnedCents: null })
  await world.execute({
    type: 'SeedTransaction',
    ...target,
    transactionId: newTransactionId(),
    method: 'CRYPTO',
    origin: 'LINK',
    status: 'APPROVED',
    currency: 'USDT',
    amountCents: toCents(5),
    installments: 1,
    details: noDetails,
    customer: null,
    createdAtMs: null,
  })
  await world.advance('P40D')
}

/** As the Sandbox's, but what the metadata says is held it does not let go. */
const unwillingAcquirer = async (request: ProviderRequest): Promise<ProviderAnswer> => {
  if (request.connectionId !== null) return everyBankAnswer(request)
  return request.operation === 'VOID' && request.metadata.isHeld === true ? aNo() : askSandbox(request)
}

/** A chargeback that comes while a refund is on its way, which is not made. */
const anOvertakenRefund = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_slow' }))
  const { reversals } = await world.accepted(aRefund(id, 3_000))
  await world.accepted(aChargeback(id))
  await world.accepted(aRefundResolution(reversals.refunds[0]!.id, 'FAILED'))
}

/** A MED that is answered, and contested with and without success. */
const everyMedFact = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const target = { accountId: account, by: key } as const
  const files = [{ name: 'prova.pdf', mediaType: 'application/pdf', base64: 'JVBERi0=' }] as const
  for (const result of ['WON', 'LOST'] as const) {
    const { id } = await world.accepted(aCharge())
    await world.accepted(aPayment(id))
    const { reversals } = await world.accepted({
      ...aMed(id, 1000),
      details: 'não reconhece',
      rootEndToEndId: 'E00000000202611201200abcdefghijk',
    })
    const reversalId = reversals.meds[0]!.id
    const head = { id, by: key, atMs: world.now() } as const
    const short = { type: 'MedShortageChanged', medId: reversalId, transactionId: id } as const
    const ofAccount = { actor: 'account', id: account, atMs: world.now() } as const
    happened(
      world,
      { actor: 'transaction', type: 'MedBlocked', ...head, medId: reversalId, cents: toCents(0) },
      { ...ofAccount, ...short, missingCents: toCents(5) },
      { ...ofAccount, ...short, missingCents: toCents(0) },
    )
    const said = { ...target, reversalId, text: 'Foi retirado na loja.', files }
    await world.accepted({ type: 'DefendMed', ...said })
    await world.accepted(aMedDecision(reversalId, 'ACCEPTED', 700))
    await world.accepted({ type: 'ContestMed', ...said })
    await world.accepted({ type: 'ResolveMedContest', ...target, reversalId, result })
  }
}

/** Charges in stablecoins, what they could not take, conversions and wallets. */
const everyCryptoFact = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const target = { accountId: account, by: key } as const
  const { id } = await world.accepted(aChargeOf(10_000_000))
  await world.accepted(aTransfer(id, 4_000_000, { confirmations: 1, fromAddress: anAddressOfEthereum }))
  await world.execute({ type: 'DropTransfers', ...target, transactionId: id, txHash: null })
  await world.accepted(aTransfer(id, 13_000_000, { fromAddress: anAddressOfEthereum }))
  await world.accepted(aTransfer(id, 1_000_000, { asset: 'USDC' }))
  const [accepted, returned] = deposits(world)
  const resolve = { type: 'ResolveDeposit', ...target, address: null } as const
  await world.execute({ ...resolve, depositId: accepted!.id, action: 'ACCEPT' })
  await world.execute({ ...resolve, depositId: returned!.id, action: 'RETURN', address: anAddressOfEthereum })
  await world.accepted(aTransfer(id, 60_000))
  const depositId = deposits(world)[0]!.id
  const refusing = `0x${'1'.repeat(36)}dead`
  await world.execute({ ...resolve, depositId, action: 'RETURN', address: refusing })
  const call = { actor: 'cryptoDeposit', id: depositId, atMs: world.now(), callId: `${depositId}.2` } as const
  const sent = { address: refusing, feeUnits: toCents(50_000), by: null }
  happened(
    world,
    { ...call, type: 'ReturnSent', providerId: 'sandbox-chain', sent },
    { ...call, type: 'ReturnSilent', dueAtMs: world.now() + 5000 },
    { ...call, type: 'ReturnSentAgain' },
    { ...call, type: 'ReturnFailed', failureReason: 'DROPPED' },
  )
  await world.execute({ type: 'ForceRate', ...target, asset: 'USDT', rateMicros: toRateMicros(5_500_000) })
  for (const scenario of ['conversion_slow', 'conversion_fails', 'none']) {
    const quote = aQuoteRequest('USDT', 'BRL', 1_000_000)
    await world.execute(quote)
    await world.execute({
      ...aConversion(quote.quoteId, { sandboxScenario: scenario }),
      idempotency: { key: scenario, fingerprint: 'f' },
    })
  }
  await world.advance('PT10S')
  const [slow] = world.memory.list(account, 'conversion', {
    offset: 0,
    limit: 9,
    fits: (label) => label.startsWith('PROCESSING'),
  }).states
  await world.execute({
    type: 'ResolveConversion',
    ...target,
    conversionId: slow!.id,
    result: 'FAILED',
    failureReason: 'RATE_EXPIRED',
  })
  await world.execute(aQuoteRequest('USDT', 'BRL', 1))
  const walletId = `wal_${'0'.repeat(26)}` as never
  const wallet = {
    name: 'Cofre São João',
    asset: 'USDC',
    network: 'POLYGON',
    address: anAddressOfEthereum,
    ownership: 'PROVIDER',
    holderName: 'Loja São João',
    holderDocument: '11222333000181',
    providerName: 'Corretora',
    createdBy: 'per_1',
  } as const
  await world.execute({ type: 'RegisterWallet', ...target, walletId, wallet })
  await world.execute({ type: 'RemoveWallet', ...target, walletId })
  await everyWithdrawalFact(world)
}

const anAddressOfEthereum = '0x52908400098527886E0F7030069857D2E4169EE7'
