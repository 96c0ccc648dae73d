import t from 'tap'
import type { ProviderOutcome, RailNotice } from '../../../../gateway/providers/port.ts'
import { hookFor } from '../../../rails/api-pix/hook-for-test.ts'
import { type BankConnection, bankNames, connectedBank, mandateAsks } from './bank-connection.ts'

const payerAccount = { ispb: '60746948', branch: '0001-9', account: '5555-5' }

const mandateIn = (outcome: ProviderOutcome) => {
  if (outcome.type !== 'DONE' || outcome.evidence?.kind !== 'MANDATE')
    throw new Error(`no mandate: ${JSON.stringify(outcome)}`)
  return { id: outcome.evidence.mandateId!, copyPaste: outcome.evidence.copyPaste }
}

/** A mandate that its payer has authorized by its code. */
const authorized = async (connection: BankConnection, maximo?: string) => {
  const { bank, instance, asks } = connection
  const mandates = mandateAsks(asks)
  const { id, copyPaste } = mandateIn(await instance.ask(mandates.create()))
  bank.bank.pay({ code: copyPaste!, ...(maximo === undefined ? {} : { maximo }) })
  return { id, mandates }
}

const noticesOf = (
  connection: BankConnection,
  hook: Awaited<ReturnType<typeof hookFor>>,
): readonly RailNotice[] =>
  hook.heard().flatMap(({ path, body }) =>
    connection.instance.readNotice!({
      headers: {},
      path,
      body: Buffer.from(JSON.stringify(body)),
      peerCertificate: null,
    }),
  )

for (const name of bankNames)
  t.test(
    `${name}: a mandate is offered, authorized, charged and ended, and each step is reported`,
    async (t) => {
      const connection = await connectedBank(t, name)
      const { bank, instance } = connection
      const hook = await hookFor(t, bank.authority)
      t.match(await instance.registerHooks!(hook.url), { works: true })
      const { id, mandates } = await authorized(connection)
      const mandate = {
        kind: 'MANDATE',
        key: 'any',
        atMs: 0,
        data: { mandateId: id, state: '', code: null },
      } as const
      t.match(await instance.fetch!(mandate), {
        type: 'FOUND',
        object: { kind: 'MANDATE', mandateId: id, state: 'ACTIVE', code: null, closedBy: null },
      })

      await bank.clock.advance(1 * 86_400_000)
      const schedule = mandates.schedule(id, '2026-12-01')
      t.match(await instance.inquire(schedule), { type: 'NOT_FOUND' })
      const scheduled = await instance.ask(schedule)
      t.match(scheduled, { type: 'DONE', echo: { reference: schedule.reference, amountCents: 4_990 } })
      t.strictSame(await instance.inquire(schedule), scheduled)
      t.strictSame(await instance.ask(schedule), scheduled, 'the same once more is no second charge')
      t.equal(bank.bank.mandateCharges.all().length, 1)
      t.match(bank.bank.mandateCharges.all()[0]!.body, {
        recebedor: { agencia: '0001', conta: '1234567', tipoConta: 'CORRENTE' },
        ajusteDiaUtil: true,
      })
      await bank.clock.advance(6 * 86_400_000)
      const charge = {
        kind: 'MANDATE_CHARGE',
        key: 'any',
        atMs: 0,
        data: { txid: schedule.reference, state: '', code: null },
      } as const
      t.match(await instance.fetch!(charge), {
        type: 'FOUND',
        object: {
          state: 'PAID',
          attempts: [{ state: 'PAID', dueDate: '2026-12-01', code: null }],
          payments: [{ txid: schedule.reference, amountCents: 4_990 }],
        },
      })
      bank.bank.faults.add({ verb: 'GET', path: '/cobr/', does: { kind: 'change', set: { pix: null } } })
      t.match(await instance.fetch!(charge), {
        type: 'FOUND',
        object: { state: 'PAID', payments: [{ amountCents: 4_990 }] },
      })

      const cancel = mandates.cancel(id)
      t.match(await instance.inquire(cancel), { type: 'NOT_FOUND' })
      const cancelled = await instance.ask(cancel)
      t.match(cancelled, { type: 'DONE', evidence: { mandateId: id } })
      t.strictSame(await instance.ask(cancel), cancelled)
      t.match(await instance.fetch!(mandate), {
        object: { state: 'CANCELLED', code: 'SLCR', closedBy: 'RECEIVER' },
      })
      await bank.bank.webhooks.idle()
      t.strictSame(
        noticesOf(connection, hook).map(({ kind, key }) => `${kind} ${key.split(':').slice(1).join(':')}`),
        [
          'MANDATE APROVADA',
          'MANDATE_CHARGE CRIADA:S',
          'MANDATE_CHARGE ATIVA:A',
          'MANDATE_CHARGE CONCLUIDA:P',
          'PIX_IN ',
          'MANDATE CANCELADA',
        ],
      )
      const polled: string[] = []
      for await (const page of instance.poll!('from=0;hour=0;day=0', bank.clock.nowMs()))
        polled.push(...page.notices.map(({ kind }) => kind))
      t.ok(polled.includes('MANDATE') && polled.includes('MANDATE_CHARGE'))
    },
  )

