import t from 'tap'
import { everyScope } from './examples/play.ts'
import { newMerchant, oneWorker, posted, startService } from './service.ts'

const methods = ['PIX', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'CRYPTO'] as const
const cardStatuses = [
  ...['AUTHORIZED', 'APPROVED', 'CANCELLED', 'EXPIRED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CHARGEBACK'],
  'DECLINED',
]

/** Every figure of the overview is the sum of what the list behind it shows (dashboard, section 4.6). */
t.test('figures are sums of the lists that they count', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call } = await newMerchant(service, { scopes: everyScope })
  let seed = 7
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  const customer = { name: 'Ana Dias', document: '52998224725' }
  const { body: start } = await call('GET', '/v1/overview')
  const dueDate = new Date(Date.parse(`${start.to}T12:00:00Z`) + 20 * 86_400_000).toISOString().slice(0, 10)
  const open: { readonly path: string; readonly body: object }[] = []
  for (let day = 0; day < 9; day++) {
    for (let n = 0; n < 5; n++) {
      const amount = 1000 + random(900_000)
      switch (random(5)) {
        case 0: {
          const { id } = await posted(call, '/v1/boletos', { amount, dueDate, customer })
          open.push({ path: `/v1/sandbox/boletos/${id}/pay`, body: { clearing: 'IMMEDIATE' } })
          break
        }
        case 1: {
          const scenario = ['approved', 'declined_51', 'timeout', 'processing'][random(4)]
          const card = { token: `tok_test_${scenario}`, brand: 'VISA', last4: '4242' }
          const capture = random(2) === 0
          const { id, status } = await posted(call, '/v1/card-payments', { amount, capture, card })
          if (status === 'AUTHORIZED' && random(2) === 0)
            open.push({ path: `/v1/card-payments/${id}/capture`, body: { amount: amount - 500 } })
          break
        }
        case 2: {
          const { id } = await posted(call, '/v1/pix/charges', { amount, expiresInSeconds: 86_400 * 30 })
          open.push({ path: `/v1/sandbox/pix/charges/${id}/pay`, body: {} })
          break
        }
        case 3: {
          const { id } = await posted(call, '/v1/pix/charges', { amount })
          await posted(call, `/v1/sandbox/pix/charges/${id}/pay`, {})
          if (random(2) === 0)
            open.push({ path: `/v1/transactions/${id}/refund`, body: { amount: 500 + random(400) } })
          break
        }
        default:
          // Paid days after it was made, or never.
          for (const { path, body } of open.splice(random(open.length + 1), 2)) await call('POST', path, body)
      }
    }
    await posted(call, '/v1/sandbox/clock/advance', { by: `PT${10 + random(20)}H` })
  }

  const paidOf = async (query: string): Promise<{ count: number; amount: string }> => {
    const { status, body } = await call('GET', `/v1/transactions?pageSize=1&${query}`)
    t.equal(status, 200, query)
    const sums = body.totals.find(({ currency }: { currency: string }) => currency === 'BRL')
    return { count: sums?.count ?? 0, amount: sums?.paidAmount ?? '0' }
  }
  const period = `from=${start.from}`
  const statuses = 'status=APPROVED,PARTIALLY_REFUNDED,REFUNDED,CHARGEBACK'
  for (const dateField of ['approvedAt', 'createdAt']) {
    const { body } = await call('GET', `/v1/overview?${period}&dateField=${dateField}`)
    const days = new Map<string, { count: number; amount: string }>()
    for (const { date, method, ...sums } of body.volume) days.set(`${date} ${method}`, sums)
    t.ok(days.size > 5, `${days.size} days and methods`)
    for (const { date } of body.approval)
      for (const method of methods) {
        const list = `from=${date}&to=${date}&dateField=${dateField}&method=${method}&${statuses}`
        t.strictSame(
          await paidOf(list),
          days.get(`${date} ${method}`) ?? { count: 0, amount: '0' },
          `${date} ${method} by ${dateField}`,
        )
      }
    for (const { method, ...sums } of body.methods)
      t.strictSame(
        await paidOf(`from=${body.from}&to=${body.to}&dateField=${dateField}&method=${method}&${statuses}`),
        sums,
      )
  }

  const { body } = await call('GET', `/v1/overview?${period}`)
  // Days, hours and the whole period are the same payments, added up otherwise.
  for (const dateField of ['approvedAt', 'createdAt']) {
    const { body } = await call('GET', `/v1/overview?${period}&dateField=${dateField}`)
    const sumOf = (tallies: readonly { count: number; amount: string }[]) => ({
      count: tallies.reduce((sum, { count }) => sum + count, 0),
      amount: String(tallies.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
    })
    const { attempts, approved, ...paid } = body.totals
    for (const tallies of [body.days, body.hours, body.volume, body.methods])
      t.strictSame(sumOf(tallies), paid)
    t.strictSame(
      await paidOf(`from=${body.from}&to=${body.to}&dateField=${dateField}&${statuses}`),
      paid,
      `a period by ${dateField}`,
    )
    t.equal(body.hours.length, 24)
    t.equal(body.days.length, body.approval.length)
    t.equal(
      attempts,
      body.approval.reduce((sum: number, day: any) => sum + day.attempts, 0),
    )
    // The period before is what the same question about it is told.
    const half = (
      await call('GET', `/v1/overview?from=${body.days[body.days.length - 4].date}&dateField=${dateField}`)
    ).body
    const { from, to, ...previous } = half.previous
    const before = (await call('GET', `/v1/overview?from=${from}&to=${to}&dateField=${dateField}`)).body
    t.strictSame(previous, before.totals)
    t.ok(previous.count > 0)
    t.equal(before.days.length, half.days.length, 'it is as long')
  }
  const { body: byDefault } = await call('GET', `/v1/overview?${period}&dateField=approvedAt`)
  t.strictSame(body, byDefault, 'what was received counts on the day of its payment')
  const card = 'method=CREDIT_CARD,DEBIT_CARD'
  for (const { date, attempts, approved } of body.approval) {
    const listed = async (statuses: readonly string[]): Promise<number> =>
      (await call('GET', `/v1/transactions?pageSize=1&from=${date}&to=${date}&${card}&status=${statuses}`))
        .body.pagination.total
    t.equal(await listed(cardStatuses), attempts, `authorizations decided of ${date}`)
    t.equal(await listed(cardStatuses.filter((status) => status !== 'DECLINED')), approved)
  }
  t.ok(body.approval.some(({ attempts, approved }: any) => attempts > approved && approved > 0))

  // Two pages about the same money agree.
  const { body: pix } = await call('GET', `/v1/pix/overview?${period}`)
  const pixVolume = body.volume.filter(({ method }: { method: string }) => method === 'PIX')
  t.equal(pix.daily.length, body.approval.length)
  for (const { date, receivedAmount } of pix.daily) {
    const paid = pixVolume.find((one: { date: string }) => one.date === date)?.amount ?? '0'
    t.equal(receivedAmount, paid, `PIX received on ${date}`)
  }
  const sumOf = async (path: string): Promise<{ count: number; amount: string }> => {
    const { data } = (await call('GET', `${path}&from=${pix.from}&to=${pix.to}&pageSize=200`)).body
    const cents = data.reduce((sum: bigint, { amount }: { amount: string }) => sum + BigInt(amount), 0n)
    return { count: data.length, amount: String(cents) }
  }
  t.strictSame(await sumOf('/v1/pix/received?status=RECEIVED'), pix.received)
  t.strictSame(await sumOf('/v1/pix/received?status=RETURNED'), pix.returned)
  t.strictSame(await sumOf('/v1/pix/charges?'), pix.charges.created)
  t.match((await call('GET', '/v1/transactions?dateField=paidOn')).status, 400)
})

