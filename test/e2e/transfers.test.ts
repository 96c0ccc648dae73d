import t, { type Test } from 'tap'
import { addDays, type CalendarDate, dateIn, isBusinessDay } from '../../engine/shared/calendar.ts'
import { readOfx } from '../read-ofx.ts'
import { problemsIn } from './kill-and-restart.ts'
import { oneWorker, startReceiver, startService, until } from './service.ts'
import { secondFactor } from './sign-in-directly.ts'
import { type StoryWorld, shareService, startForStory } from './stories.ts'

// Black-box cases 22 to 34 of "dashboard", section 7: beneficiaries that have cooled off, two finance people, the Sandbox.

const finance = { SANDBOX: 'FINANCE', PRODUCTION: 'FINANCE' } as const
const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
const zone = 'America/Sao_Paulo'

const plan = { people: [finance, finance, owner].map((roles) => ({ roles })) }

/** A company with money, two finance people, an owner, and a receiver of its events. */
const newFinance = async (t: Test, { service, company, key, members }: StoryWorld, reais: number) => {
  type Member = (typeof members)[0]
  const [ana, bia, dona] = members as [Member, Member, Member]
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url: receiver.url })
  await ana.call('POST', '/v1/sandbox/pix/received', { amount: 100 * reais })

  const clock = async () => Date.parse((await ana.call('GET', '/v1/sandbox/clock')).body.now)
  const advance = async (step: { by: string } | { to: string }) => {
    const { status, body } = await ana.call('POST', '/v1/sandbox/clock/advance', step)
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  // By day, whenever the test runs: the night has a limit of its own.
  await advance({ to: `${addDays(dateIn(zone, await clock()), 1)}T10:00:00-03:00` })
  let accounts = 0
  const register = async () => {
    const { status, body } = await ana.call(
      'POST',
      '/v1/beneficiaries',
      {
        name: 'Comercial Aurora Ltda',
        document: '11444777000161',
        bankCode: '341',
        branch: '1234',
        account: String(++accounts),
        accountType: 'CHECKING',
      },
      secondFactor,
    )
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id as string
  }
  /** One that has cooled off and was paid before. */
  const known = async () => {
    const beneficiaryId = await register()
    await advance({ by: 'PT24H' })
    await completed((await create({ beneficiaryId, amount: 1 })).body.id)
    return beneficiaryId
  }
  const create = (body: object, by = ana, headers = {}) =>
    by.call('POST', '/v1/transfers', { kind: 'PIX', ...body }, { ...secondFactor, ...headers })
  const get = async (id: string) => (await ana.call('GET', `/v1/transfers/${id}`)).body
  const ended = async (id: string) => {
    await until(async () => ['COMPLETED', 'FAILED'].includes((await get(id)).status))
    return get(id)
  }
  const completed = async (id: string) => {
    const transfer = await ended(id)
    if (transfer.status !== 'COMPLETED') throw new Error(JSON.stringify(transfer))
    return transfer
  }
  /** The events about a transfer, in the order of their versions, once there are so many. */
  const heard = async (id: string, count: number) => {
    const about = () => receiver.heard.map(({ event }) => event).filter(({ data }) => data.id === id)
    await until(async () => about().length >= count)
    return about().map(({ type }) => type)
  }
  return {
    service,
    company,
    key,
    ana,
    bia,
    dona,
    clock,
    advance,
    register,
    known,
    create,
    get,
    ended,
    completed,
    heard,
  }
}

const { story: storyIn, stopped } = shareService(t, { env: oneWorker })
type Finance = Awaited<ReturnType<typeof newFinance>>

const story = (title: string, reais: number, tell: (t: Test, of: Finance) => Promise<unknown>): void =>
  storyIn(title, plan, async (t, world) => tell(t, await newFinance(t, world, reais)))

