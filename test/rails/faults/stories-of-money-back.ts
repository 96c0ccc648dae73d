import { liveSettings } from '../live-service.ts'
import {
  charge,
  chargeNow,
  day,
  type FaultStory,
  hour,
  paidCharge,
  payableCharge,
  receivedOf,
  requestsTo,
  type Stage,
  transactionNow,
} from './story.ts'

const returns = { call: 'RETURN', verb: 'PUT', path: '/devolucao/' } as const
const refunds = { call: 'REFUND', verb: 'PUT', path: '/devolucao/' } as const

/** Begins with a charge that is paid. */
export const beginsPaid = async (stage: Stage): Promise<void> => {
  stage.kept.made = await paidCharge(stage)
}

const refund = ({ call, kept, idempotencyKey }: Stage): Promise<any> =>
  call(
    'POST',
    `/v1/transactions/${kept.made.id}/refund`,
    { amount: '990' },
    { 'Idempotency-Key': idempotencyKey },
  )

const statusesOf = async (stage: Stage): Promise<readonly string[]> =>
  (await receivedOf(stage, stage.kept.made.pix.txid))
    .map(({ status, returnReason }) => `${status} ${returnReason ?? ''}`.trim())
    .sort()

/** The returns that the bank has made of a payment. */
const backAtBank = ({ bank }: Stage, endToEndId: string): number => {
  const movements = bank.bank.book.movements()
  return movements.filter((one) => one.endToEndId === endToEndId && one.cents < 0).length
}

