import type { ConnectionTerms } from '../../../engine/connections/terms.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer } from '../../../engine/payments/provider.ts'
import type { TransferAnswer } from '../../../engine/payments/sent-money.ts'
import type { Reconciliation } from '../../../engine/reconciliation/reconciliation.ts'
import { reconciliationIdOf } from '../../../engine/reconciliation/reconciliation.ts'
import type { StatementMovement } from '../../../engine/reconciliation/statement.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { SuspenseId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { bookingsOf, unmatchedOf } from '../../../gateway/inbox/bookings.ts'
import type { PixReceived } from '../../../gateway/providers/port.ts'
import { aConnect, connectionIdOf, liveAccount, openLive } from '../../engine/connections/live.ts'
import { payOutRails } from '../../engine/money-out/live-transfers.ts'
import { aLiveCharge, registered } from '../../engine/payments/pix/bank/at-bank.ts'
import { institution, newTransactionId, newWorld } from '../../engine/world.ts'
import { inboxFor, reportingBank } from './reporting-bank.ts'

export const hour = 3_600_000
export const minute = 60_000
/** The id of the nth payment. */
export const e2e = (n: number): string => `E00000000202611${String(n).padStart(17, '0')}`
/** A moment of a day in São Paulo. */
export const at = (day: number, time: string): number => Date.parse(`2026-11-${day}T${time}-03:00`)
/** A day of November. */
export const november = (day: number): CalendarDate => `2026-11-${day}` as CalendarDate

let made = 0

/** A shop of Production on 20 November at noon, UTC, whose bank lists what it has of a window. */
export const shopWithBooks = async (
  fails?: (command: Command) => boolean,
  {
    givesStatements = false,
    terms = null,
    sends,
  }: {
    givesStatements?: boolean
    terms?: ConnectionTerms | null
    /** What its bank answers to transfers, where the connection sends them. */
    sends?: TransferAnswer
  } = {},
) => {
  let returned: ProviderAnswer = { type: 'RETURNED', returnId: 'D'.padEnd(32, '1') }
  const world = newWorld(
    async (request) =>
      request.operation === 'REGISTER'
        ? registered(request)
        : request.operation === 'RETURN' || request.operation === 'REFUND'
          ? returned
          : { type: 'SILENT' },
    undefined,
    [],
    institution,
    ...(sends === undefined ? [] : [async () => sends]),
  )
  await openLive(world)
  const rails = sends === undefined ? {} : payOutRails
  await world.execute(aConnect({ provider: 'a-bank', terms, ...rails }))
  const bank = reportingBank()
  const windows: { fromMs: number; untilMs: number }[] = []
  let isSilent = false
  let extra: readonly PixReceived[] = []
  let statement: readonly StatementMovement[] | null = null
  const statements: string[] = []
  // Polls would find most of it before.
  const { poll: _, ...instance } = bank.reporting.instance
  Object.assign(bank.reporting, {
    accountId: liveAccount,
    connectionId: connectionIdOf(1),
    sinceMs: at(19, '00:00:00'),
    instance: {
      ...instance,
      received: async (window: { fromMs: number; untilMs: number }) => {
        windows.push(window)
        if (isSilent) return null
        return [...bank.objects.values(), ...extra].filter(
          ({ paidAtMs }) => paidAtMs >= window.fromMs && paidAtMs <= window.untilMs,
        )
      },
    },
  })
  if (givesStatements)
    Object.assign(bank.reporting.instance, {
      statement: async ({ date }: { date: string }) => {
        statements.push(date)
        return statement
      },
    })
  const shop = await inboxFor(bank, world, {
    ...(fails && { fails }),
    books: {
      bookingsOf: (object, of) => bookingsOf(object, of, newTransactionId),
      unmatchedOf: (object, of) =>
        unmatchedOf(object, of, () => `ssp_${String(++made).padStart(26, '3')}` as SuspenseId),
    },
  })
  const dayOf = async (day: number): Promise<Reconciliation | null> =>
    world.shard.query({
      type: 'FindReconciliation',
      accountId: liveAccount,
      reconciliationId: reconciliationIdOf(liveAccount, connectionIdOf(1), november(day)),
    })
  return {
    ...shop,
    windows,
    dayOf,
    /** Passes the time until this moment of a day in São Paulo. */
    until: async (day: number, time: string): Promise<void> => {
      for (let leftMs = at(day, time) - world.now(); leftMs > 0; leftMs = at(day, time) - world.now()) {
        await shop.pass(Math.min(leftMs, 10 * minute))
        world.shard.tick()
        await world.settle()
      }
    },
    letReturns: (answer: ProviderAnswer): void => {
      returned = answer
    },
    letBeSilent: (silent: boolean): void => {
      isSilent = silent
    },
    /** The days of which the bank was asked for its statement. */
    statements,
    letGiveStatement: (movements: readonly StatementMovement[] | null): void => {
      statement = movements
    },
    notices: async () => {
      const { states } = world.memory.list(liveAccount, 'notice', { offset: 0, limit: 20 })
      return states.map(({ kind, details }) => [kind, details])
    },
    /** What the list has beside what can be fetched. */
    letListToo: (rows: readonly PixReceived[]): void => {
      extra = rows
    },
    charge: async () => {
      const charge = await world.accepted(aLiveCharge({ amountCents: toCents(1990) }))
      return { id: charge.id, txid: pixOf(charge)!.txid! }
    },
    inLedger: () => world.memory.find('account', liveAccount)!.state.balances,
    comparisons: () =>
      world.told.flatMap(({ steps }) => steps).filter(({ event }) => event.type === 'DayCompared'),
    kinds: () => shop.alerts.map(({ kind, detail }) => `${kind} ${detail}`),
  }
}