story(
  'case 22: another person approves what is above the threshold',
  50_000,
  async (t, { ana, bia, known, create, completed, heard }) => {
    const beneficiaryId = await known()
    const preview = await ana.call('POST', '/v1/transfers/preview', {
      kind: 'PIX',
      beneficiaryId,
      amount: 500_001,
    })
    t.match(preview, { status: 200, body: { approvalsRequired: 1, reasons: ['AMOUNT'], feeAmount: '0' } })
    const { withdrawable } = (await ana.call('GET', '/v1/balance')).body
    t.equal(preview.body.withdrawableAfter, String(withdrawable - 500_001), 'as if it were approved')
    t.match(await ana.call('POST', '/v1/transfers', { kind: 'PIX', beneficiaryId, amount: 500_001 }), {
      status: 403,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    })
    const { status, body } = await create({ beneficiaryId, amount: 500_001 })
    t.match([status, body.status], [201, 'PENDING_APPROVAL'])
    const approve = `/v1/transfers/${body.id}/approve`
    t.match(await ana.call('POST', approve, {}, secondFactor), { status: 403, body: { code: 'OWN_REQUEST' } })
    t.match(await bia.call('POST', approve, {}), { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } })
    t.match(await bia.call('POST', approve, {}, secondFactor), {
      status: 200,
      body: { approvals: { given: 1 } },
    })
    const done = await completed(body.id)
    t.match(done, {
      amount: '500001',
      beneficiary: { document: '**.444.777/****-**' },
      decisions: [{ personId: bia.personId, decision: 'APPROVED' }],
    })
    t.strictSame(
      done.events.map(({ type, actor }: any) => [type, actor.kind, actor.id]),
      [
        ['TransferCreated', 'PERSON', ana.personId],
        ['TransferDecided', 'PERSON', bia.personId],
        ['TransferScheduled', 'PERSON', bia.personId],
        ['TransferSent', 'PERSON', bia.personId],
        ['TransferCompleted', 'PROVIDER', null],
      ],
    )
    t.match(done.events[0], { at: done.createdAt, data: { amount: '500001', approvalsRequired: 1 } })
    t.match(done.events[1], { data: { decision: 'APPROVED' } })
    t.strictSame(await heard(body.id, 3), [
      'transfer.pending_approval',
      'transfer.scheduled',
      'transfer.completed',
    ])
    const notices = (await bia.call('GET', '/v1/notifications')).body.data.map(({ kind }: any) => kind)
    t.ok(notices.includes('TRANSFER_PENDING') && notices.includes('TRANSFER_COMPLETED'))
  },
)

story('case 23: the fifth of 4,500 reais by one person waits', 50_000, async (t, { known, create }) => {
  const beneficiaryId = await known()
  const statuses = []
  for (let n = 1; n <= 5; n++)
    statuses.push((await create({ beneficiaryId, amount: 450_000, allowDuplicate: true })).body.status)
  t.strictSame(statuses.slice(0, 4).includes('PENDING_APPROVAL'), false)
  t.equal(statuses[4], 'PENDING_APPROVAL')
})

story(
  'case 25: two of 60 % of the balance in parallel, and one key fifty times with one code',
  1_000,
  async (t, { ana, bia, known, create, get }) => {
    const beneficiaryId = await known()
    const answers = await Promise.all([
      create({ beneficiaryId, amount: 60_000 }, ana),
      create({ beneficiaryId, amount: 60_001 }, bia),
    ])
    t.strictSame(answers.map(({ status }) => status).toSorted(), [201, 422])
    t.equal(answers.find(({ status }) => status === 422)!.body.code, 'INSUFFICIENT_BALANCE')

    const body = { kind: 'PIX', beneficiaryId, amount: 1_000 }
    const path = '/v1/transfers'
    const headers = { 'Idempotency-Key': 'k', ...(await ana.confirmation('POST', path, body)) }
    const repeats = await Promise.all(Array.from({ length: 50 }, () => ana.call('POST', path, body, headers)))
    const made = new Set(repeats.filter(({ status }) => status === 201).map(({ body }) => body.id))
    t.equal(made.size, 1)
    t.ok(repeats.every(({ status, body }) => status === 201 || body.code === 'IDEMPOTENCY_KEY_IN_PROGRESS'))
    t.match(await ana.call('POST', path, body, { 'Idempotency-Key': 'k' }), {
      status: 201,
      body: { id: [...made][0] },
    })
    const { data } = (await ana.call('GET', '/v1/transfers?minAmount=1000&maxAmount=1000')).body
    t.equal(data.length, 1)
    t.ok(await get(data[0].id))
  },
)

