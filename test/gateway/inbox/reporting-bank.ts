import type { Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { InboxNoticeId, TransactionId } from '../../../engine/shared/ids.ts'
import { byProvider } from '../../../engine/shared/initiator.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { type Inbox, type InboxOptions, openInbox } from '../../../gateway/inbox/inbox.ts'
import { noticeKeyOf, packBody } from '../../../gateway/inbox/notice-body.ts'
import type { InboxAlert, Reporting } from '../../../gateway/inbox/reporting.ts'
import type { Fetched, PixReceived, RailNotice } from '../../../gateway/providers/port.ts'
import { aCharge, account, newTransactionId, newWorld } from '../../engine/world.ts'
import { connectionOf } from './hooks.ts'

let made = 0
const newId = (): InboxNoticeId => `ibn_${String(++made).padStart(26, '7')}` as InboxNoticeId

/** A bank whose account and books a test holds: what it knows is fetched from it, and what it lists is polled. */
export const reportingBank = () => {
  const objects = new Map<string, PixReceived>()
  const fetches: string[] = []
  const polls: (string | null)[] = []
  let isSilent = false
  let pages: { notices: readonly RailNotice[]; cursor: string }[] = []
  const reporting: Reporting = {
    connectionId: connectionOf(1),
    accountId: account,
    provider: 'a-bank',
    sinceMs: 0,
    retiredAtMs: null,
    hookAddress: null,
    instance: {
      readNotice: ({ body }) => {
        if (body.length === 0) return []
        const { pix = [] } = JSON.parse(Buffer.from(body).toString()) as { pix?: readonly string[] }
        return pix.map((endToEndId) => pixIn(endToEndId))
      },
      fetch: async (notice): Promise<Fetched> => {
        fetches.push(notice.key)
        if (isSilent) return { type: 'SILENT' }
        const object = objects.get((notice.data as { endToEndId: string }).endToEndId)
        return object === undefined
          ? { type: 'NOT_FOUND' }
          : { type: 'FOUND', object: { kind: 'PIX', ...object } }
      },
      poll: async function* (cursor) {
        polls.push(cursor)
        yield* pages
      },
    },
  }
  return {
    reporting,
    objects,
    fetches,
    polls,
    /** Money comes in at the bank, for the charge with this txid. */
    pay: (endToEndId: string, txid: string | null, cents = 1990, more: Partial<PixReceived> = {}): void => {
      objects.set(endToEndId, {
        endToEndId,
        txid,
        pixKey: 'key',
        amountCents: toCents(cents),
        componentsCents: null,
        paidAtMs: Date.UTC(2026, 10, 20, 11, 59),
        payer: null,
        returns: [],
        ...more,
      })
    },
    letBeSilent: (silent: boolean): void => {
      isSilent = silent
    },
    letList: (next: typeof pages): void => {
      pages = next
    },
  }
}

/** A notice of money that came in. Its amount is not what counts. */
export const pixIn = (endToEndId: string): RailNotice => ({
  kind: 'PIX_IN',
  key: endToEndId,
  atMs: 0,
  data: { endToEndId, txid: null, amountCents: toCents(1) },
})

/** A shard with an inbox for one bank, on a clock that the test holds. */
export const inboxFor = async (
  bank = reportingBank(),
  world = newWorld(),
  {
    fails = () => false,
    books = {},
  }: {
    fails?: (command: Command) => boolean
    /** How objects are booked, if not as the Sandbox does it. */
    books?: Partial<Pick<InboxOptions, 'bookingsOf' | 'unmatchedOf'>>
  } = {},
) => {
  if (world.journal.appended() === 0) await world.open()
  const alerts: InboxAlert[] = []
  const settled: string[] = []
  const faults: unknown[] = []
  const timers = new Set<{ atMs: number; callback: () => void }>()
  let leadership: object | null = {}
  let nowMs = world.now()
  let flushed = world.told.length

  const execute = async (command: Command): Promise<Reply> => {
    if (fails(command)) throw new Error('the shard failed')
    const reply = await world.execute(command)
    for (; flushed < world.told.length; flushed++) inbox.onFlushed(world.told[flushed]!)
    return reply
  }
  /** Charges by their txids, as long as the engine is told of them. */
  const charges = new Map<string, TransactionId>()
  const options: InboxOptions = {
    execute,
    query: (query) => world.shard.query(query),
    newId,
    bookingsOf: (object) => {
      if (object.kind !== 'PIX') return []
      const { endToEndId, amountCents, paidAtMs, txid } = object
      const evidence = { accountId: account, by: byProvider, endToEndId, amountCents, paidAtMs, payer: null }
      return [
        txid === null
          ? {
              type: 'ReceiveUnrequestedPix',
              ...evidence,
              transactionId: newTransactionId(),
              providerId: 'a-bank',
            }
          : { type: 'ReceivePix', ...evidence, transactionId: charges.get(txid) ?? newTransactionId() },
      ]
    },
    unmatchedOf: (object) =>
      object.kind === 'PIX'
        ? [
            {
              type: 'ReceiveUnrequestedPix',
              accountId: account,
              by: byProvider,
              transactionId: newTransactionId(),
              providerId: 'suspense of a-bank',
              endToEndId: object.endToEndId,
              amountCents: object.amountCents,
              paidAtMs: object.paidAtMs,
              payer: null,
            },
          ]
        : null,
    ...books,
    connections: { inUse: () => [bank.reporting], open: () => bank.reporting },
    leadershipOf: () => leadership,
    realNow: () => nowMs,
    random: () => 0.5,
    timeout: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    onAlert: (alert) => alerts.push(alert),
    onHooks: () => undefined,
    onSettled: (kind, outcome) => settled.push(`${kind} ${outcome}`),
    onFault: (error) => faults.push(error),
  }
  const inbox: Inbox = openInbox(options)

  /** Waits until something is so. */
  const until = async (is: () => boolean | Promise<boolean>, what = is.toString()): Promise<void> => {
    for (let turns = 0; !(await is()); turns++) {
      if (turns > 5_000) throw new Error(`it never comes to this: ${what}`)
      await new Promise(setImmediate)
    }
  }
  /** Lets everything happen that needs no time. */
  const rest = async (): Promise<void> => {
    for (let turns = 0; turns < 60; turns++) await new Promise(setImmediate)
  }
  const pass = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms
    for (;;) {
      const due = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (due === undefined) break
      timers.delete(due)
      world.pass(Math.max(0, due.atMs - nowMs))
      nowMs = Math.max(nowMs, due.atMs)
      due.callback()
      await rest()
    }
    world.pass(untilMs - nowMs)
    nowMs = untilMs
  }
  const receive = async (body: string, path = '/pix'): Promise<InboxNoticeId> => {
    const id = newId()
    const bytes = Buffer.from(body)
    const packed = await packBody(bytes)
    await execute({
      type: 'ReceiveNotice',
      accountId: account,
      by: byProvider,
      inboxNoticeId: id,
      notice: {
        connectionId: connectionOf(1),
        key: noticeKeyOf(path, bytes),
        source: 'HOOK',
        path,
        headers: {},
        packed,
      },
    })
    return id
  }
  const outcomeOf = async (id: InboxNoticeId): Promise<string | null> =>
    (await world.shard.query({ type: 'FindInboxNotice', accountId: account, id }))?.closed?.outcome ?? null
  return {
    bank,
    world,
    inbox,
    options,
    execute,
    charges,
    alerts,
    settled,
    faults,
    timers,
    until,
    rest,
    pass,
    receive,
    outcomeOf,
    report: (...endToEndIds: readonly string[]) => receive(JSON.stringify({ pix: endToEndIds })),
    open: () =>
      world.shard.query({
        type: 'ListOpenNotices',
        accountId: account,
        connectionId: connectionOf(1),
        atMost: 100,
      }),
    cursor: async () =>
      (
        await world.shard.query({
          type: 'FindPollCursors',
          accountId: account,
          connectionId: connectionOf(1),
        })
      ).UNREPORTED,
    lead: (by: object | null): void => {
      leadership = by
      inbox.sync()
    },
    /** A charge whose registration the bank has answered: it is known by its txid. */
    charge: async (txid: string): Promise<TransactionId> => {
      const { id } = await world.accepted(aCharge())
      charges.set(txid, id)
      return id
    },
    /** Everything that came in, of whatever charge. */
    received: () => world.memory.list(account, 'received', { offset: 0, limit: 100 }).states,
  }
}