/** Faults of money on its way back. */
export const storiesOfMoneyBack: readonly FaultStory[] = [
  {
    fault: '16',
    title: 'two payments of one code',
    bankName: 'efi',
    asks: returns,
    begin: beginsPaid,
    turn: async ({ bank, kept }) => {
      kept.second = await bank.hold('POST /pay', { txid: kept.made.pix.txid, force: true })
    },
    end: async (stage) => {
      stage.t.strictSame(await statusesOf(stage), ['RECEIVED', 'RETURNED DUPLICATE_PAYMENT'])
      stage.t.equal(backAtBank(stage, stage.kept.second.endToEndId), 1)
    },
  },
  {
    fault: '17',
    title: 'a payment of another amount',
    bankName: 'inter',
    asks: returns,
    begin: async (stage) => {
      stage.kept.made = await payableCharge(stage)
    },
    turn: async ({ bank, kept }) => {
      kept.paid = await bank.hold('POST /pay', { txid: kept.made.pix.txid, valor: '18.00', force: true })
    },
    end: async (stage) => {
      stage.t.strictSame(await statusesOf(stage), ['RETURNED AMOUNT_MISMATCH'])
      stage.t.equal(backAtBank(stage, stage.kept.paid.endToEndId), 1)
      stage.t.notMatch((await chargeNow(stage, stage.kept.made.id)).status, /APPROVED|PENDING/)
    },
  },
  {
    fault: '22',
    takes: 'DAYS',
    title: 'a refund that the bank takes three days for',
    bankName: 'sicoob',
    asks: refunds,
    begin: async (stage) => {
      await beginsPaid(stage)
      await stage.bank.hold('POST /returns/settings', { settleAfterMs: null, refusal: null })
      stage.kept.blocked = Number((await stage.call('GET', '/v1/balance')).body.blocked)
    },
    isRepeated: true,
    turn: refund,
    later: [
      {
        afterMs: 2 * day,
        does: async (stage) => {
          const { body } = await stage.call('GET', '/v1/balance')
          const { refunds } = await transactionNow(stage, stage.kept.made.id)
          stage.kept.meanwhile = { blocked: Number(body.blocked), status: refunds[0].status }
        },
      },
      {
        afterMs: 3 * day,
        does: async (stage) => {
          const { endToEndId } = stage.kept.made.pix
          const asked = requestsTo(stage, 'PUT', new RegExp(`${endToEndId}/devolucao/`))
          const ids = new Set(asked.map(({ path }) => path.split('/').at(-1)))
          stage.kept.ids = ids.size
          for (const id of ids)
            await stage.bank.hold('POST /returns/settle', { endToEndId, id, status: 'DEVOLVIDO' })
          await stage.bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: null })
        },
      },
    ],
    end: async (stage) => {
      const { t, kept } = stage
      t.ok((await stage.answer).status < 300)
      t.equal(kept.ids, 1, 'it has one id')
      t.strictSame(kept.meanwhile, { blocked: kept.blocked + 990, status: 'PROCESSING' })
      const { status, refunds } = await transactionNow(stage, kept.made.id)
      t.equal(status, 'PARTIALLY_REFUNDED')
      t.match(refunds, [{ amount: '990', status: 'COMPLETED' }])
      t.equal(Number((await stage.call('GET', '/v1/balance')).body.blocked), kept.blocked)
      t.equal(backAtBank(stage, kept.made.pix.endToEndId), 1)
    },
  },
  {
    fault: '23',
    title: 'money goes back in the bank’s own app',
    bankName: 'efi',
    asks: { call: 'FETCH', verb: 'GET', path: '/pix/E' },
    begin: beginsPaid,
    turn: ({ bank, kept }) =>
      bank.hold('POST /returns', { endToEndId: kept.made.pix.endToEndId, cents: 1000 }),
    end: async (stage) => {
      const { status, refunds } = await transactionNow(stage, stage.kept.made.id)
      stage.t.equal(status, 'PARTIALLY_REFUNDED')
      stage.t.match(refunds, [{ amount: '1000', origin: 'BANK', status: 'COMPLETED' }])
      stage.t.equal(refunds.length, 1)
    },
  },
  {
    fault: '25',
    takes: 'DAYS',
    title: 'the bank refuses a return for ever',
    bankName: 'itau',
    asks: returns,
    begin: async (stage) => {
      await beginsPaid(stage)
      await stage.bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: 'a conta foi encerrada' })
    },
    turn: async ({ bank, kept }) => {
      kept.second = await bank.hold('POST /pay', { txid: kept.made.pix.txid, force: true })
    },
    later: [
      {
        afterMs: 4.9 * day,
        does: ({ bank }) => bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: null }),
      },
    ],
    end: async (stage) => {
      const { t, kept } = stage
      t.strictSame(await statusesOf(stage), ['RECEIVED', 'RETURN_FAILED DUPLICATE_PAYMENT'])
      t.equal(backAtBank(stage, kept.second.endToEndId), 0)
      const asked = requestsTo(stage, 'PUT', new RegExp(`${kept.second.endToEndId}/devolucao/`))
      t.equal(new Set(asked.map(({ path }) => path)).size, 4, 'each day has an id of its own')
    },
  },
  {
    fault: '26',
    title: 'the certificate of the connection ends',
    bankName: 'banco-do-brasil',
    asks: refunds,
    // The bank lets nothing in, so nothing is done or answered.
    kills: ['BEFORE_ASK'],
    begin: async (stage) => {
      await beginsPaid(stage)
      await rotate(stage, stage.startMs + 90_000)
    },
    isRepeated: true,
    turn: refund,
    later: [
      {
        afterMs: hour,
        does: async (stage) => {
          const { host, connection } = stage
          host.service().expectLimit('SERVICE_UNAVAILABLE')
          const { status } = await stage.call('POST', '/v1/pix/charges', { amount: 1990 })
          stage.kept.refused = status
          const { refunds } = await transactionNow(stage, stage.kept.made.id)
          stage.kept.queued = refunds.map((one: any) => one.status)
          stage.kept.state = (
            await host.service().operate('connections list', { company: stage.company.id })
          ).data
          const { metric } = host.service()
          stage.kept.days = await metric('payments_provider_certificate_days', connection.id)
          stage.kept.active = await metric('payments_provider_connection_active', connection.id)
          await rotate(stage, Date.UTC(2049, 0))
          await host.service().operate('connections resume', { id: connection.id })
        },
      },
    ],
    end: async (stage) => {
      const { t, kept } = stage
      t.equal(kept.refused, 503)
      t.strictSame(kept.queued, ['PROCESSING'])
      t.match(kept.state, [{ status: 'SUSPENDED' }])
      // What alerts are about (docs/observability/rules.yml).
      t.ok(kept.days <= 0, 'it is shown to have ended')
      t.equal(kept.active, 0)
      const { refunds } = await transactionNow(stage, kept.made.id)
      t.match(refunds, [{ amount: '990', status: 'COMPLETED' }])
      t.equal((await charge(stage)).status, 'PENDING')
    },
  },
  {
    fault: '43',
    title: 'a refund of a charge of the first connection, while the other is in use',
    bankName: 'efi',
    asks: refunds,
    begin: async (stage) => {
      await beginsPaid(stage)
      await stage.host.service().operate('connections suspend', { id: stage.connection.id })
    },
    isRepeated: true,
    turn: refund,
    later: [
      {
        afterMs: hour,
        does: async (stage) => {
          const made = await charge(stage)
          stage.kept.byOther = stage.other!.bank.charges.find(made.pix.txid) !== undefined
          await stage.host.service().operate('connections resume', { id: stage.connection.id })
        },
      },
    ],
    end: async (stage) => {
      const { t, kept } = stage
      const { refunds } = await transactionNow(stage, kept.made.id)
      t.match(refunds, [{ amount: '990', status: 'COMPLETED' }])
      t.equal(backAtBank(stage, kept.made.pix.endToEndId), 1, 'by the bank that has the money')
      t.ok(kept.byOther, 'what is new goes by the other one')
    },
  },
]

/** Gives the connection a certificate that ends at some time. */
export const rotate = async ({ bank, host, connection, kept }: Stage, notAfterMs: number): Promise<void> => {
  const identity = bank.clientAuthority.issue({ commonName: bank.client.clientId, notAfterMs })
  kept.settings = { ...stageSettings(bank), certificate: identity.cert, privateKey: identity.key }
  await host.service().operate('connections rotate', { id: connection.id, settings: kept.settings })
}

const stageSettings = (bank: Stage['bank']) => liveSettings(bank, bank.bank.context.profile.name)