story(
  'case 26: above the limit of the night at 21:00, 05:59, 06:00',
  300_000,
  async (t, { known, create, clock, advance, ana }) => {
    const beneficiaryId = await known()
    const tomorrow = addDays(dateIn(zone, await clock()), 1)
    const tries = async (to: string) => {
      await advance({ to })
      const { status, body } = await create({ beneficiaryId, amount: 2_000_001 })
      return [status, body.code ?? null, body.limit ?? null, body.resetsAt ?? null]
    }
    const refused = [422, 'LIMIT_EXCEEDED', 'pixNightAmount', `${addDays(tomorrow, 1)}T09:00:00.000Z`]
    t.strictSame(await tries(`${tomorrow}T21:00:00-03:00`), refused)
    t.strictSame(await tries(`${addDays(tomorrow, 1)}T05:59:00-03:00`), refused)
    t.strictSame(await tries(`${addDays(tomorrow, 1)}T06:00:00-03:00`), [201, null, null, null])
    t.match((await ana.call('GET', '/v1/company/limits')).body.usage, { pixDayAmount: '0' }, 'it still waits')
  },
)

story(
  'case 28: a new beneficiary, and a day later',
  50_000,
  async (t, { register, create, advance, clock }) => {
    const beneficiaryId = await register()
    const body = { beneficiaryId, amount: 100_001 }
    const before = await clock()
    const refused = await create(body)
    t.match(refused, { status: 422, body: { code: 'BENEFICIARY_COOLING_OFF', limit: '100000' } })
    t.ok(Date.parse(refused.body.availableAt) - before <= 86_400_000)
    await advance({ by: 'PT24H' })
    t.match(await create(body), {
      status: 201,
      body: { status: 'PENDING_APPROVAL', approvalReasons: ['NEW_BENEFICIARY'] },
    })
  },
)

story(
  'case 29: a TED of Friday, 17:01, before a Monday that is a holiday',
  50_000,
  async (t, { known, create, clock, advance }) => {
    const beneficiaryId = await known()
    let friday = addDays(dateIn(zone, await clock()), 1)
    const isWanted = (day: CalendarDate): boolean =>
      new Date(`${day}T12:00:00Z`).getUTCDay() === 5 &&
      isBusinessDay(day) &&
      !isBusinessDay(addDays(day, 3)) &&
      isBusinessDay(addDays(day, 4))
    while (!isWanted(friday)) friday = addDays(friday, 1)
    while ((await clock()) < Date.parse(`${friday}T17:01:00-03:00`)) {
      const yearOn = (await clock()) + 365 * 86_400_000
      await advance({ to: new Date(Math.min(yearOn, Date.parse(`${friday}T17:01:00-03:00`))).toISOString() })
    }
    t.match(await create({ kind: 'TED', beneficiaryId, amount: 100 }), {
      status: 201,
      body: { status: 'SCHEDULED', feeAmount: '500', runsAt: `${addDays(friday, 4)}T09:30:00.000Z` },
    })
  },
)

story(
  'case 31: a scheduled transfer whose balance is gone',
  1_000,
  async (t, { known, create, clock, advance, get, heard, ana }) => {
    const beneficiaryId = await known()
    const scheduledFor = addDays(dateIn(zone, await clock()), 3)
    const { body } = await create({ beneficiaryId, amount: 90_000, scheduledFor })
    t.match((await ana.call('GET', '/v1/balance')).body, { scheduledOut: '90000', withdrawable: '99999' })
    await create({ beneficiaryId, amount: 20_000 })
    await advance({ by: 'P4D' })
    t.match(await get(body.id), {
      status: 'FAILED',
      failureReason: 'INSUFFICIENT_BALANCE',
      providerCode: null,
      events: [
        { type: 'TransferCreated', actor: { kind: 'PERSON', id: ana.personId } },
        {
          type: 'TransferFailed',
          actor: { kind: 'CLOCK', id: null },
          data: { failureReason: 'INSUFFICIENT_BALANCE', providerCode: null },
        },
      ],
    })
    t.strictSame(await heard(body.id, 2), ['transfer.scheduled', 'transfer.failed'])
    t.match((await ana.call('GET', '/v1/balance')).body, { scheduledOut: '0' })
  },
)

