import t from 'tap'
import { addDays, dayOf, momentOf } from '../../rails/days.ts'
import { declareAll, lostOf, ofxOf, type PairedShop, truthOf, uploadStatement } from '../../rails/declared.ts'
import { type HeldService, startHeldService } from '../../rails/faults/held-service.ts'
import { differencesOf } from '../../rails/faults/invariants.ts'
import { beneficiaryOf } from '../../rails/faults/stories-of-money-out.ts'
import { signerOf } from '../../rails/live-person.ts'
import { openShopOf, type Shop } from '../../rails/live-service.ts'
import { until } from '../service.ts'

/**
 * What people decide about money at a bank as it runs, over days of the clock: money that belongs to nothing, the three books of a day, and
 * transfers whose bank is asked no more (rails, sections 1.2 and 2.7).
 */
type DecidingShop = Shop & PairedShop

let held: HeldService
const shops: DecidingShop[] = []
t.setTimeout(600_000)
const minute = 60_000
const hour = 60 * minute

t.before(async () => {
  held = await startHeldService(t, { peopleCount: 2, inPairs: true })
  for (const [n, bankName] of ['efi', 'inter'].entries()) {
    const person = held.people[n]!
    const settings = { receiverBranch: '0001', receiverAccount: '1234567', pixAutomatic: false }
    const shop = await openShopOf(t, held.host, person, { bankName, settings })
    const { clock } = shop.bank
    const colleague = signerOf(held.host, { member: person.colleague! }, clock)
    shops.push({ ...shop, sign: signerOf(held.host, person, clock), colleague })
  }
})

const move = async (ms: number): Promise<void> => {
  await Promise.all(shops.map(({ bank }) => bank.clock.advance(ms)))
  await held.order({ type: 'MOVE', ms })
  await new Promise((resolve) => setTimeout(resolve, 100))
}

const moveBy = async (...moves: readonly number[]): Promise<void> => {
  for (const ms of moves) await move(ms)
}

/** Until the books of a day were compared: at 04:00 of the next one, and some minutes more. */
const compared = async ({ bank, sign, connection }: DecidingShop, date: string): Promise<any> => {
  const dueMs = momentOf(addDays(date, 1), 4)
  while (bank.clock.nowMs() < dueMs) await move(Math.min(5 * hour, dueMs - bank.clock.nowMs()))
  await moveBy(10 * minute, 10 * minute)
  let day: any
  await until(async () => {
    day = (await sign('GET', `/v1/reconciliations?connectionId=${connection.id}&date=${date}`)).body.data[0]
    return day !== undefined
  })
  return day
}

/** A payment of a charge that another program at the account has made. */
const foreignPayment = async ({ bank }: Shop, n: number, valor: string): Promise<string> => {
  const txid = `outro${String(n).padStart(27, '0')}`
  const [chave] = bank.receiver.chaves
  bank.bank.charges.put('cob', txid, {
    calendario: { expiracao: 3_600 },
    valor: { original: valor },
    chave: chave!,
  })
  return (await bank.hold('POST /pay', { txid })).endToEndId
}

t.test('money that belongs to nothing is assigned, returned, or written off by two', async (t) => {
  const [shop] = shops as [DecidingShop]
  const { sign, colleague, call, bank } = shop
  const paid = [
    await foreignPayment(shop, 1, '10.00'),
    await foreignPayment(shop, 2, '20.00'),
    await foreignPayment(shop, 3, '30.00'),
  ]
  await moveBy(minute, minute, ...Array.from({ length: 5 }, () => 5 * hour), minute, minute, 10 * minute)
  await until(async () => (await sign('GET', '/v1/suspense?status=OPEN')).body.data.length === 3)
  const { data } = (await sign('GET', '/v1/suspense')).body
  const pathOf = (n: number): string =>
    `/v1/suspense/${data.find(({ endToEndId }: any) => endToEndId === paid[n]).id}`
  const before = Number((await call('GET', '/v1/balance')).body.available)

  // Its factor is a day old by now, and is given once more.
  t.match(await sign('POST', `${pathOf(0)}/assign`, {}), { status: 200, body: { status: 'ASSIGNED' } })
  t.ok(Number((await call('GET', '/v1/balance')).body.available) > before)

  t.match(await sign('POST', `${pathOf(1)}/return`, {}), { body: { status: 'RETURNING' } })
  await moveBy(5_000, 15_000, minute, 5 * minute)
  await until(async () => (await sign('GET', pathOf(1))).body.status === 'RETURNED')
  const back = bank.bank.book.movements().filter((one) => one.endToEndId === paid[1] && one.cents < 0)
  t.match(back, [{ cents: -2_000 }])

  const reason = { reason: 'The bank has taken it back.' }
  t.match(await sign('POST', `${pathOf(2)}/write-off`, reason), { body: { status: 'OPEN' } })
  t.match(await sign('POST', `${pathOf(2)}/write-off`, reason), {
    status: 403,
    body: { code: 'OWN_REQUEST' },
  })
  t.match(await colleague('POST', `${pathOf(2)}/write-off`, reason), { body: { status: 'WRITTEN_OFF' } })
  t.match(await colleague('POST', `${pathOf(0)}/return`, {}), { status: 409 })
})

