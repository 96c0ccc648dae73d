import {
  charge,
  chargeNow,
  type FaultStory,
  hour,
  minute,
  payableCharge,
  receivedOf,
  requestsTo,
  type Stage,
} from './story.ts'

const registers = { call: 'REGISTER', verb: 'PUT', path: '/cob/' } as const
const fetches = { call: 'FETCH', verb: 'GET', path: '/pix/E' } as const
const polls = { call: 'POLL', verb: 'GET', path: '/pix$' } as const

const makes = (change: object = {}) => ({
  isRepeated: true,
  turn: (stage: Stage) => charge(stage, change, stage.idempotencyKey),
})

const pay = (stage: Stage, more: object = {}): Promise<any> =>
  stage.bank.hold('POST /pay', { txid: stage.kept.made.pix.txid, ...more })

const beginsWithCharge =
  (change: object = {}) =>
  async (stage: Stage): Promise<void> => {
    stage.kept.made = await payableCharge(stage, change)
  }

const endsApproved = async (stage: Stage): Promise<void> => {
  const { id, pix } = stage.kept.made
  stage.t.match(await chargeNow(stage, id), { status: 'APPROVED', paidAmount: '1990' })
  stage.t.equal((await receivedOf(stage, pix.txid)).length, 1)
}

/** Faults on the way to a charge and to its payment. */
export const storiesOfCharges: readonly FaultStory[] = [
  {
    fault: '1',
    title: 'the charge is registered, and its answer is lost',
    bankName: 'efi',
    asks: registers,
    faults: ({ bank }) =>
      bank.hold('POST /faults', { verb: 'PUT', path: '/cob/', does: { kind: 'cut', when: 'after' } }),
    ...makes(),
    later: [
      {
        afterMs: 3 * minute,
        does: async (stage) => {
          const { id, pix } = await stage.answer
          const { status, copyPaste } = await chargeNow(stage, id)
          stage.kept.shown = { status, copyPaste }
          await stage.bank.hold('POST /pay', { txid: pix.txid })
        },
      },
    ],
    end: async (stage) => {
      const made = await stage.answer
      stage.t.match(made.status, /^(CREATED|PENDING)$/)
      stage.t.match(stage.kept.shown, { status: 'PENDING', copyPaste: /^000201/ })
      stage.kept.made = made
      await endsApproved(stage)
    },
  },
  {
    fault: '2',
    title: 'the request never arrives for 20 seconds',
    bankName: 'itau',
    asks: registers,
    // Nothing arrives, so nothing is answered.
    kills: ['BEFORE_ASK'],
    faults: ({ bank }) => bank.hold('POST /faults/connections', { are: 'silent' }),
    ...makes(),
    later: [
      {
        afterMs: 20_000,
        does: ({ bank }) => bank.hold('POST /faults/connections', { are: 'open' }),
      },
    ],
    end: async (stage) => {
      const made = await stage.answer
      stage.t.equal(made.status, 'CREATED')
      stage.t.match((await chargeNow(stage, made.id)).copyPaste, /^000201/)
    },
  },
  {
    fault: '4',
    title: 'the bank answers with another amount than it was asked for',
    bankName: 'inter',
    asks: registers,
    faults: ({ bank }) =>
      bank.hold('POST /faults', {
        verb: 'PUT',
        path: '/cob/',
        times: null,
        does: { kind: 'change', set: { 'valor.original': '99.99' } },
      }),
    ...makes(),
    later: [
      {
        afterMs: 5 * minute,
        does: async (stage) => {
          stage.kept.shown = await chargeNow(stage, (await stage.answer).id)
        },
      },
      { afterMs: hour, does: ({ bank }) => bank.hold('DELETE /faults') },
    ],
    end: async (stage) => {
      const { t, kept } = stage
      t.match(await stage.answer, { status: 'CREATED', copyPaste: null })
      t.match(kept.shown, { status: 'CREATED', copyPaste: null })
      const now = await chargeNow(stage, kept.shown.id)
      t.match(now, { status: 'FAILED', failureReason: 'PROVIDER_ERROR', copyPaste: null })
      t.ok((await stage.host.service().metric('payments_provider_alerts_total', 'WRONG_ECHO'))! > 0)
      t.equal(stage.bank.bank.charges.find(now.pix.txid)!.status, 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    },
  },
  {
    fault: '5',
    title: 'the bank refuses the charge',
    bankName: 'banco-do-brasil',
    asks: registers,
    kills: ['BEFORE_ASK', 'BEFORE_FLUSH'],
    faults: ({ bank }) =>
      bank.hold('POST /faults', {
        verb: 'PUT',
        path: '/cob/',
        times: null,
        does: {
          kind: 'error',
          when: 'before',
          status: 400,
          name: 'CobOperacaoInvalida',
          violacoes: [{ razao: 'o valor excede o limite da conta', propriedade: 'cob.valor.original' }],
        },
      }),
    ...makes(),
    later: [{ afterMs: hour, does: ({ bank }) => bank.hold('DELETE /faults') }],
    end: async (stage) => {
      const now = await chargeNow(stage, (await stage.answer).id)
      stage.t.match(now, { status: 'FAILED', failureReason: 'REGISTRATION_REJECTED' })
      stage.t.match(now.failureDetail.message, /excede o limite/)
    },
  },
  {
    fault: '7',
    title: 'the bank never reports the payment',
    bankName: 'sicoob',
    asks: polls,
    begin: beginsWithCharge(),
    early: async (stage) => {
      await stage.bank.hold('POST /faults/notices', { kind: 'lose', times: 1000 })
      await pay(stage)
    },
    later: [
      {
        afterMs: 46_000,
        does: async (stage) => {
          stage.kept.shown = (await chargeNow(stage, stage.kept.made.id)).status
          await stage.bank.hold('DELETE /faults')
        },
      },
    ],
    end: async (stage) => {
      // Within two minutes of the payment, also by a service that was away for a part of them.
      stage.t.equal(stage.kept.shown, 'APPROVED')
      await endsApproved(stage)
    },
  },
  {
    fault: '8',
    title: 'the payment is reported fifty times at once',
    bankName: 'efi',
    asks: fetches,
    begin: beginsWithCharge(),
    turn: async (stage) => {
      await stage.bank.hold('POST /faults/notices', { kind: 'repeat', copies: 50 })
      await pay(stage)
    },
    end: async (stage) => {
      await endsApproved(stage)
      const deliveries = stage.bank.bank.webhooks.deliveries().slice(-50)
      stage.t.ok(deliveries.every(({ state }) => state === 'DELIVERED'))
      stage.t.ok(stage.kill !== null || deliveries.every(({ attempts }) => attempts.length === 1))
    },
  },
  {
    fault: '10',
    title: 'a payment that never was is reported, with the bank’s certificate',
    bankName: 'inter',
    asks: fetches,
    begin: beginsWithCharge(),
    turn: async (stage) => {
      const { bank, kept } = stage
      const { url } = bank.bank.webhooks.all()[0]!
      kept.endToEndId = `E18236120202611${String(Math.floor(Math.random() * 1e17)).padStart(17, '0')}`
      const { txid } = kept.made.pix
      const pix = [{ endToEndId: kept.endToEndId, txid, valor: '19.90', horario: '2026-11-20T12:00:00.000Z' }]
      await bank.hold('POST /notices/forge', {
        url: `${url.replace(/\/pix$/, '')}/pix`,
        body: { pix },
        as: 'bank',
      })
    },
    end: async (stage) => {
      const { t, kept } = stage
      t.equal((await chargeNow(stage, kept.made.id)).status, 'EXPIRED')
      t.strictSame(await receivedOf(stage, kept.made.pix.txid), [])
      t.ok(requestsTo(stage, 'GET', new RegExp(kept.endToEndId)).length > 0, 'the bank was asked')
      t.ok((await stage.host.service().metric('payments_provider_alerts_total', 'FORGED_NOTICE'))! > 0)
    },
  },
  {
    fault: '11',
    title: 'a payment is reported without a certificate, and with a foreign one',
    bankName: 'efi',
    asks: null,
    begin: beginsWithCharge(),
    turn: async ({ bank, kept }) => {
      const { url } = bank.bank.webhooks.all()[0]!
      kept.endToEndId = `E18236120202612${String(Math.floor(Math.random() * 1e17)).padStart(17, '0')}`
      const body = { pix: [{ endToEndId: kept.endToEndId, valor: '19.90', txid: kept.made.pix.txid }] }
      kept.outcomes = []
      for (const as of ['foreign', 'none'] as const)
        kept.outcomes.push((await bank.hold('POST /notices/forge', { url: `${url}/pix`, body, as })).outcome)
    },
    end: async (stage) => {
      const { t, kept } = stage
      t.notMatch(kept.outcomes.join(), /2\d\d/)
      t.equal(requestsTo(stage, 'GET', new RegExp(kept.endToEndId)).length, 0, 'nothing was journaled')
      t.equal((await chargeNow(stage, kept.made.id)).status, 'EXPIRED')
    },
  },
  {
    fault: '13',
    title: 'the service is killed when a notice is on disk and its 200 is not sent',
    bankName: 'efi',
    asks: { call: 'HOOK', verb: 'GET', path: '/pix/E' },
    kills: ['BEFORE_ASK'],
    begin: beginsWithCharge(),
    turn: pay,
    end: async (stage) => {
      await endsApproved(stage)
      const delivery = stage.bank.bank.webhooks.deliveries().at(-1)!
      stage.t.equal(delivery.state, 'DELIVERED')
      stage.t.equal(delivery.attempts.length, stage.kill === null ? 1 : 2, 'the bank repeats it')
    },
  },
  {
    fault: '14',
    title: 'a payment of the last seconds is reported 40 seconds later',
    bankName: 'itau',
    asks: fetches,
    begin: beginsWithCharge({ expiresInSeconds: 63 }),
    early: async (stage) => {
      await stage.bank.hold('POST /faults/notices', { kind: 'delay', ms: 40_000 })
      await pay(stage)
    },
    end: endsApproved,
  },
  {
    fault: '20',
    title: 'a PIX to the key, without a charge',
    bankName: 'sicoob',
    asks: polls,
    early: async ({ bank, kept }) => {
      const pix = await bank.hold('POST /pay', { chave: bank.receiver.chaves[0], valor: '12.34' })
      kept.endToEndId = pix.endToEndId
    },
    end: async (stage) => {
      const { body } = await stage.call('GET', '/v1/transactions?pageSize=100')
      const found = body.data.filter((one: any) => one.pix?.endToEndId === stage.kept.endToEndId)
      stage.t.match(found, [{ status: 'APPROVED', amount: '1234', origin: 'DEPOSIT' }])
      stage.t.equal(found.length, 1)
    },
  },
  {
    fault: '19',
    title: 'the bank is silent about a cancellation',
    bankName: 'banco-do-brasil',
    asks: { call: 'CANCEL', verb: 'PATCH', path: '/cob/' },
    begin: beginsWithCharge(),
    faults: ({ bank }) =>
      bank.hold('POST /faults', { verb: 'PATCH', path: '/cob/', does: { kind: 'cut', when: 'before' } }),
    turn: ({ call, kept, host }) => {
      host.service().expectLimit('SERVICE_UNAVAILABLE')
      return call('POST', `/v1/pix/charges/${kept.made.id}/cancel`, {})
    },
    end: async (stage) => {
      if (stage.kill === null) stage.t.equal((await stage.answer).status, 503)
      stage.t.equal((await chargeNow(stage, stage.kept.made.id)).status, 'CANCELLED')
    },
  },
]