t.test('case 32: a bank that is silent while the service is killed pays once', async (t) => {
  const alone = await startForStory(t, plan, { env: oneWorker })
  const { service, known, create, ana, company } = await newFinance(t, alone, 1_000)
  const beneficiaryId = await known()
  const metadata = { sandboxScenario: 'transfer_silent' }
  const { body } = await create({ beneficiaryId, amount: 50_000, metadata })
  t.equal(body.status, 'PROCESSING')
  await service.kill('SIGKILL')
  const again = await startService(t, { dataDir: service.dataDir, env: oneWorker })
  const key = await again.operate('keys create', { company: company.id, environment: 'sandbox' })
  const headers = { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' }
  const advanced = await fetch(`${again.origin}/v1/sandbox/clock/advance`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ by: 'PT15M' }),
  })
  t.equal(advanced.status, 200)
  const asks = async (path: string): Promise<any> =>
    (await fetch(again.origin + path, { headers: ana.headers })).json()
  t.match(await asks(`/v1/transfers/${body.id}`), { status: 'COMPLETED' })
  t.match(await asks('/v1/balance'), { available: '49999', blocked: '0' })
  await again.kill('SIGTERM')
  t.strictSame(await problemsIn(again.dataDir), [])
})

story(
  'case 34: a key that changes hands between look-up and run',
  1_000,
  async (t, { ana, create, clock, advance, get, heard }) => {
    const lookup = await ana.call('POST', '/v1/pix/lookups', { key: 'Trocou@sandbox.test' })
    t.match(lookup, { status: 201, body: { keyType: 'EMAIL', key: 'trocou@sandbox.test', document: /\*/ } })
    const scheduledFor = addDays(dateIn(zone, await clock()), 2)
    const { status, body } = await create({ lookupId: lookup.body.id, amount: 5_000, scheduledFor })
    t.equal(status, 201)
    await advance({ by: 'P3D' })
    t.match(await get(body.id), { status: 'FAILED', failureReason: 'BENEFICIARY_CHANGED' })
    t.strictSame(await heard(body.id, 2), ['transfer.scheduled', 'transfer.failed'])
    const notices = (await ana.call('GET', '/v1/notifications')).body.data
    t.match(
      notices.find(({ kind }: any) => kind === 'TRANSFER_FAILED'),
      { details: { reason: 'BENEFICIARY_CHANGED' } },
    )
  },
)

story(
  'what a person asked for who leaves the company is cancelled',
  50_000,
  async (t, { ana, bia, dona, known, create, get }) => {
    const beneficiaryId = await known()
    const { id } = (await create({ beneficiaryId, amount: 600_000 }, bia)).body
    const { members } = (await dona.call('GET', '/v1/team')).body
    const member = members.find(({ personId }: any) => personId === bia.personId)
    t.equal((await dona.call('DELETE', `/v1/team/${member.id}`)).status, 200)
    await until(async () => (await get(id)).status === 'CANCELLED')
    t.match(await get(id), { cancelReason: 'CREATOR_REMOVED' })
    t.match(await ana.call('POST', `/v1/transfers/${id}/approve`, {}, secondFactor), { status: 409 })
  },
)

