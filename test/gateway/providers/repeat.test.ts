import t from 'tap'
import type { ProviderAsk } from '../../../gateway/providers/port.ts'
import { carryOut, inquireOnly, notFoundApartMs } from '../../../gateway/providers/repeat.ts'
import { openBankWithBooks, refusedCents } from './bank-with-books.ts'
import { aPayOut, repeated } from './sample-asks.ts'

/** A bank whose payouts may be repeated so, and time that the test holds. */
const held = (repeat: 'SAFE' | 'INQUIRE_FIRST' | 'NEVER') => {
  const bank = openBankWithBooks({ PAY_OUT: repeat })
  const notFound = new Map<string, number>()
  let nowMs = 0
  const carry = async (ask: ProviderAsk, mayHaveArrived: boolean): Promise<string> =>
    (await carryOut(bank.instance, repeat, ask, mayHaveArrived, notFound, () => nowMs)).type
  return {
    ...bank,
    notFound,
    first: (ask: ProviderAsk) => carry(ask, false),
    repeat: (ask: ProviderAsk) => carry(repeated(ask), true),
    pass: (ms: number) => {
      nowMs += ms
    },
    /** What was sent, without references. */
    exchanges: () => bank.sent.map((line) => line.slice(0, line.indexOf(' '))),
  }
}

t.test('what cannot have arrived is sent, however it may be repeated', async (t) => {
  for (const repeat of ['SAFE', 'INQUIRE_FIRST', 'NEVER'] as const) {
    const bank = held(repeat)
    t.equal(await bank.first(aPayOut()), 'DONE')
    t.strictSame(bank.exchanges(), ['PAY_OUT'])
  }
})

t.test('a safe one is sent once more, and a refusal of the repeat is inquired after', async (t) => {
  const bank = held('SAFE')
  const ask = aPayOut()
  bank.plan('CUT_AFTER')
  t.equal(await bank.first(ask), 'SILENT')
  t.equal(await bank.repeat(ask), 'DONE')
  t.strictSame(bank.exchanges(), ['PAY_OUT', 'PAY_OUT'])
  t.equal(bank.books.get(ask.reference), 10_000)
})

t.test('a refusal of a repeat may be because the first one is there', async (t) => {
  const bank = held('SAFE')
  const ask = aPayOut()
  await bank.first(ask)
  // A bank that refuses a used reference instead of answering as before.
  const refusing = {
    ...bank.instance,
    ask: async () => await openBankWithBooks().instance.ask(aPayOut({}, { amountCents: refusedCents })),
  }
  const outcome = await carryOut(refusing, 'SAFE', repeated(ask), true, new Map(), () => 0)
  t.equal(outcome.type, 'DONE')
  const other = await carryOut(refusing, 'SAFE', repeated(aPayOut()), true, new Map(), () => 0)
  t.equal(other.type, 'REFUSED', 'and of what the bank never got it is final')
  bank.plan('CUT_AFTER')
  const unsure = await carryOut(refusing, 'SAFE', repeated(ask), true, new Map(), () => 0)
  t.equal(unsure.type, 'SILENT', 'while the inquiry has no outcome, nothing is sure')
})

t.test('another is sent again only after it was not found twice, a minute apart', async (t) => {
  const bank = held('INQUIRE_FIRST')
  const ask = aPayOut()
  bank.plan('CUT_BEFORE')
  t.equal(await bank.first(ask), 'SILENT')
  t.equal(await bank.repeat(ask), 'PENDING')
  bank.pass(notFoundApartMs - 1)
  t.equal(await bank.repeat(ask), 'PENDING')
  t.strictSame(bank.exchanges(), ['PAY_OUT', 'INQUIRE', 'INQUIRE'], 'not a millisecond early')
  bank.pass(1)
  t.equal(await bank.repeat(ask), 'DONE')
  t.strictSame(bank.exchanges(), ['PAY_OUT', 'INQUIRE', 'INQUIRE', 'INQUIRE', 'PAY_OUT'])
  t.equal(bank.books.get(ask.reference), 10_000)
  t.strictSame(bank.notFound, new Map(), 'nothing is left to remember')
})

