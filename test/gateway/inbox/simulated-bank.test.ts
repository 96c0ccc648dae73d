import t from 'tap'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer } from '../../../engine/payments/provider.ts'
import type { InboxNoticeId, SuspenseId, TransactionId } from '../../../engine/shared/ids.ts'
import { bookingsOf, unmatchedOf } from '../../../gateway/inbox/bookings.ts'
import { hookAddressOf } from '../../../gateway/inbox/hook-address.ts'
import { openInbox } from '../../../gateway/inbox/inbox.ts'
import { unpackBody } from '../../../gateway/inbox/notice-body.ts'
import type { InboxAlert } from '../../../gateway/inbox/reporting.ts'
import { aConnect, liveAccount, openLive } from '../../engine/connections/live.ts'
import { aLiveCharge } from '../../engine/payments/pix/bank/at-bank.ts'
import { askDirectly, newTransactionId, newWorld } from '../../engine/world.ts'
import { connectedBank } from '../providers/api-pix/bank-connection.ts'
import { aTarget, connectionOf, listenerFor, ours, tokenOf } from './hooks.ts'

const minute = 60_000
let made = 0

/** A shop of Production whose bank is a simulated one, with our port for notices between them: TLS and certificates on both sides. */
const shopAt = async (t: Parameters<typeof connectedBank>[0], name: string, inUseAfterMs = 0) => {
  const world = newWorld(async (request) => (await askDirectly(instance, request)) as ProviderAnswer)
  const { bank, instance, module } = await connectedBank(t, name, {
    startMs: world.now(),
    trusted: [ours.cert],
  })
  await openLive(world)
  await world.execute(aConnect({ provider: module.name, pixKey: bank.receiver.chaves[0]! }))
  const alerts: InboxAlert[] = []
  const faults: unknown[] = []
  let timers: { readonly atMs: number; readonly callback: () => void }[] = []
  let flushed = world.told.length
  const execute = async (command: Command): Promise<Reply> => {
    const reply = await world.execute(command)
    for (; flushed < world.told.length; flushed++) inbox.onFlushed(world.told[flushed]!)
    return reply
  }
  const { label } = bank.bank.context.profile
  const peer = {
    authorities: [bank.authority.cert],
    issuer: `CN=${label} CA`,
    subject: `CN=hooks.${bank.bank.context.profile.name}.example`,
  }
  const target = { ...aTarget(1, null), accountId: liveAccount, peer }
  const hook = await listenerFor(t, [target], execute)
  const reporting = {
    connectionId: connectionOf(1),
    accountId: liveAccount,
    provider: module.name,
    sinceMs: world.now() + inUseAfterMs,
    instance,
    retiredAtMs: null,
    hookAddress: hookAddressOf(`https://127.0.0.1:${hook.port}`, connectionOf(1), tokenOf(1)),
  }
  const leadership = {}
  const inbox = openInbox({
    execute,
    query: (query) => world.shard.query(query),
    newId: () => `ibn_${String(++made).padStart(26, '5')}` as InboxNoticeId,
    bookingsOf: (object, of) => bookingsOf(object, of, newTransactionId),
    unmatchedOf: (object, of) =>
      unmatchedOf(object, of, () => `ssp_${String(++made).padStart(26, '4')}` as SuspenseId),
    connections: { inUse: () => [reporting], open: () => reporting },
    leadershipOf: () => leadership,
    realNow: world.now,
    random: () => 0,
    timeout: (ms, callback) => {
      const timer = { atMs: world.now() + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    onAlert: (alert) => alerts.push(alert),
    onHooks: () => undefined,
    onSettled: () => undefined,
    onFault: (error) => faults.push(error),
  })
  t.teardown(inbox.close)
  const until = async (is: () => unknown, what: string): Promise<void> => {
    const untilMs = performance.now() + 20_000
    while (!(await is())) {
      if (performance.now() > untilMs)
        throw new Error(
          `it never comes to this: ${what} ${JSON.stringify([String(faults), alerts, hook.outcomes, String(hook.faults)])}`,
        )
      await new Promise(setImmediate)
    }
  }
  return {
    ...{ world, bank, hook, inbox, alerts, faults, until },
    /** Lets time pass at both sides, with what becomes due at ours. */
    pass: async (ms: number): Promise<void> => {
      await bank.hold('POST /clock/advance', { ms })
      world.pass(ms)
      const due = timers.filter(({ atMs }) => atMs <= world.now())
      timers = timers.filter((one) => !due.includes(one))
      for (const { callback } of due) callback()
    },
    charge: async (): Promise<{ id: TransactionId; txid: string }> => {
      const transaction = await world.accepted(aLiveCharge())
      return { id: transaction.id, txid: pixOf(transaction)!.txid! }
    },
    statusOf: (id: TransactionId) => world.transaction(id).status,
    received: () => world.memory.list(liveAccount, 'received', { offset: 0, limit: 100 }).states,
    open: () =>
      world.shard.query({
        type: 'ListOpenNotices',
        accountId: liveAccount,
        connectionId: connectionOf(1),
        atMost: 10,
      }),
  }
}

for (const name of ['efi', 'inter', 'itau'])
  t.test(`${name}: a payment is reported with the bank's certificate, fetched and booked`, async (t) => {
    const { bank, inbox, pass, until, charge, statusOf, received, open, hook, alerts } = await shopAt(t, name)
    inbox.sync()
    await pass(1)
    // Efí probes the address: refused without its certificate, taken with it.
    await until(() => bank.bank.webhooks.all().length >= 1, 'the address is registered')
    const { id, txid } = await charge()
    await bank.hold('POST /pay', { txid })
    await pass(1)
    await until(() => statusOf(id) === 'APPROVED', 'it is paid')
    await until(async () => (await open()).total === 0, 'its notice is closed')
    t.equal(received().length, 1)
    t.ok(hook.outcomes.includes('RECEIVED'))
    t.strictSame(alerts, [])
  })

t.test('money of before the connection does not come in when it goes back', async (t) => {
  const { bank, inbox, pass, until, received, open, hook, alerts } = await shopAt(t, 'efi', 60 * minute)
  const { endToEndId } = await bank.hold('POST /pay', { chave: bank.receiver.chaves[0], valor: '12.34' })
  await pass(61 * minute)
  inbox.sync()
  await pass(1)
  await until(() => bank.bank.webhooks.all().length >= 1, 'the address is registered')
  await bank.hold('POST /returns', { endToEndId, cents: 1234 })
  const url = `${hookAddressOf(`https://127.0.0.1:${hook.port}`, connectionOf(1), tokenOf(1))}/pix`
  const body = { pix: [{ endToEndId, valor: '12.34', horario: '2026-11-20T12:00:00.000Z' }] }
  const before = hook.received.length
  await bank.hold('POST /notices/forge', { url, body, as: 'bank' })
  await until(() => hook.received.length > before, 'it is reported')
  const isAsked = async () => JSON.stringify(await bank.hold('GET /requests')).includes(endToEndId)
  await until(isAsked, 'it is asked after')
  await until(async () => (await open()).total === 0, 'its notice is closed')
  t.strictSame(received(), [])
  t.strictSame(alerts, [])
})

t.test('a lost callback is found within two minutes, and a PIX to the key at all', async (t) => {
  const { bank, inbox, pass, until, charge, statusOf, received } = await shopAt(t, 'efi')
  inbox.sync()
  await pass(1)
  await until(() => bank.bank.webhooks.all().length >= 1, 'the address is registered')
  await bank.hold('POST /faults/notices', { kind: 'lose', times: 1_000 })
  const { id, txid } = await charge()
  await bank.hold('POST /pay', { txid })
  await bank.hold('POST /pay', { chave: bank.receiver.chaves[0], valor: '12.34' })
  for (let n = 0; n < 2; n++) {
    await pass(minute)
    for (let turns = 0; turns < 200; turns++) await new Promise(setImmediate)
  }
  await until(() => statusOf(id) === 'APPROVED', 'it is paid')
  await until(() => received().length === 2, 'both came in')
  t.strictSame(
    received()
      .map(({ amountCents }) => amountCents)
      .sort((a, b) => a - b),
    [1234, 10_000],
  )
})

t.test('forged, foreign and many callbacks: nothing is booked that the bank does not have', async (t) => {
  const { bank, inbox, pass, until, charge, statusOf, received, hook } = await shopAt(t, 'efi')
  inbox.sync()
  await pass(1)
  await until(() => bank.bank.webhooks.all().length >= 1, 'the address is registered')
  const url = `${hookAddressOf(`https://127.0.0.1:${hook.port}`, connectionOf(1), tokenOf(1))}/pix`
  const { id, txid } = await charge()
  const endToEndId = `E${'0'.repeat(31)}`
  const body = { pix: [{ endToEndId, txid, valor: '100.00', horario: '2026-11-20T12:00:00.000Z' }] }
  const forged = async (): Promise<number> => {
    const bodies = await Promise.all(hook.received.map(({ notice }) => unpackBody(notice.packed)))
    return bodies.filter((one) => Buffer.from(one!).includes(endToEndId)).length
  }
  for (const as of ['foreign', 'none'] as const) await bank.hold('POST /notices/forge', { url, body, as })
  t.equal(await forged(), 0, 'nothing of it is journaled')
  await bank.hold('POST /notices/forge', { url, body, as: 'bank' })
  t.equal(await forged(), 1)
  const isAsked = async () => JSON.stringify(await bank.hold('GET /requests')).includes(endToEndId)
  await until(isAsked, 'it is asked after')
  t.equal(statusOf(id), 'PENDING')
  t.strictSame(received(), [])

  await bank.hold('POST /faults/notices', { kind: 'repeat', copies: 50 })
  await bank.hold('POST /pay', { txid })
  await pass(1)
  await until(() => statusOf(id) === 'APPROVED', 'it is paid')
  t.equal(received().length, 1)
})

t.test(
  'money of a charge that another program has made at the bank is in suspense after a day',
  async (t) => {
    const { world, bank, inbox, pass, until, open, alerts } = await shopAt(t, 'efi')
    inbox.sync()
    await pass(1)
    await until(() => bank.bank.webhooks.all().length >= 1, 'the address is registered')
    const txid = 'a'.repeat(32)
    await bank.ask('PUT', `/cob/${txid}`, {
      calendario: { expiracao: 3600 },
      valor: { original: '15.00' },
      chave: bank.receiver.chaves[0],
    })
    await bank.hold('POST /pay', { txid })
    await until(async () => (await open()).total === 1, 'its notice is open')
    const isUnknown = () => inbox.counts().unmatched === 1
    await until(isUnknown, 'it is known to be unknown')
    const suspense = () => world.memory.list(liveAccount, 'suspense', { offset: 0, limit: 10 }).states
    t.strictSame(suspense(), [])
    await pass(24 * 60 * minute)
    await until(() => suspense().length === 1, 'it is in suspense')
    await until(async () => (await open()).total === 0, 'its notice is closed')
    t.match(suspense(), [{ amountCents: 1500, txid, connectionId: connectionOf(1), status: 'OPEN' }])
    t.equal(alerts.filter(({ kind }) => kind === 'UNMATCHED_MONEY').length, 1)
  },
)