story(
  'balance, statement, receipt and exports tell the same, to the centavo',
  1_000,
  async (t, { service, company, ana, known, create, completed, register, clock, advance }) => {
    const beneficiaryId = await known()
    let monday = addDays(dateIn(zone, await clock()), 1)
    while (!isBusinessDay(monday)) monday = addDays(monday, 1)
    await advance({ to: `${monday}T10:00:00-03:00` })
    const ted = (await create({ kind: 'TED', beneficiaryId, amount: 30_000, description: '=1+1' })).body
    await completed(ted.id)
    const balance = (await ana.call('GET', '/v1/balance')).body
    t.match(balance, {
      available: '69499',
      withdrawable: '69499',
      blocked: '0',
      currencies: [{ currency: 'BRL', available: '69499' }],
    })
    const toAurora = {
      counterpart: 'Comercial Aurora Ltda',
      method: 'TED',
      description: '=1+1',
      endToEndId: null,
    }
    const { body } = await ana.call('GET', `/v1/statement?pageSize=2`)
    t.match(body, {
      openingBalance: '0',
      closingBalance: '69499',
      pagination: { total: 4, totalPages: 2 },
      days: [
        {
          date: monday,
          openingBalance: '99999',
          closingBalance: '69499',
          lines: [
            { type: 'FEE', amount: '-500', balanceAfter: '69499', objectId: ted.id, ...toAurora },
            { type: 'TRANSFER', amount: '-30000', balanceAfter: '69999', objectId: ted.id, ...toAurora },
          ],
        },
      ],
    })
    const rest = (await ana.call('GET', '/v1/statement?pageSize=2&page=2')).body
    const lines = rest.days.flatMap((day: any) => day.lines)
    t.match(lines, [
      {
        type: 'TRANSFER',
        amount: '-1',
        counterpart: 'Comercial Aurora Ltda',
        method: 'PIX',
        endToEndId: /^E/,
      },
      {
        type: 'SETTLEMENT',
        amount: '100000',
        counterpart: /^\w/,
        method: 'PIX',
        endToEndId: /^E/,
      },
    ])
    const csv = await ana.call('GET', '/v1/statement/export')
    t.equal(csv.body.split('\r\n').length, 6)
    t.match(csv.body, `,-30000,69999,${ted.id},Comercial Aurora Ltda,TED,'=1+1,\r\n`)
    const forExcel = await ana.call('GET', '/v1/statement/export?dialect=excel-br')
    t.match(forExcel.body, /^Data;Data e hora;Movimentação;Valor;Saldo;/)
    t.match(forExcel.body, `;TRANSFER;-300,00;699,99;${ted.id};Comercial Aurora Ltda;TED;'=1+1;\r\n`)
    const ofx = await fetch(`${service.origin}/v1/statement/export?format=ofx`, { headers: ana.headers })
    t.match(Object.fromEntries(ofx.headers), {
      'content-type': 'application/x-ofx',
      'content-disposition': /statement_\S+\.ofx/,
    })
    const imported = readOfx(Buffer.from(await ofx.arrayBuffer()))
    t.equal(imported.balance, '694.99')
    t.equal(imported.lines.length, 4)
    const [fee, sent] = imported.lines
    t.match(fee, { TRNTYPE: 'FEE', TRNAMT: '-5.00', MEMO: 'Tarifa - TED - Comercial Aurora Ltda - =1+1' })
    t.match(sent, { TRNTYPE: 'DEBIT', TRNAMT: '-300.00', NAME: 'Comercial Aurora Ltda', FITID: /^stl_/ })
    t.match(sent!.DTPOSTED, new RegExp(`^${monday.replaceAll('-', '')}10\\d{4}\\[-3:BRT\\]$`))
    t.match(imported.lines[3], { TRNTYPE: 'CREDIT', TRNAMT: '1000.00', REFNUM: /^E/ })
    t.match(await ana.call('GET', '/v1/statement?from=2026-01-01&to=2026-06-01'), { status: 400 })
    const transfers = await ana.call('GET', '/v1/transfers/export?kind=TED')
    t.match(transfers.body, `TED,COMPLETED,30000,500,Comercial Aurora Ltda`)
    t.match(transfers.body, `'=1+1`, 'no spreadsheet takes it for a formula')

    const receipt = async (): Promise<Buffer> => {
      const file = await fetch(`${service.origin}/v1/transfers/${ted.id}/receipt`, { headers: ana.headers })
      t.equal(file.headers.get('content-type'), 'application/pdf')
      return Buffer.from(await file.arrayBuffer())
    }
    const issued = await receipt()
    t.match(issued.subarray(0, 5).toString(), '%PDF-')
    await service.operate('companies update', {
      id: company.id,
      name: 'Outro Nome SA',
      timeZone: 'America/Manaus',
    })
    t.ok((await receipt()).equals(issued), 'a receipt says for ever what it said')
    const waiting = (
      await create({ beneficiaryId: await register(), amount: 5, scheduledFor: addDays(monday, 5) })
    ).body
    t.match(await ana.call('GET', `/v1/transfers/${waiting.id}/receipt`), {
      status: 409,
      body: { currentStatus: 'SCHEDULED', allowedStatuses: ['COMPLETED'] },
    })
  },
)

t.test('after all of them the ledger adds up', async (t) => {
  t.strictSame(await problemsIn(await stopped()), [])
})
