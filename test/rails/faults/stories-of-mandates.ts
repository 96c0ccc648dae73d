import { addDays, businessDayFrom, dayOf, momentOf } from '../days.ts'
import { type FaultStory, type LaterStep, receivedOf, requestsTo, type Stage } from './story.ts'

const schedules = { call: 'SCHEDULE', verb: 'PUT', path: '/cobr/' } as const
const overWeeks = { takes: 'WEEKS', comesLater: true, settings: {}, asks: schedules } as const

/** The first invoice of a subscription that begins later is due so many days after it is issued, as its start is. */
const leadDays = 3
const price = 4_900

/** A monthly subscription that begins in some days, and whose payer has authorized it by a code that holds the mandate alone. */
const beginsAuthorized =
  ({ coupon, maximo }: { readonly coupon?: string; readonly maximo?: string } = {}) =>
  async (stage: Stage): Promise<void> => {
    const { call, bank, kept } = stage
    // The first attempt comes on a day on which banks work: the steps of a story are counted from it.
    kept.dueOn = businessDayFrom(addDays(dayOf(bank.clock.nowMs()), 2 + leadDays))
    const plan = await made(call, '/v1/plans', {
      name: 'Mensal',
      amount: price,
      interval: 'MONTH',
      methods: ['PIX'],
    })
    const couponCode = coupon && `${coupon}${stage.kill ?? 'NONE'}`.replaceAll('_', '')
    if (couponCode !== undefined)
      await made(call, '/v1/coupons', {
        ...{ code: couponCode, discountType: 'PERCENT', percentBps: 1000, duration: 'FOREVER' },
      })
    const subscription = await made(call, '/v1/subscriptions', {
      planId: plan.id,
      customer: { name: 'Carla Dias', document: '11144477735', email: 'carla@example.com' },
      method: 'PIX',
      startAt: addDays(kept.dueOn, -leadDays),
      pixAutomatic: { journey: 'QR' },
      ...(couponCode !== undefined && { couponCode }),
    })
    kept.id = subscription.id
    await mandateComesTo(stage, ({ copyPaste }) => copyPaste !== null)
    const { copyPaste: code, idRec } = (await subscriptionNow(stage)).pixMandate
    kept.idRec = idRec
    await bank.hold('POST /pay', { code, ...(maximo !== undefined && { maximo }) })
    await mandateComesTo(stage, ({ status }) => status === 'ACTIVE')
  }

