import t from 'tap'
import type { PayerMail } from '../../../engine/payer-mail/payer-mail.ts'
import { type CalendarDate, isoInstant } from '../../../engine/shared/calendar.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import {
  aBoleto,
  aCancellation,
  aCardPayment,
  aCharge,
  account,
  aPayer,
  dayMs,
  institution,
  opened,
  ours,
  refusalOf,
  type World,
} from '../world.ts'

const hour = 3_600_000

const aSend = (transactionId: TransactionId, language: 'pt' | 'en' = 'pt') =>
  ({ type: 'SendCharge', ...ours, transactionId, language }) as const

const setDays = (world: World, days: readonly number[]) =>
  world.execute({ type: 'SetReminders', ...ours, plan: { days, language: 'pt' } })

const mailAbout = (world: World, transactionId: TransactionId): PayerMail | undefined =>
  world.memory.lookup('payerMail', account, transactionId)[0]?.state

const waiting = (world: World) => world.shard.query({ type: 'ListWaitingMail', accountId: account })

const done = (world: World, { id: payerMailId }: PayerMail, number: number, outcome = 'QUEUED' as const) =>
  refusalOf(world, { type: 'RecordPayerMail', ...ours, payerMailId, number, outcome })

t.test('a charge is sent to its payer, and its history says so', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge({ customer: aPayer }))
  const sent = await world.accepted(aSend(charge.id))
  t.match(sent.timeline.at(-1), {
    type: 'ChargeSent',
    status: 'PENDING',
    actor: { kind: 'KEY' },
    data: { purpose: 'REQUESTED', to: 'a***@example.com' },
  })
  t.strictSame(world.events(), [], 'no webhook')
  const [mail] = await waiting(world)
  t.match(mail, { number: 1, purpose: 'REQUESTED', language: 'pt', transaction: { id: charge.id } })
  const about = mailAbout(world, charge.id)!
  t.equal(await done(world, about, 1), 'accepted')
  t.strictSame(await waiting(world), [])
  t.match(await done(world, about, 1), { reason: 'INVALID_STATE', currentStatus: 'QUEUED' }, 'by one node')
  t.match(await done(world, about, 2), { reason: 'NOT_FOUND' })
})

t.test('what a mail could not pay is not sent', async (t) => {
  const world = await opened()
  const reasonOf = (id: TransactionId) => world.refused(aSend(id))
  t.equal(await reasonOf('txn_0' as TransactionId), 'NOT_FOUND')
  const nobody = await world.accepted(aCharge())
  t.equal(await reasonOf(nobody.id), 'PAYER_EMAIL_MISSING')
  const { id: anonymous } = await world.accepted(aCharge({ customer: { ...aPayer, email: null } }))
  t.equal(await reasonOf(anonymous), 'PAYER_EMAIL_MISSING')
  const cancelled = await world.accepted(aBoleto())
  await world.execute(aCancellation(cancelled.id))
  t.strictSame(await refusalOf(world, aSend(cancelled.id)), {
    reason: 'INVALID_STATE',
    currentStatus: 'CANCELLED',
    allowedStatuses: ['PENDING'],
  })
  t.equal(await reasonOf((await world.accepted(aCardPayment({}, { customer: aPayer }))).id), 'INVALID_STATE')
  const short = { method: 'PIX', expiresInSeconds: 60, due: null } as const
  const expiring = await world.accepted(aCharge({ customer: aPayer, terms: short }))
  world.pass(61_000)
  t.equal(await reasonOf(expiring.id), 'INVALID_STATE', 'its time is over')
  const mute = await opened(undefined, undefined, [], { ...institution, sendsMail: false })
  const charge = await mute.accepted(aCharge({ customer: aPayer }))
  t.equal(await mute.refused(aSend(charge.id)), 'MAIL_NOT_SET_UP')
})

t.test('nobody is pestered: three mails a day about a charge, two hundred an hour in all', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aBoleto())
  for (let n = 0; n < 3; n++) {
    t.equal(await world.refused(aSend(charge.id)), 'accepted')
    world.pass(hour)
  }
  const availableAtMs = world.now() + 21 * hour
  const of = { reason: 'TOO_MANY_MAILS', of: 'CHARGE', mailsMax: 3, availableAtMs }
  t.strictSame(await refusalOf(world, aSend(charge.id)), of)
  await world.advance('P1D')
  t.strictSame(await refusalOf(world, aSend(charge.id)), of, 'the clock of the Sandbox does not count')
  world.pass(21 * hour)
  t.equal(await world.refused(aSend(charge.id)), 'accepted')
  for (let n = 1; n < 200; n++) {
    const { id } = await world.accepted(aBoleto({ dueDate: '2026-12-30' as CalendarDate }))
    t.equal(await world.refused(aSend(id)), 'accepted')
  }
  const { id: tooMany } = await world.accepted(aBoleto({ dueDate: '2026-12-30' as CalendarDate }))
  t.match(await refusalOf(world, aSend(tooMany)), { of: 'COMPANY', mailsMax: 200 })
  world.pass(hour)
  t.equal(await world.refused(aSend(tooMany)), 'accepted')
})