t.test('the code of a journey holds the mandate alone, or pays a charge as well', async (t) => {
  const { bank, instance, asks } = await connectedBank(t, 'itau')
  const mandates = mandateAsks(asks)
  const charge = asks.register()
  const due = asks.registerDue()
  await instance.ask(charge)
  await instance.ask(due)
  for (const [journey, txid, pays] of [
    ['QR', null, 0],
    ['QR_WITH_PAYMENT', charge.reference, 1],
    ['OPTIONAL', due.reference, 1],
  ] as const) {
    const ask = mandates.create({ journey, txid })
    const outcome = await instance.ask(ask)
    const { id, copyPaste } = mandateIn(outcome)
    const before = bank.bank.payments.all().length
    bank.bank.pay({ code: copyPaste! })
    t.equal(bank.bank.payments.all().length - before, pays, journey)
    t.equal(bank.bank.mandates.find(id)!.status, 'APROVADA')
  }
})

t.test('the payer is asked by their bank, confirms, or refuses', async (t) => {
  const { bank, instance, asks } = await connectedBank(t, 'itau')
  const mandates = mandateAsks(asks)
  const ask = mandates.create({ journey: 'NOTIFICATION', payerAccount })
  const { id, copyPaste } = mandateIn(await instance.ask(ask))
  t.equal(copyPaste, null)
  await bank.hold('POST /mandates/answer', { idRec: id, does: 'reject' })
  t.match(
    await instance.fetch!({
      kind: 'MANDATE',
      key: '',
      atMs: 0,
      data: { mandateId: id, state: '', code: null },
    }),
    { object: { state: 'REJECTED', code: 'AP13', closedBy: 'PAYER' } },
  )
  t.match(await instance.ask(mandates.cancel(id)), { type: 'DONE' }, 'what has ended is ended')
})

t.test(
  'what is lost on the way of an offer is taken up where it stopped: one mandate, one request',
  async (t) => {
    for (const journey of ['QR', 'NOTIFICATION'] as const)
      for (const path of ['/locrec$', '/rec$', '/solicrec$', '/rec/']) {
        const { bank, instance, asks } = await connectedBank(t, 'banco-do-brasil')
        const mandates = mandateAsks(asks)
        await instance.ask(mandates.create({ contract: 'another' }))
        await bank.clock.advance(3_600_000)
        const ask = mandates.create({ journey, payerAccount: journey === 'QR' ? null : payerAccount })
        bank.bank.faults.add({ path, does: { kind: 'cut', when: 'after' } })
        const first = await instance.ask(ask)
        const later = { ...ask, asked: 1 }
        const found = await instance.inquire(later)
        const last = found.type === 'NOT_FOUND' ? await instance.ask(later) : found
        t.match(last, { type: 'DONE' }, `${journey} ${path} ${first.type} ${found.type}`)
        t.equal(bank.bank.mandates.list().length, 2)
        t.equal(
          bank.server.requests().filter(({ path }) => /solicrec$/.test(path)).length,
          journey === 'QR' ? 0 : 1,
        )
      }
  },
)