t.test('three books of a day: a statement that is uploaded, what it lacks, and who accepts it', async (t) => {
  const [, shop] = shops as [DecidingShop, DecidingShop]
  const { bank, sign, colleague, call } = shop
  const { body: charge } = await call('POST', '/v1/pix/charges', { amount: 500_000 })
  await until(async () => (await call('GET', `/v1/pix/charges/${charge.id}`)).body.status === 'PENDING')
  await bank.hold('POST /pay', { txid: charge.pix.txid })
  await until(async () => (await call('GET', `/v1/pix/charges/${charge.id}`)).body.status === 'APPROVED')
  const date = dayOf(bank.clock.nowMs())
  const { id, statement } = await compared(shop, date)
  t.equal(statement, null, 'two books until a person gives the third')
  const now = async (): Promise<any> => (await sign('GET', `/v1/reconciliations/${id}`)).body
  const upload = (by: DecidingShop['sign'], ofx: string) =>
    by('POST', `/v1/reconciliations/${id}/statement`, { file: Buffer.from(ofx).toString('base64') })

  const whole = ofxOf(shop, date)
  t.match(await upload(sign, whole.replace('1234567', '7654321')), { status: 422 }, 'another account')
  const without = whole.replace(/<STMTTRN>[\s\S]*?<\/STMTTRN>\n/, '')
  t.equal((await upload(sign, without)).status, 200)
  await until(async () => (await now()).statementSource === 'FILE' && (await now()).status === 'DIFFERENT')
  t.match((await now()).differences, [{ kind: 'MISSING_IN_STATEMENT', ourAmount: '500000' }])
  const accepted = await colleague('POST', `/v1/reconciliations/${id}/accept`, { reason: 'booked on Monday' })
  t.match(accepted, { status: 200, body: { status: 'ACCEPTED' } })
  t.equal((await upload(sign, whole)).status, 200)
  await until(async () => (await now()).status === 'EQUAL')
})

t.test(
  '41: transfers whose bank is asked no more are declared by two people, by its statements',
  async (t) => {
    const [, shop] = shops as [DecidingShop, DecidingShop]
    const { bank, sign, colleague, call } = shop
    const beneficiaryId = await beneficiaryOf(sign)
    const send = async (amount: number): Promise<string> => {
      const { body } = await sign('POST', '/v1/transfers', { kind: 'PIX', amount, beneficiaryId })
      await moveBy(5_000, 15_000)
      return body.id
    }
    const cut = (when: 'before' | 'after', times: number): Promise<unknown> =>
      bank.hold('POST /faults', { verb: 'POST', path: '/banking/v2/pix', does: { kind: 'cut', when }, times })
    const transfer = async (id: string): Promise<any> => (await sign('GET', `/v1/transfers/${id}`)).body
    const before = Number((await call('GET', '/v1/balance')).body.available)
    // The bank does the first, whose answer is lost with all later ones; it never hears of the second.
    await cut('after', 1)
    await cut('before', 10_000)
    const sent = await send(5_000)
    const unsent = await send(4_000)
    const date = dayOf(bank.clock.nowMs())
    await compared(shop, addDays(date, 1))
    await moveBy(6 * hour)
    await until(async () => (await lostOf(shop)).length === 2)
    for (const { path, of } of await lostOf(shop))
      t.match(await sign('POST', path, truthOf(shop, of)), { status: 422, body: { code: 'NOT_BORNE_OUT' } })
    const { data: notices } = (await sign('GET', '/v1/notifications')).body
    t.ok(notices.some(({ kind, objectId }: any) => kind === 'TRANSFER_LOST' && objectId === sent))
    await uploadStatement(shop, date)
    t.equal(await declareAll(shop), 2)
    t.match(await transfer(sent), { status: 'COMPLETED', endToEndId: String })
    t.match(await transfer(unsent), { status: 'FAILED', failureReason: 'NOT_SENT' })
    t.equal(Number((await call('GET', '/v1/balance')).body.available), before - 5_000)
    t.match(await colleague('POST', `/v1/transfers/${sent}/declare`, { outcome: 'NOT_SENT', reason: 'x' }), {
      status: 409,
    })
    await bank.hold('DELETE /faults')
    t.strictSame(await differencesOf(shop), [])
  },
)