/** What comes on a day is what the list of that day adds up to, and all of it is what the balance expects. */
t.test('the agenda of receivables agrees with their lists and with the balance', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call } = await newMerchant(service, { scopes: everyScope })
  const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
  const recipient = await posted(call, '/v1/split/recipients', {
    name: 'Loja parceira',
    document: '11222333000181',
    bankCode: '341',
    branch: '0001',
    account: '12345-6',
  })
  const rule = await posted(call, '/v1/split/rules', {
    name: 'Parceria',
    items: [
      { recipientId: recipient.id, percentBps: 3000 },
      { percentBps: 7000, chargeRemainder: true },
    ],
  })
  const payments = []
  for (const [amount, installments, more] of [
    [100_00, 3, {}],
    [77_777, 12, {}],
    [5001, 2, { splitRuleId: rule.id }],
    [2500, 1, { card: { ...card, funding: 'DEBIT' } }],
    [9900, 6, {}],
    [4500, 4, {}],
  ] as const)
    payments.push(
      await posted(call, '/v1/card-payments', {
        amount,
        ...(installments > 1 && { installments }),
        card,
        ...more,
      }),
    )
  await posted(call, `/v1/transactions/${payments[0].id}/refund`, { amount: 3000 })
  await posted(call, `/v1/transactions/${payments[4].id}/refund`, {})
  const { id } = await posted(call, `/v1/sandbox/card-payments/${payments[5].id}/chargeback`, {})

  await posted(call, `/v1/cards/chargebacks/${id}/dispute`, {
    text: 'winning_evidence: the parcel was signed for by the payer.',
  })
  const sums = ['count', 'grossAmount', 'feeAmount', 'netAmount'] as const
  const sumOf = (rows: readonly any[]) =>
    Object.fromEntries(
      sums.map((name) => {
        const values = rows.map((row) => BigInt(name === 'count' ? (row.count ?? 1) : row[name]))
        const sum = values.reduce((sum, value) => sum + value, 0n)
        return [name, name === 'count' ? Number(sum) : String(sum)]
      }),
    )
  const listed = async (query: string): Promise<any[]> => {
    const rows: any[] = []
    for (let page = 1; ; page++) {
      const { status, body } = await call('GET', `/v1/receivables?pageSize=3&page=${page}&${query}`)
      t.equal(status, 200)
      rows.push(...body.data)
      if (body.pagination.hasMore) continue
      t.strictSame(body.totals, sumOf(rows), `totals of ${query}`)
      return rows
    }
  }
  const agree = async (when: string, isPutBack = false) => {
    const { body: balance } = await call('GET', '/v1/balance')
    const from = balance.asOf.slice(0, 10)
    const to = new Date(Date.parse(from) + 365 * 86_400_000).toISOString().slice(0, 10)
    const { body: agenda } = await call('GET', `/v1/receivables/agenda?from=${from}&to=${to}`)
    t.strictSame(sumOf(agenda.days), agenda.totals)
    const rows = await listed(`from=${from}&to=${to}`)
    t.strictSame(sumOf(rows), agenda.totals)
    t.equal(
      sumOf(rows.filter(({ status }) => status === 'SCHEDULED')).netAmount,
      balance.receivable,
      `what is expected ${when}`,
    )
    for (const { date, parts, ...sum } of agenda.days) {
      const query = `from=${date}&to=${date}`
      const settling = await call('GET', `/v1/transactions?dateField=settledOn&pageSize=200&${query}`)
      const ids = new Set(settling.body.data.map(({ id }: any) => id))
      const rows = await listed(query)
      t.ok(
        rows.every(({ transactionId }) => ids.has(transactionId)),
        `payments that settle on ${date}`,
      )
      // A batch that ran before the clock was put back settled what it settled on its day.
      t.ok(isPutBack || ids.size === new Set(rows.map(({ transactionId }) => transactionId)).size)
      t.strictSame(sumOf(rows), sum, date)
      t.strictSame(sumOf(parts), sum)
      for (const { method, providerId, ...part } of parts)
        t.strictSame(
          sumOf(await listed(`from=${date}&to=${date}&method=${method}&providerId=${providerId}`)),
          part,
        )
    }
    return agenda
  }
  const first = await agree('with an open chargeback')
  t.ok(first.days.length >= 12)
  await posted(call, '/v1/sandbox/clock/advance', { by: 'P35D' })
  t.equal((await call('GET', '/v1/cards/chargebacks')).body.data[0].status, 'WON')
  const later = await agree('a month later')
  t.ok(later.totals.count < first.totals.count)
  const [settled] = await listed(`from=${first.days[0].date}&to=${first.days[0].date}`)
  t.match(settled, { status: 'SETTLED', settledAt: String })

  // The clock comes again to days whose batch has run: these bring only what is still to come.
  await posted(call, '/v1/sandbox/clock/reset', {})
  const again = await agree('after the clock was put back', true)
  t.equal(again.totals.netAmount, (await call('GET', '/v1/balance')).body.receivable)
  await posted(call, '/v1/card-payments', { amount: 7777, card })
  const doubled = await agree('on a day that has a second batch', true)
  t.equal(doubled.totals.count, again.totals.count + 1)
  t.equal(doubled.totals.netAmount, (await call('GET', '/v1/balance')).body.receivable)
  t.match(doubled.days[0], { count: 1, grossAmount: '7777' })

  t.match((await call('GET', '/v1/receivables/agenda?from=2026-01-02&to=2026-01-01')).status, 400)
  t.match((await call('GET', '/v1/receivables?from=2026-01-01&to=2027-01-02')).status, 400)
  t.match((await call('GET', '/v1/receivables/agenda?to=2020-01-01')).body, { from: '2020-01-01', days: [] })
  const { call: stranger } = await newMerchant(service, { scopes: 'charges.read' })
  t.equal((await stranger('GET', '/v1/receivables')).status, 403)
  const other = await newMerchant(service, { scopes: everyScope })
  t.equal((await other.call('GET', '/v1/receivables')).body.pagination.total, 0, 'another company sees none')
})