const made = async (call: Stage['call'], path: string, body: object): Promise<any> => {
  const answer = await call('POST', path, body)
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const subscriptionNow = async ({ call, kept }: Stage): Promise<any> =>
  (await call('GET', `/v1/subscriptions/${kept.id}`)).body

const mandateComesTo = async (stage: Stage, fits: (mandate: any) => boolean): Promise<void> => {
  for (let tries = 0; !fits((await subscriptionNow(stage)).pixMandate); tries++) {
    if (tries > 400)
      throw new Error(`a mandate is ${JSON.stringify((await subscriptionNow(stage)).pixMandate)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A step at an hour of a day that is counted from the day of the first attempt. */
const at = (stage: Stage, day: number, ofDay: number, does: LaterStep['does']): LaterStep => ({
  afterMs: momentOf(addDays(stage.kept.dueOn, day), ofDay) - stage.bank.clock.nowMs(),
  does,
})

const rejectsAll =
  (codigo: string, times?: number) =>
  ({ bank, kept }: Stage): Promise<unknown> =>
    bank.hold('POST /mandates/account', { idRec: kept.idRec, does: 'reject', codigo, times })

const cancels = async ({ call, kept }: Stage): Promise<void> => {
  kept.cancelled = (await call('POST', `/v1/subscriptions/${kept.id}/cancel`, { reason: 'over' })).status
}

/** The code of the newest invoice, where a payer can pay it; null while there is none. */
const codeNow = async (stage: Stage): Promise<string | null> =>
  (await subscriptionNow(stage)).latestInvoice?.payment?.pix?.copyPaste ?? null

const paysCode = async (stage: Stage): Promise<void> => {
  const code = await codeNow(stage)
  stage.kept.hadCode = code !== null
  if (code !== null) await stage.bank.hold('POST /pay', { code })
}

const chargesAtBank = ({ bank, kept }: Stage): readonly any[] =>
  bank.bank.mandateCharges.all().filter(({ idRec }) => idRec === kept.idRec)

const transactionsOf = async ({ call, kept }: Stage): Promise<readonly any[]> =>
  (await call('GET', '/v1/transactions?pageSize=100')).body.data.filter(
    ({ subscriptionId }: { readonly subscriptionId: string | null }) => subscriptionId === kept.id,
  )

/** Notes each moment at which the payer could pay twice: an attempt is under way, and a code is live at the bank. */
const looksForBoth = async (stage: Stage): Promise<void> => {
  const { kept, bank } = stage
  const isLive = chargesAtBank(stage).some(({ attempts }) =>
    attempts.some(({ status }: { readonly status: string }) => /SOLICITADA|AGENDADA/.test(status)),
  )
  const txids = new Set((await transactionsOf(stage)).map(({ pix }) => pix?.txid))
  const isPayable = bank.bank.charges.all().some(({ txid, status }) => txids.has(txid) && status === 'ATIVA')
  kept.looked = (kept.looked ?? 0) + 1
  if (isLive && isPayable) kept.both = (kept.both ?? 0) + 1
}

const lookingEachDay = (stage: Stage, days: number): readonly LaterStep[] =>
  Array.from({ length: days }, (_, day) => at(stage, day - leadDays, 15, looksForBoth))

/** The invoice was paid once, and whatever else it was to be paid by is over. */
const endsPaidOnce = async (stage: Stage): Promise<void> => {
  const { t, call, kept } = stage
  const { body } = await call('GET', `/v1/invoices?subscriptionId=${kept.id}`)
  t.match(body.data, [{ status: 'PAID' }])
  t.equal(body.data.length, 1)
  const transactions = await transactionsOf(stage)
  const paid = transactions.filter(({ status }) => status === 'APPROVED')
  t.equal(paid.length, 1)
  t.notOk(transactions.some(({ status }) => /CREATED|PENDING/.test(status)))
  kept.paid = paid[0]
  t.equal((await receivedOf(stage, kept.paid.pix.txid)).length, 1)
}

/** Faults of what is collected by mandates of Pix Automático. */
export const storiesOfMandates: readonly FaultStory[] = [
  {
    ...overWeeks,
    fault: 'cobr',
    title: 'the charge by a mandate is scheduled, and its answer is lost',
    bankName: 'efi',
    begin: beginsAuthorized(),
    faults: ({ bank }) =>
      bank.hold('POST /faults', { verb: 'PUT', path: '/cobr/', does: { kind: 'cut', when: 'after' } }),
    later: (stage) => [at(stage, 8, 12, cancels)],
    end: async (stage) => {
      await endsPaidOnce(stage)
      stage.t.match(chargesAtBank(stage), [{ status: 'CONCLUIDA', txid: stage.kept.paid.pix.txid }])
      stage.t.equal(chargesAtBank(stage).length, 1)
    },
  },
  {
    ...overWeeks,
    fault: 'cobr EXPIRED then QR',
    title: 'no attempt of the payer’s bank succeeds, and a code follows when none can be requested',
    bankName: 'efi',
    begin: beginsAuthorized(),
    early: rejectsAll('AC06'),
    later: (stage) => [...lookingEachDay(stage, 14), at(stage, 8, 12, paysCode), at(stage, 10, 12, cancels)],
    end: async (stage) => {
      const { t, kept } = stage
      t.ok(kept.hadCode, 'a code can be paid')
      t.equal(kept.looked, 14)
      t.equal(kept.both, undefined, 'there never are an attempt and a code')
      await endsPaidOnce(stage)
      const [charge, ...others] = chargesAtBank(stage)
      t.strictSame(others, [], 'the cycle has one charge (R4)')
      t.match(charge.status, /EXPIRADA|CANCELADA/)
      const retries = charge.attempts.filter(({ tipo }: { readonly tipo: string }) => tipo === 'NTAG')
      t.equal(retries.length, 3, 'on three days within the week (R9)')
      t.not(kept.paid.pix.txid, charge.txid)
    },
  },
  {
    ...overWeeks,
    fault: 'payer’s maximum',
    title: 'a variable charge is above the maximum of its payer',
    bankName: 'sicoob',
    begin: beginsAuthorized({ coupon: 'DEZ', maximo: '30.00' }),
    later: (stage) => [...lookingEachDay(stage, 6), at(stage, -1, 12, paysCode), at(stage, 8, 12, cancels)],
    end: async (stage) => {
      const { t, kept } = stage
      t.ok(kept.hadCode, 'a code takes its place in time')
      t.equal(kept.both, undefined, 'there never are an attempt and a code')
      await endsPaidOnce(stage)
      t.match(chargesAtBank(stage), [{ status: 'REJEITADA' }])
      t.equal(chargesAtBank(stage).length, 1, 'it is not tried once more')
    },
  },
  {
    ...overWeeks,
    fault: 'mandate ended',
    title: 'the payer ends the mandate while a charge is scheduled',
    bankName: 'itau',
    begin: beginsAuthorized(),
    later: (stage) => [
      at(stage, -2, 12, ({ bank, kept }) =>
        bank.hold('POST /mandates/answer', { idRec: kept.idRec, does: 'cancel' }),
      ),
      ...lookingEachDay(stage, 6),
      at(stage, -1, 12, paysCode),
      at(stage, 8, 12, cancels),
    ],
    end: async (stage) => {
      const { t, kept } = stage
      t.ok(kept.hadCode, 'a code takes its place in time')
      t.equal(kept.both, undefined, 'there never are an attempt and a code')
      await endsPaidOnce(stage)
      t.match(chargesAtBank(stage), [{ status: 'CANCELADA' }])
      t.match((await subscriptionNow(stage)).pixMandate, { status: 'CANCELLED', closedBy: 'PAYER' })
    },
  },
  {
    ...overWeeks,
    fault: 'R4',
    title:
      'a subscription is cancelled after the first attempt, and its bank is silent until the second one has paid',
    bankName: 'inter',
    asks: { call: 'RETURN', verb: 'PUT', path: '/devolucao/' },
    begin: beginsAuthorized(),
    early: rejectsAll('AC06', 1),
    later: (stage) => [
      at(stage, 0, 12, async (stage) => {
        const does = { kind: 'cut', when: 'before' }
        await stage.bank.hold('POST /faults', { verb: 'PATCH', path: '/rec/', times: null, does })
        await cancels(stage)
      }),
      at(stage, 1, 0, ({ bank }) => bank.hold('DELETE /faults')),
    ],
    end: async (stage) => {
      const { t, kept, bank } = stage
      t.equal(kept.cancelled, 200)
      const [charge] = chargesAtBank(stage)
      t.equal(charge.status, 'CONCLUIDA')
      t.match(await receivedOf(stage, charge.txid), [{ status: 'RETURNED' }])
      const movements = bank.bank.book.movements().filter(({ txid }) => txid === charge.txid)
      t.equal(
        movements.reduce((sum, { cents }) => sum + cents, 0),
        0,
      )
      t.equal(requestsTo(stage, 'POST', new RegExp(`${charge.txid}/retentativa`)).length, 0)
      t.equal(bank.bank.mandates.find(kept.idRec)!.status, 'CANCELADA')
    },
  },
]
