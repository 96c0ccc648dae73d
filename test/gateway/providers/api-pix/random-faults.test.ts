import fc from 'fast-check'
import t from 'tap'
import type { ProviderAsk, ProviderOutcome } from '../../../../gateway/providers/port.ts'
import { carryOut } from '../../../../gateway/providers/repeat.ts'
import type { FaultAction } from '../../../rails/api-pix/faults.ts'
import { hookFor } from '../../../rails/api-pix/hook-for-test.ts'
import { aPayOut } from '../sample-asks.ts'
import { type BankConnection, bankNames, connectedBank, mandateAsks } from './bank-connection.ts'
import { preparations, wireOf } from './subject.ts'

/**
 * Whatever happens on the wire, and whenever the service starts anew: what is done is done once, what is refused is not done, and in the end one of both
 * is known. PROPERTY_RUNS and PROPERTY_SEED as in `test/rails/api-pix/books.test.ts`.
 */
const runs = Number(process.env.PROPERTY_RUNS ?? 3)

const faults: readonly FaultAction[] = [
  { kind: 'cut', when: 'before' },
  { kind: 'cut', when: 'after' },
  { kind: 'cut', when: 'within' },
  { kind: 'text', when: 'after', status: 200, body: 'OK' },
  { kind: 'text', when: 'after', status: 404, body: '<h1>Not Found</h1>' },
  { kind: 'text', when: 'before', status: 502, body: 'Bad Gateway' },
  { kind: 'text', when: 'before', status: 200, body: '{}', media: 'application/json' },
  { kind: 'error', when: 'before', status: 401 },
  { kind: 'error', when: 'before', status: 429, retryAfterSeconds: 5 },
  { kind: 'error', when: 'before', status: 503, retryAfterSeconds: 5 },
  { kind: 'error', when: 'after', status: 500 },
  { kind: 'error', when: 'after', status: 503 },
  { kind: 'redirect', location: 'https://elsewhere.example/' },
]

type Kind = 'REGISTER' | 'DUE' | 'REFUND' | 'RETURN' | 'SCHEDULE' | 'PAY_OUT'
const kinds: readonly Kind[] = ['REGISTER', 'DUE', 'REFUND', 'RETURN', 'SCHEDULE', 'PAY_OUT']

/** One call: what goes wrong with each of its first attempts, and before which of them the service starts anew. */
const attempt = fc.record({
  faults: fc.array(fc.record({ skip: fc.nat(2), does: fc.constantFrom(...faults) }), { maxLength: 2 }),
  restarts: fc.boolean(),
})
const call = fc.record({
  kind: fc.constantFrom(...kinds),
  isBad: fc.nat(4).map((n) => n === 0),
  attempts: fc.array(attempt, { maxLength: 4 }),
})

const waitsMs = [5_000, 15_000, 60_000, 180_000, 600_000]

const askFor = (kind: Kind, isBad: boolean, connection: BankConnection): ProviderAsk => {
  const { asks, module } = connection
  const prepare = preparations(connection)
  switch (kind) {
    case 'REGISTER':
      return asks.register(isBad ? { pixKey: 'stranger@example.com' } : {})
    case 'DUE':
      return asks.registerDue()
    case 'REFUND':
    case 'RETURN':
      return asks.giveBack(kind, prepare.paid('5.00'), isBad ? 501 : 500)
    case 'SCHEDULE':
      return isBad
        ? mandateAsks(asks).schedule(prepare.mandate(), '2026-12-03', 1)
        : mandateAsks(asks).schedule(prepare.mandate(), '2026-12-03')
    case 'PAY_OUT':
      return module.repeat.PAY_OUT === undefined
        ? asks.register()
        : aPayOut({ pixKey: 'maria@example.com' }, asks.head(isBad ? 900_000_000 : 700))
  }
}

for (const name of bankNames)
  t.test(
    `${name}: whatever happens on the wire, nothing is done twice, and no refusal is a lie`,
    async (t) => {
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (calls) => {
          const ended: (() => unknown)[] = []
          const tested = {
            teardown: (end: () => unknown) => ended.unshift(end),
            fail: (what: string) => t.fail(what),
          }
          const connection = await connectedBank(tested, name)
          const { bank, instance, open, module } = connection
          const hook = await hookFor(tested as never, bank.authority)
          await instance.registerHooks!(hook.url)
          const wire = wireOf(connection, () => [])
          let working = instance
          for (const { kind, isBad, attempts } of calls) {
            bank.bank.faults.clear()
            const ask = askFor(kind, isBad, connection)
            const before = wire.sum!()
            const notFound = new Map<string, number>()
            let outcome: ProviderOutcome = { type: 'SILENT' }
            for (
              let asked = 0;
              asked < 12 && (outcome.type === 'SILENT' || outcome.type === 'PENDING');
              asked++
            ) {
              const planned = attempts[asked]
              bank.bank.faults.clear()
              for (const fault of planned?.faults ?? [])
                bank.bank.faults.add({ path: '^(?!.*token)', ...fault })
              if (planned?.restarts === true) {
                working = open()
                notFound.clear()
              }
              outcome = await carryOut(
                working,
                module.repeat[ask.operation]!,
                { ...ask, asked, nowMs: bank.clock.nowMs() },
                asked > 0,
                notFound,
                () => bank.clock.nowMs(),
              )
              await bank.clock.advance(waitsMs[Math.min(asked, waitsMs.length - 1)]!)
            }
            const moved = wire.sum!() - before
            const wanted = outcome.type === 'DONE' ? ask.amountCents : 0
            // Inter takes a PIX that is too much, and fails it later.
            const isFailedPayOut = ask.operation === 'PAY_OUT' && outcome.type === 'REFUSED'
            const sent = bank.bank.sends.all().filter(({ status }) => status === 'REALIZADO').length
            const known = bank.bank.book.movements().filter(({ kind: of }) => of === 'SENT').length
            if (sent !== known) throw new Error(`${sent} PIX arrived, and ${known} are in the book`)
            if (outcome.type !== 'DONE' && outcome.type !== 'REFUSED')
              throw new Error(`${ask.operation} ended ${outcome.type}`)
            if (moved !== wanted && !isFailedPayOut)
              throw new Error(
                `${ask.operation} says ${outcome.type}, and moved ${moved} of ${ask.amountCents}`,
              )
            if (isFailedPayOut && wire.books.get(ask.reference) !== undefined && !isBad)
              throw new Error('a PIX was sent, and is said to be refused')
          }
          for (const end of ended) await end()
        }),
        {
          numRuns: runs,
          ...(process.env.PROPERTY_SEED === undefined ? {} : { seed: Number(process.env.PROPERTY_SEED) }),
        },
      )
    },
  )
