import type { Call } from '../../e2e/service.ts'
import { aBeneficiary } from '../live-person.ts'
import { beginsPaid, rotate } from './stories-of-money-back.ts'
import {
  comesTo,
  day,
  type FaultStory,
  hour,
  payableCharge,
  requestsTo,
  type Stage,
  transactionNow,
} from './story.ts'

const sends = { call: 'PAY_OUT', verb: 'PUT', path: '/v3/gn/pix/' } as const

const beginsWithMoney = async (stage: Stage): Promise<void> => {
  const { id, pix } = await payableCharge(stage, { amount: 20_000 })
  await stage.bank.hold('POST /pay', { txid: pix.txid })
  await comesTo(stage, id, 'APPROVED')
  stage.kept.beneficiaryId = await beneficiaryOf(stage.sign!)
}

/** The beneficiary of all rounds of a shop. */
export const beneficiaryOf = async (sign: Call): Promise<string> => {
  const [known] = (await sign('GET', '/v1/beneficiaries')).body.data
  if (known !== undefined) return known.id
  const { status, body } = await sign('POST', '/v1/beneficiaries', aBeneficiary)
  if (status !== 201) throw new Error(`a beneficiary was answered ${status} ${JSON.stringify(body)}`)
  return body.id
}

const sendsMoney = ({ sign, kept, idempotencyKey }: Stage): Promise<any> =>
  sign!(
    'POST',
    '/v1/transfers',
    { kind: 'PIX', amount: 5_000, beneficiaryId: kept.beneficiaryId },
    { 'Idempotency-Key': idempotencyKey },
  )

const transferNow = async ({ sign }: Stage, id: string): Promise<any> =>
  (await sign!('GET', `/v1/transfers/${id}`)).body

/** What the bank has sent since the round began. */
const sentAtBank = ({ bank, startMs }: Stage): readonly any[] =>
  bank.bank.sends.all().filter(({ askedMs }) => askedMs >= startMs)

/** The requests to send money since the round began, by the id that each is for. */
const idsSent = (stage: Stage): ReadonlySet<string> =>
  new Set(sentAtBank(stage).map(({ reference }: { readonly reference: string }) => reference))

/** A bank that gives its statement. */
const readsStatement = {
  ...{ receiverBranch: '0001', receiverAccount: '1234567' },
  ...{ readsStatement: true, pixAutomatic: false },
}

/** Each answer about what is sent is lost, for days. */
const answersNothing = ({ bank }: Stage): Promise<unknown> =>
  bank.hold('POST /faults', {
    ...{ verb: 'POST', path: '/banking/v2/pix', times: 1_000 },
    does: { kind: 'cut', when: 'after' },
  })

/** A charge that is divided with a recipient, whose payer is about to pay it. */
const beginsShared = async (stage: Stage): Promise<void> => {
  const { call, kept } = stage
  const [known] = (await call('GET', '/v1/split/rules')).body.data
  kept.charge = await payableCharge(stage, {
    amount: 3_000,
    splitRuleId: known?.id ?? (await makeSplitRule(call)),
  })
}

/** The rule by which a recipient gets 80 % of payments. */
export const makeSplitRule = async (call: Call): Promise<string> => {
  const { body: recipient } = await call('POST', '/v1/split/recipients', {
    ...{ name: 'Vendedora Ltda', document: '11444777000161' },
    ...{ bankCode: '341', branch: '1234', account: '567890' },
  })
  const items = [{ recipientId: recipient.id, percentBps: 8_000 }, { percentBps: 2_000 }]
  return (await call('POST', '/v1/split/rules', { name: '80/20', items })).body.id
}

const paysShared = ({ bank, kept }: Stage): Promise<unknown> =>
  bank.hold('POST /pay', { txid: kept.charge.pix.txid })

const partsOf = async ({ call, kept }: Stage): Promise<readonly any[]> =>
  (await call('GET', `/v1/split/transfers?transactionId=${kept.charge.id}`)).body.data

const beginsWithMed = async (stage: Stage): Promise<void> => {
  await beginsPaid(stage)
  stage.kept.med = await stage.bank.hold('POST /meds', { endToEndId: stage.kept.made.pix.endToEndId })
}

const medNow = async (stage: Stage): Promise<any> => {
  const { kept, sign } = stage
  const { body } = await sign!('GET', `/v1/meds?transactionId=${kept.made.id}`)
  return body.data[0]
}