t.test('what was sent again and lost once more begins from the start', async (t) => {
  const bank = held('INQUIRE_FIRST')
  const ask = aPayOut()
  bank.plan('CUT_BEFORE', 'NONE', 'NONE', 'CUT_AFTER')
  await bank.first(ask)
  await bank.repeat(ask)
  bank.pass(notFoundApartMs)
  t.equal(await bank.repeat(ask), 'SILENT', 'sent again, and lost')
  t.equal(await bank.repeat(ask), 'DONE', 'and found')
  t.equal(bank.sent.filter((line) => line.startsWith('PAY_OUT')).length, 2)
  t.equal(bank.books.get(ask.reference), 10_000)
})

t.test('silence and findings between say that twice is not yet', async (t) => {
  const bank = held('INQUIRE_FIRST')
  const ask = aPayOut()
  bank.plan('CUT_BEFORE', 'NONE', 'CUT_BEFORE')
  await bank.first(ask)
  await bank.repeat(ask)
  bank.pass(notFoundApartMs)
  t.equal(await bank.repeat(ask), 'SILENT')
  t.strictSame(bank.exchanges(), ['PAY_OUT', 'INQUIRE', 'INQUIRE'], 'silence is no second time')
  t.equal(await bank.repeat(ask), 'DONE', 'the next one is')
  const found = held('INQUIRE_FIRST')
  const pending = {
    ...found.instance,
    inquire: async () => ({ type: 'PENDING', againInMs: null, evidence: null }) as const,
  }
  const notFound = new Map([[ask.callId, 0]])
  await carryOut(pending, 'INQUIRE_FIRST', repeated(ask), true, notFound, () => notFoundApartMs)
  t.strictSame(notFound, new Map(), 'what was found meanwhile was not missing since')
})

t.test('two that carry out one call at once send it at most once', async (t) => {
  const bank = held('INQUIRE_FIRST')
  const ask = aPayOut()
  bank.plan('CUT_BEFORE')
  await bank.first(ask)
  await bank.repeat(ask)
  bank.pass(notFoundApartMs)
  const both = await Promise.all([bank.repeat(ask), bank.repeat(ask)])
  t.strictSame(both.sort(), ['DONE', 'PENDING'])
  t.equal(bank.books.get(ask.reference), 10_000)
})

t.test('one that may never be repeated is inquired after for ever', async (t) => {
  const bank = held('NEVER')
  const ask = aPayOut()
  bank.plan('CUT_BEFORE')
  await bank.first(ask)
  for (let times = 0; times < 5; times++) {
    bank.pass(notFoundApartMs * 10)
    t.equal(await bank.repeat(ask), 'PENDING')
  }
  t.equal(bank.sent.filter((line) => line.startsWith('PAY_OUT')).length, 1)
  const done = aPayOut()
  bank.plan('CUT_AFTER')
  await bank.first(done)
  t.equal(await bank.repeat(done), 'DONE')
})

t.test('what must not be sent any more is only inquired after, however it may be repeated', async (t) => {
  const bank = held('SAFE')
  const notFound = new Map<string, number>()
  let nowMs = 0
  const inquired = async (ask: ProviderAsk, mayHaveArrived = true): Promise<string> =>
    (await inquireOnly(bank.instance, ask, mayHaveArrived, notFound, () => nowMs)).type
  const lost = aPayOut()
  bank.plan('CUT_BEFORE')
  t.equal(await bank.first(lost), 'SILENT')
  t.equal(await inquired(repeated(lost)), 'PENDING')
  nowMs += notFoundApartMs - 1
  t.equal(await inquired(repeated(lost)), 'PENDING', 'it may be found later')
  nowMs += 1
  t.equal(await inquired(repeated(lost)), 'REFUSED', 'not found twice, a minute apart')
  const done = aPayOut()
  bank.plan('CUT_AFTER')
  t.equal(await bank.first(done), 'SILENT')
  t.equal(await inquired(repeated(done)), 'DONE')
  t.equal(await inquired(aPayOut(), false), 'REFUSED', 'what never left was not done')
  t.notOk(bank.books.has(lost.reference))
  t.equal(bank.exchanges().filter((line) => line === 'PAY_OUT').length, 2, 'nothing was sent once more')
})