t.test('an offer that cannot be made is refused before anything is sent', async (t) => {
  const { bank, instance, asks, open } = await connectedBank(t, 'itau')
  const { create } = mandateAsks(asks)
  for (const change of [
    { customer: { ...create().data.customer, document: null } },
    { minCents: 100 as never },
    { journey: 'NOTIFICATION' as const },
    { journey: 'OPTIONAL' as const },
  ])
    t.match(await instance.ask(create(change)), { type: 'REFUSED' })
  t.match(await open({ pixAutomatic: false }).ask(create()), { type: 'REFUSED' })
  t.strictSame(bank.server.requests(), [])
  t.match(await instance.ask(create({ startOn: '2026-11-01' as never })), {
    type: 'REFUSED',
    refusal: { message: /anterior à criação/ },
  })
})

t.test('a rejected attempt is tried once more on another day, once, and then is paid', async (t) => {
  const connection = await connectedBank(t, 'itau')
  const { bank, instance } = connection
  const { id, mandates } = await authorized(connection)
  const schedule = mandates.schedule(id, '2026-12-01')
  await instance.ask(schedule)
  await bank.hold('POST /mandates/account', {
    idRec: id,
    does: 'reject',
    codigo: 'AB10',
    times: 2,
  })
  await bank.clock.advance(Date.UTC(2026, 11, 2, 15) - bank.clock.nowMs())
  const retry = mandates.later('RESCHEDULE', schedule.reference, '2026-12-03')
  t.match(await instance.inquire(retry), { type: 'NOT_FOUND' })
  bank.bank.faults.add({ verb: 'POST', path: 'retentativa', does: { kind: 'cut', when: 'after' } })
  t.strictSame(await instance.ask(retry), { type: 'SILENT' })
  t.match(await instance.ask(retry), { type: 'DONE' }, 'the bank has it')
  t.match(await instance.inquire(retry), { type: 'DONE' })
  t.match(await instance.ask(mandates.later('RESCHEDULE', schedule.reference, '2026-12-04')), {
    type: 'REFUSED',
    refusal: { message: /tentativa em andamento/ },
  })
  t.match(
    await instance.ask(mandates.later('UNSCHEDULE', schedule.reference, '2026-12-01')),
    { type: 'REFUSED' },
    'from the day of the first attempt on nothing is called off',
  )
  await bank.clock.advance(86_400_000)
  t.match(
    await instance.fetch!({
      kind: 'MANDATE_CHARGE',
      key: '',
      atMs: 0,
      data: { txid: schedule.reference, state: '', code: null },
    }),
    {
      object: {
        state: 'PAID',
        attempts: [
          { state: 'REJECTED', code: 'AB10', dueDate: '2026-12-01' },
          { state: 'REJECTED', code: 'AB10', dueDate: '2026-12-01' },
          { state: 'PAID', code: null, dueDate: '2026-12-03' },
        ],
      },
    },
  )
})

t.test('a charge is called off in time, and one above the maximum of its payer is refused', async (t) => {
  const connection = await connectedBank(t, 'efi')
  const { bank, instance } = connection
  const { id, mandates } = await authorized(connection)
  const schedule = mandates.schedule(id, '2026-12-01')
  await instance.ask(schedule)
  const off = mandates.later('UNSCHEDULE', schedule.reference, '2026-12-01')
  t.match(await instance.inquire(off), { type: 'NOT_FOUND' })
  bank.bank.faults.add({ verb: 'PATCH', does: { kind: 'cut', when: 'after' } })
  t.strictSame(await instance.ask(off), { type: 'SILENT' })
  t.match(await instance.ask(off), { type: 'DONE' })
  t.match(await instance.inquire(schedule), { type: 'UNDONE' })

  const bounded = await authorized(connection, '40.00')
  const above = mandates.schedule(bounded.id, '2026-12-01')
  t.match(await instance.ask(above), { type: 'DONE' })
  await bank.clock.advance(1_000)
  t.match(await instance.inquire(above), { type: 'REFUSED', refusal: { network: { code: 'AM02' } } })
  t.match(await instance.ask(mandates.schedule(bounded.id, '2026-12-01', 5_000)), {
    type: 'REFUSED',
    refusal: { message: /valor difere/i },
  })
})