/** The reminders of a charge that were asked for, with the company's time. */
const reminded = (world: World, { id }: { readonly id: TransactionId }): readonly string[] =>
  world.told.flatMap(({ steps }) =>
    steps.flatMap(({ event, after }) =>
      event.type === 'RemindersPlanned' && (after as PayerMail).transactionId === id
        ? (after as PayerMail).mails.slice(-1).map(({ purpose }) => purpose)
        : [],
    ),
  )

t.test('reminders go out in the morning, before, on and after the due date', async (t) => {
  const world = await opened()
  const before = await world.accepted(aBoleto())
  await setDays(world, [-3, 0, 2])
  const boleto = await world.accepted(aBoleto())
  const due = { date: '2026-11-30' as CalendarDate }
  const pix = await world.accepted(
    aCharge({ customer: aPayer, terms: { method: 'PIX', expiresInSeconds: null, due } }),
  )
  t.equal(mailAbout(world, before.id), undefined, 'those of before are left alone')
  const { id: atOnce } = await world.accepted(aCharge({ customer: aPayer }))
  t.equal(mailAbout(world, atOnce), undefined, 'one without a due date has no day to remind of')
  const { remindAtMs, remindOn } = mailAbout(world, boleto.id)!
  t.strictSame(remindOn, ['2026-11-27', '2026-11-30', '2026-12-02'])
  t.equal(isoInstant(remindAtMs!), '2026-11-27T12:00:00.000Z', 'nine in São Paulo')
  await world.advance('P20D')
  t.strictSame(reminded(world, boleto), ['BEFORE_DUE', 'ON_DUE_DATE', 'AFTER_DUE'])
  t.strictSame(reminded(world, pix).slice(0, 2), ['BEFORE_DUE', 'ON_DUE_DATE'])
  t.equal(mailAbout(world, boleto.id)!.remindAtMs, null)
  const about = mailAbout(world, boleto.id)!
  t.equal(await done(world, about, 1), 'accepted')
  t.match(world.transaction(boleto.id).timeline.at(-1), {
    type: 'ChargeSent',
    data: { purpose: 'BEFORE_DUE' },
  })
  t.match(world.account().payerMail, { sent: 0, reminded: 1 })
})

t.test('what was paid or cancelled, and what is switched off, is not reminded of', async (t) => {
  const world = await opened()
  await setDays(world, [-1, 0, 1])
  const cancelled = await world.accepted(aBoleto())
  const left = await world.accepted(aBoleto())
  await world.execute(aCancellation(cancelled.id))
  await world.advance('P9D')
  t.strictSame(reminded(world, cancelled), [])
  t.equal(mailAbout(world, cancelled.id)!.remindAtMs, null)
  t.strictSame(reminded(world, left), ['BEFORE_DUE'])
  await setDays(world, [])
  await world.advance('P9D')
  t.equal(mailAbout(world, left.id)!.mails.length, 1)
  t.equal(mailAbout(world, left.id)!.remindAtMs, null)
})

t.test(
  'after a stop nobody is written to at night, and of what was missed nothing is made up for',
  async (t) => {
    const world = await opened()
    await setDays(world, [-3, -2, -1])
    const boleto = await world.accepted(aBoleto())
    const asleepFor = async (ms: number) => {
      world.pass(ms)
      world.shard.tick()
      await world.settle()
    }
    // From Friday, 9 in the morning, to the next Friday at 23.
    await asleepFor(7 * dayMs + 14 * hour)
    t.strictSame(mailAbout(world, boleto.id)!.mails, [], 'it is night, and the morning has passed')
    t.strictSame(mailAbout(world, boleto.id)!.remindOn, ['2026-11-28', '2026-11-29'])
    // To Sunday at 10: Saturday is over, and Sunday's is not too late.
    await asleepFor(dayMs + 11 * hour)
    t.match(mailAbout(world, boleto.id)!.mails, [{ purpose: 'BEFORE_DUE' }])
    t.equal(mailAbout(world, boleto.id)!.mails.length, 1)
    t.equal(mailAbout(world, boleto.id)!.remindAtMs, null)
  },
)

t.test('who unsubscribes is kept as a hash, once, and stays so after a reset', async (t) => {
  const world = await opened()
  const unsubscribe = { type: 'Unsubscribe', ...ours, addressHash: 'h1' } as const
  const isOut = (addressHash: string) =>
    world.shard.query({ type: 'FindUnsubscription', accountId: account, addressHash })
  t.equal(await isOut('h1'), false)
  await world.execute(unsubscribe)
  await world.execute(unsubscribe)
  t.equal(world.account().payerMail?.unsubscribed, 1)
  await world.execute({ type: 'ClearSandbox', ...ours })
  t.equal(await isOut('h1'), true)
  t.equal(await isOut('h2'), false)
})