/** The MED once it has come; after a kill a busy machine takes a moment to fetch it. */
const medThatCame = async (stage: Stage): Promise<any> => {
  for (let tries = 0; ; tries++) {
    const med = await medNow(stage)
    if (med !== undefined || tries > 400) return med
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A person whose request is lost repeats it; a second defence is refused. */
const defends = async (stage: Stage, id: string): Promise<unknown> => {
  for (let tries = 0; ; tries++) {
    const answer = await stage.sign!('POST', `/v1/meds/${id}/defend`, { text: proof }).catch(() => null)
    if (answer !== null || tries > 100) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const proof = 'The order was collected by the payer, who signed for it.'

const closesMed =
  (status: 'ACEITA' | 'REJEITADA') =>
  ({ bank, kept }: Stage): Promise<unknown> =>
    bank.hold('POST /meds/close', { id: kept.med.id, status })

/** Faults that are about people: money that they send, and MED that they answer. */
export const storiesOfMoneyOut: readonly FaultStory[] = [
  {
    fault: '41',
    title: 'money is sent, its answer is lost, and the credentials are others when the bank is asked for it',
    bankName: 'efi',
    asks: sends,
    begin: beginsWithMoney,
    faults: ({ bank }) =>
      bank.hold('POST /faults', { verb: 'PUT', path: '/v3/gn/pix/', does: { kind: 'cut', when: 'after' } }),
    isRepeated: true,
    turn: sendsMoney,
    later: [
      {
        afterMs: 1_000,
        does: async (stage) => {
          await rotate(stage, Date.UTC(2049, 0))
          await stage.bank.hold('POST /tokens/revoke')
        },
      },
    ],
    end: async (stage) => {
      const { t } = stage
      const { body } = await stage.answer
      t.match(await transferNow(stage, body.id), { status: 'COMPLETED', amount: '5000' })
      t.equal(idsSent(stage).size, 1)
      t.match(sentAtBank(stage), [{ status: 'REALIZADO', cents: 5_000 }])
      t.equal(sentAtBank(stage).length, 1)
    },
  },
  {
    fault: '41',
    title: 'a recipient’s part is sent, and its answer is lost',
    bankName: 'efi',
    asks: sends,
    begin: beginsShared,
    faults: ({ bank }) =>
      bank.hold('POST /faults', { verb: 'PUT', path: '/v3/gn/pix/', does: { kind: 'cut', when: 'after' } }),
    turn: paysShared,
    end: async (stage) => {
      const { t } = stage
      const [part, ...others] = await partsOf(stage)
      t.strictSame(others, [])
      t.match(part, { status: 'COMPLETED' })
      t.match(sentAtBank(stage), [{ status: 'REALIZADO', cents: Number(part.amount) }])
      t.equal(sentAtBank(stage).length, 1)
    },
  },
  {
    fault: '41',
    title:
      'Inter sends money, and answers nothing for longer than it repeats an answer: its statement shows it',
    takes: 'DAYS',
    bankName: 'inter',
    settings: readsStatement,
    asks: { call: 'PAY_OUT', verb: 'POST', path: '/banking/v2/pix' },
    begin: beginsWithMoney,
    faults: answersNothing,
    isRepeated: true,
    turn: sendsMoney,
    end: async (stage) => {
      const { t } = stage
      const { body } = await stage.answer
      const now = await transferNow(stage, body.id)
      t.match(now, { status: 'COMPLETED', amount: '5000', endToEndId: sentAtBank(stage)[0].endToEndId })
      t.equal(sentAtBank(stage).length, 1)
    },
  },
  {
    fault: '41',
    title: 'Inter sends a recipient’s part, and answers nothing: its statement shows it',
    takes: 'DAYS',
    bankName: 'inter',
    settings: readsStatement,
    asks: { call: 'PAY_OUT', verb: 'POST', path: '/banking/v2/pix' },
    begin: beginsShared,
    faults: answersNothing,
    turn: paysShared,
    end: async (stage) => {
      const { t } = stage
      const [part] = await partsOf(stage)
      t.match(part, { status: 'COMPLETED', endToEndId: sentAtBank(stage)[0].endToEndId })
      t.equal(sentAtBank(stage).length, 1)
    },
  },
  {
    fault: 'payout returned next day',
    title: 'money that had arrived comes back on the next day',
    takes: 'DAYS',
    comesLater: true,
    bankName: 'efi',
    asks: { call: 'FETCH', verb: 'GET', path: '/v2/gn/pix/enviados/id-envio/' },
    begin: async (stage) => {
      await beginsWithMoney(stage)
      stage.kept.id = (await sendsMoney(stage)).body.id
      for (let tries = 0; (await transferNow(stage, stage.kept.id)).status !== 'COMPLETED'; tries++) {
        if (tries > 400) throw new Error('a transfer does not arrive')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    later: [
      {
        afterMs: day,
        does: async (stage) => {
          const [{ reference }] = sentAtBank(stage)
          await stage.bank.hold('POST /sends/give-back', { reference, valor: '20.00' })
        },
      },
    ],
    end: async (stage) => {
      const now = await transferNow(stage, stage.kept.id)
      stage.t.match(now, { status: 'COMPLETED', returnedAmount: '2000', returns: [{ amount: '2000' }] })
      stage.t.equal(now.returns.length, 1)
    },
  },
  {
    fault: 'MED defended',
    title: 'a MED is defended, and the answer of the bank is lost',
    takes: 'DAYS',
    comesLater: true,
    bankName: 'efi',
    asks: { call: 'DEFEND_MED', verb: 'POST', path: '/defesa' },
    begin: beginsWithMed,
    faults: ({ bank }) =>
      bank.hold('POST /faults', { verb: 'POST', path: '/defesa', does: { kind: 'cut', when: 'after' } }),
    later: [
      {
        afterMs: 8 * hour,
        does: async (stage) => {
          const { id, status } = await medThatCame(stage)
          stage.kept.was = status
          stage.kept.blocked = Number((await stage.call('GET', '/v1/balance')).body.blocked)
          stage.answer = defends(stage, id)
          await new Promise((resolve) => setTimeout(resolve, 200))
        },
      },
      { afterMs: day, does: closesMed('REJEITADA') },
    ],
    end: async (stage) => {
      const { t, bank, kept } = stage
      // A fee has left a first payment; what is missing is not blocked.
      t.equal(kept.was, 'OPEN')
      t.ok(kept.blocked >= 1970)
      t.match(await medNow(stage), { status: 'CLOSED', result: 'REJECTED', defense: { text: proof } })
      const found = bank.bank.meds.all().find(({ id }) => id === kept.med.id)!
      t.equal(found.defence?.text, proof)
      const path = new RegExp(`${kept.med.id}/defesa`)
      const taken = requestsTo(stage, 'POST', path).filter(({ status }) => status === 201 || status === 200)
      t.ok(taken.length <= 1, 'the bank takes one')
      t.match(await transactionNow(stage, kept.made.id), { status: 'APPROVED', refunds: [] })
    },
  },
  {
    fault: 'MED without money',
    title: 'a MED is accepted when nothing is left that could go back',
    takes: 'DAYS',
    comesLater: true,
    bankName: 'efi',
    asks: { call: 'FETCH', verb: 'GET', path: '/pix/E' },
    begin: beginsWithMed,
    later: [
      {
        afterMs: 8 * hour,
        does: async (stage) => {
          const { bank, kept } = stage
          kept.was = (await medThatCame(stage)).status
          await bank.hold('POST /returns', { endToEndId: kept.made.pix.endToEndId, cents: 1990 })
        },
      },
      { afterMs: day, does: closesMed('ACEITA') },
    ],
    end: async (stage) => {
      const { t, kept } = stage
      t.equal(kept.was, 'OPEN')
      t.match(await medNow(stage), { status: 'CLOSED', result: 'ACCEPTED', returnedAmount: '0' })
      const { refunds } = await transactionNow(stage, kept.made.id)
      t.match(refunds, [{ amount: '1990', origin: 'BANK', status: 'COMPLETED' }])
      t.equal(refunds.length, 1)
    },
  },
  {
    fault: 'MED returned then contested',
    title: 'a MED is accepted and its money goes back; this bank takes no contest',
    takes: 'DAYS',
    comesLater: true,
    bankName: 'efi',
    asks: { call: 'FETCH', verb: 'GET', path: '/pix/E' },
    begin: beginsWithMed,
    later: [
      { afterMs: day, does: closesMed('ACEITA') },
      {
        afterMs: 2 * day,
        does: async (stage) => {
          const { id, status, result } = await medNow(stage)
          stage.kept.was = [status, result]
          stage.kept.refused = await stage.sign!('POST', `/v1/meds/${id}/contest`, { text: proof })
        },
      },
    ],
    end: async (stage) => {
      const { t, kept } = stage
      t.strictSame(kept.was, ['CLOSED', 'ACCEPTED'])
      t.match(kept.refused, { status: 422, body: { code: 'NOT_OFFERED_BY_PROVIDER' } })
      t.match(await medNow(stage), { status: 'CLOSED', result: 'ACCEPTED', contest: null })
      const { status, refunds } = await transactionNow(stage, kept.made.id)
      t.equal(status, 'REFUNDED')
      t.match(refunds, [{ amount: '1990', origin: 'MED', status: 'COMPLETED' }])
      t.equal(refunds.length, 1)
    },
  },
]
